//! How the derives name arguments and choices: by the rules of serde. A scenario compares what is read here with what
//! the derives declare.

/// A case of names, as `rename_all` spells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Case {
    Lower,
    Upper,
    Pascal,
    Camel,
    Snake,
    ScreamingSnake,
    Kebab,
    ScreamingKebab,
}

impl Case {
    pub(crate) fn read(name: &str) -> Option<Self> {
        Some(match name {
            "lowercase" => Self::Lower,
            "UPPERCASE" => Self::Upper,
            "PascalCase" => Self::Pascal,
            "camelCase" => Self::Camel,
            "snake_case" => Self::Snake,
            "SCREAMING_SNAKE_CASE" => Self::ScreamingSnake,
            "kebab-case" => Self::Kebab,
            "SCREAMING-KEBAB-CASE" => Self::ScreamingKebab,
            _ => return None,
        })
    }

    /// The name of a field that is written in snake case.
    pub(crate) fn of_field(self, field: &str) -> String {
        let pascal = || field.split('_').map(capitalized).collect::<String>();
        match self {
            Self::Lower | Self::Snake => field.to_owned(),
            Self::Upper | Self::ScreamingSnake => field.to_uppercase(),
            Self::Pascal => pascal(),
            Self::Camel => decapitalized(&pascal()),
            Self::Kebab => field.replace('_', "-"),
            Self::ScreamingKebab => field.to_uppercase().replace('_', "-"),
        }
    }

    /// The name of a variant that is written in Pascal case.
    pub(crate) fn of_variant(self, variant: &str) -> String {
        match self {
            Self::Pascal => variant.to_owned(),
            Self::Lower => variant.to_lowercase(),
            Self::Upper => variant.to_uppercase(),
            Self::Camel => decapitalized(variant),
            Self::Snake => words(variant, '_'),
            Self::ScreamingSnake => words(variant, '_').to_uppercase(),
            Self::Kebab => words(variant, '-'),
            Self::ScreamingKebab => words(variant, '-').to_uppercase(),
        }
    }
}

fn words(variant: &str, between: char) -> String {
    let mut words = String::new();
    for (index, letter) in variant.char_indices() {
        if index > 0 && letter.is_uppercase() {
            words.push(between);
        }
        words.extend(letter.to_lowercase());
    }
    words
}

fn capitalized(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}

fn decapitalized(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().into_iter().flat_map(char::to_lowercase).chain(letters).collect()
}
