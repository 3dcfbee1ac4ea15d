//! The cases for names, by the rules of serde, so that a type that derives both has the same names in both.

use syn::LitStr;

/// The case of the names of fields or variants.
#[derive(Clone, Copy)]
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

const CASES: [(&str, Case); 8] = [
    ("lowercase", Case::Lower),
    ("UPPERCASE", Case::Upper),
    ("PascalCase", Case::Pascal),
    ("camelCase", Case::Camel),
    ("snake_case", Case::Snake),
    ("SCREAMING_SNAKE_CASE", Case::ScreamingSnake),
    ("kebab-case", Case::Kebab),
    ("SCREAMING-KEBAB-CASE", Case::ScreamingKebab),
];

impl Case {
    pub(crate) fn read(name: &LitStr) -> syn::Result<Self> {
        let wanted = name.value();
        CASES.iter().find(|(known, _)| *known == wanted).map(|(_, case)| *case).ok_or_else(|| {
            let known = CASES.map(|(known, _)| known).join("`, `");
            syn::Error::new_spanned(name, format!("unknown case; use one of `{known}`"))
        })
    }

    /// Converts the name of a field, such as `line_to_show`.
    pub(crate) fn of_field(self, name: &str) -> String {
        match self {
            Self::Lower | Self::Snake => name.to_owned(),
            Self::Upper | Self::ScreamingSnake => name.to_uppercase(),
            Self::Pascal => name.split('_').map(capitalized).collect(),
            Self::Camel => decapitalized(&Self::Pascal.of_field(name)),
            Self::Kebab => name.replace('_', "-"),
            Self::ScreamingKebab => name.to_uppercase().replace('_', "-"),
        }
    }

    /// Converts the name of a variant, such as `NewestFirst`.
    pub(crate) fn of_variant(self, name: &str) -> String {
        match self {
            Self::Pascal => name.to_owned(),
            Self::Lower => name.to_lowercase(),
            Self::Upper => name.to_uppercase(),
            Self::Camel => decapitalized(name),
            Self::Snake => {
                let mut snake = String::new();
                for (index, letter) in name.char_indices() {
                    if index > 0 && letter.is_uppercase() {
                        snake.push('_');
                    }
                    snake.extend(letter.to_lowercase());
                }
                snake
            }
            Self::ScreamingSnake => Self::Snake.of_variant(name).to_uppercase(),
            Self::Kebab => Self::Snake.of_variant(name).replace('_', "-"),
            Self::ScreamingKebab => Self::ScreamingSnake.of_variant(name).replace('_', "-"),
        }
    }
}

fn capitalized(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}

fn decapitalized(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().into_iter().flat_map(char::to_lowercase).chain(letters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_and_variants_are_named_as_serde_names_them() {
        let names = CASES.map(|(_, case)| (case.of_field("due_on_2"), case.of_variant("DueOn2")));
        let expected = [
            ("due_on_2", "dueon2"),
            ("DUE_ON_2", "DUEON2"),
            ("DueOn2", "DueOn2"),
            ("dueOn2", "dueOn2"),
            ("due_on_2", "due_on2"),
            ("DUE_ON_2", "DUE_ON2"),
            ("due-on-2", "due-on2"),
            ("DUE-ON-2", "DUE-ON2"),
        ];
        assert_eq!(names, expected.map(|(field, variant)| (field.to_owned(), variant.to_owned())));
        assert_eq!(Case::Kebab.of_variant("HTTPServer"), "h-t-t-p-server");
    }
}
