//! The rules that a finding can break: their ids, how serious each one is, and what each one means.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

/// A rule that the check knows. Its id is stable.
///
/// ```
/// use drawloom_validate::Rule;
///
/// let rule: Rule = "undescribed-argument".parse()?;
/// assert_eq!(rule, Rule::UndescribedArgument);
/// assert!(rule.explanation().contains("description"));
/// # Ok::<(), drawloom_validate::UnknownRule>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Rule {
    /// A callable command has no description.
    MissingDescription,
    /// An argument of a callable command has no description.
    UndescribedArgument,
    /// A handler returns a value, and its command declares no answer.
    UndeclaredAnswer,
    /// A command does harm, and lets agents run it without asking.
    HarmWithoutAsking,
    /// An id is declared more than once in the directory.
    DuplicateId,
    /// A command has an empty id.
    EmptyId,
    /// A command has an empty title.
    EmptyTitle,
    /// An argument has an empty name.
    EmptyArgumentName,
    /// Two arguments of a command have the same name.
    DuplicateArgument,
    /// A choice has no choices.
    NoChoices,
    /// One of the choices is empty.
    EmptyChoice,
    /// A choice is listed twice.
    DuplicateChoice,
    /// No number lies in the range of an argument.
    EmptyRange,
    /// No text has the length of an argument.
    EmptyLength,
    /// An argument has a setting that only arguments of another kind have.
    MisplacedSetting,
    /// The default of an argument does not match it.
    InvalidDefault,
    /// A label is not the label of a choice.
    InvalidLabel,
    /// The choices of an argument depend on one that is not declared.
    UnknownDependency,
    /// The choices of arguments depend on each other.
    DependencyCycle,
    /// A JSON Schema states what no argument can state.
    OutsideSchema,
    /// An access requirement names no role.
    NoRoles,
    /// Registration refuses the declaration for another reason.
    RegistrationRefused,
    /// A command's tool gets a name with a digest.
    DigestName,
    /// A callable command has an argument whose name no model API takes.
    InvalidArgumentName,
    /// Some model APIs refuse the name of an argument.
    ArgumentName,
    /// A model API refuses a description of this length.
    LongDescription,
    /// A model API refuses a bound of this size.
    LargeBound,
    /// A model API refuses this number of tools.
    TooManyTools,
    /// A translation key does not resolve in a language.
    MissingTranslation,
    /// The declaration of a command could not be read.
    UnreadableCommand,
    /// A file could not be read.
    UnreadableFile,
    /// A link leads out of the directory or back into it.
    LinkNotFollowed,
    /// A file lies beyond a limit of the check.
    NotJudged,
}

/// How serious it is that a rule is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Severity {
    /// Good to know.
    Note,
    /// An agent has to guess, or something was not judged.
    Warning,
    /// Registration or a model API refuses the command.
    Error,
}

/// There is no rule of this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no rule \"{name}\"; the rules are {}", known())]
#[non_exhaustive]
pub struct UnknownRule {
    /// What was asked for.
    pub name: String,
}

/// What there is to know about a rule.
struct Entry {
    rule: Rule,
    id: &'static str,
    severity: Severity,
    summary: &'static str,
    explanation: &'static str,
    example: &'static str,
}

const fn entry(
    rule: Rule,
    id: &'static str,
    severity: Severity,
    summary: &'static str,
    explanation: &'static str,
    example: &'static str,
) -> Entry {
    Entry { rule, id, severity, summary, explanation, example }
}

/// Every rule, in the order of the enum.
const TABLE: &[Entry] = &[
    entry(
        Rule::MissingDescription,
        "missing-description",
        Severity::Warning,
        "A callable command has no description.",
        "An agent chooses a command by its description. Without one it has only the title, which labels a control for a \
         person who already sees the context.",
        "Command::new(\"notes.open\", \"Open note\").callable()\n\
         // write\n\
         Command::new(\"notes.open\", \"Open note\").description(\"Opens a note in the editor.\").callable()",
    ),
    entry(
        Rule::UndescribedArgument,
        "undescribed-argument",
        Severity::Warning,
        "An argument of a callable command has no description.",
        "An agent decides what to send by the description of an argument. Without one it has only the name and the kind.",
        "Argument::text(\"path\").required()\n\
         // write\n\
         Argument::text(\"path\").description(\"Where the note is, for example inbox/today\").required()",
    ),
    entry(
        Rule::UndeclaredAnswer,
        "undeclared-answer",
        Severity::Warning,
        "A handler returns a value, and its command declares no answer.",
        "The value is dropped: an agent is told only that the command ran. Say in `answers` what the value means, or return \
         `()`.",
        "notes.register(Command::new(\"notes.count\", \"Count notes\").callable(), |_| async { Ok(3) })\n\
         // write\n\
         Command::new(\"notes.count\", \"Count notes\").answers(\"How many notes there are\").callable()",
    ),
    entry(
        Rule::HarmWithoutAsking,
        "harm-without-asking",
        Severity::Warning,
        "A command does harm, and lets agents run it without asking.",
        "The command states that it destroys something or cannot be undone, and states `AgentConsent::Allow`, so an agent runs \
         it before anybody sees the call. State `Ask` or `AskAlways`, or correct the effects.",
        "Command::new(\"notes.purge\", \"Purge\").effects(Effects::destroys()).agent_consent(AgentConsent::Allow)\n\
         // write\n\
         Command::new(\"notes.purge\", \"Purge\").effects(Effects::destroys()).agent_consent(AgentConsent::AskAlways)",
    ),
    entry(
        Rule::DuplicateId,
        "duplicate-id",
        Severity::Warning,
        "An id is declared more than once in the directory.",
        "A workbench refuses the second registration of an id. Two programs, or two workbench files, may each use the id.",
        "Command::new(\"notes.open\", \"Open note\") // in a.rs\n\
         Command::new(\"notes.open\", \"Open a note\") // in b.rs: give it an id of its own",
    ),
    entry(
        Rule::EmptyId,
        "empty-id",
        Severity::Error,
        "A command has an empty id.",
        "Registration refuses it: nothing could name the command.",
        "Command::new(\"\", \"Open note\") // write: Command::new(\"notes.open\", \"Open note\")",
    ),
    entry(
        Rule::EmptyTitle,
        "empty-title",
        Severity::Error,
        "A command has an empty title.",
        "Registration refuses it: a control for the command would have no label.",
        "Command::new(\"notes.open\", \"\") // write: Command::new(\"notes.open\", \"Open note\")",
    ),
    entry(
        Rule::EmptyArgumentName,
        "empty-argument-name",
        Severity::Error,
        "An argument has an empty name.",
        "Registration refuses the command: a call could not give the argument.",
        "Argument::text(\"\") // write: Argument::text(\"path\")",
    ),
    entry(
        Rule::DuplicateArgument,
        "duplicate-argument",
        Severity::Error,
        "Two arguments of a command have the same name.",
        "Registration refuses the command: a call could give only one of the two.",
        ".argument(Argument::text(\"path\")).argument(Argument::number(\"path\")) // rename one of them",
    ),
    entry(
        Rule::NoChoices,
        "no-choices",
        Severity::Error,
        "A choice has no choices.",
        "If the argument is required, registration refuses the command, because no call could match. If it is optional, no \
         agent is shown the argument and no value can be given for it.",
        "Argument::choice(\"mode\", [\"\"; 0]).required() // list the choices, or use `choice_from`",
    ),
    entry(
        Rule::EmptyChoice,
        "empty-choice",
        Severity::Error,
        "One of the choices is the empty text.",
        "Registration refuses the command: an agent cannot tell an empty choice from no choice.",
        "Argument::choice(\"mode\", [\"\", \"preview\"]) // give the empty choice a name, such as \"none\"",
    ),
    entry(
        Rule::DuplicateChoice,
        "duplicate-choice",
        Severity::Error,
        "A choice is listed twice.",
        "Registration refuses the command: model APIs refuse a list of choices with a repeated one.",
        "Argument::choice(\"mode\", [\"preview\", \"preview\"]) // remove one of them",
    ),
    entry(
        Rule::EmptyRange,
        "empty-range",
        Severity::Error,
        "No number lies in the range of an argument.",
        "Registration refuses the command: no call could match.",
        "Argument::integer(\"line\", 10..=1) // write: Argument::integer(\"line\", 1..=10)",
    ),
    entry(
        Rule::EmptyLength,
        "empty-length",
        Severity::Error,
        "No text has the length of an argument.",
        "Registration refuses the command: no call could match.",
        "Argument::text(\"title\").length(10..=1) // write: .length(1..=10)",
    ),
    entry(
        Rule::MisplacedSetting,
        "misplaced-setting",
        Severity::Error,
        "An argument has a setting that only arguments of another kind have.",
        "Registration refuses the command: a length belongs to a text, a range to a number, a label to a choice.",
        "Argument::number(\"line\").length(1..=10) // write: .range(1..=10)",
    ),
    entry(
        Rule::InvalidDefault,
        "invalid-default",
        Severity::Error,
        "The default of an argument does not match it.",
        "Registration refuses the command: the handler would get a value that no call could give.",
        "Argument::integer(\"limit\", 1..=9).default(20) // write: .default(9)",
    ),
    entry(
        Rule::InvalidLabel,
        "invalid-label",
        Severity::Error,
        "A label is not the label of a choice.",
        "Registration refuses the command: nobody would see the label.",
        "Argument::choice(\"mode\", [\"preview\"]).label(\"look\", \"Only look\") // write: .label(\"preview\", \"Only look\")",
    ),
    entry(
        Rule::UnknownDependency,
        "unknown-dependency",
        Severity::Error,
        "The choices of an argument depend on one that is not declared.",
        "Registration refuses the command: no call could give the other argument.",
        "Argument::choice_given(\"section\", [\"notebook\"], sections) // declare the argument notebook",
    ),
    entry(
        Rule::DependencyCycle,
        "dependency-cycle",
        Severity::Error,
        "The choices of arguments depend on each other.",
        "Registration refuses the command: none of the arguments could be checked first.",
        "Argument::choice_given(\"page\", [\"page\"], pages) // name another argument",
    ),
    entry(
        Rule::OutsideSchema,
        "outside-schema",
        Severity::Error,
        "A JSON Schema states what no argument can state.",
        "Registration refuses the command: the declaration would promise more than its schema, or less.",
        "\"due\": { \"type\": \"string\", \"format\": \"date\" } // remove the format and check the text in the handler",
    ),
    entry(
        Rule::NoRoles,
        "no-roles",
        Severity::Error,
        "An access requirement names no role.",
        "Registration refuses the command: nobody could meet the requirement, or everybody would.",
        ".any_role([\"\"; 0]) // name a role, or leave the requirement out",
    ),
    entry(
        Rule::RegistrationRefused,
        "registration-refused",
        Severity::Error,
        "Registration refuses the declaration.",
        "The message says why. The command is not offered to anybody.",
        "// see the message of the finding",
    ),
    entry(
        Rule::DigestName,
        "digest-name",
        Severity::Note,
        "A command's tool gets a name with a digest.",
        "Model APIs take letters, digits, underscores and hyphens, at most 64 of them, and a dot is written as two \
         underscores. An id that cannot be written so gets a readable start and 16 hexadecimal digits. It works, but the name \
         is longer and says less to a model.",
        "\"notes__open\" becomes notes_open___7b9d6f22025c099f // write: \"notes.open\"",
    ),
    entry(
        Rule::InvalidArgumentName,
        "invalid-argument-name",
        Severity::Error,
        "A callable command has an argument whose name model APIs refuse.",
        "Registration refuses the command: Anthropic's API takes only names that match ^[a-zA-Z0-9_.-]{1,64}$ and refuses a \
         whole request because of one other name.",
        "Argument::text(\"the path\") // write: Argument::text(\"path\")",
    ),
    entry(
        Rule::ArgumentName,
        "argument-name",
        Severity::Note,
        "Some model APIs refuse the name of an argument.",
        "Gemini's API takes only names of letters, digits and underscores that do not start with a digit. Other APIs take dots \
         and hyphens too.",
        "Argument::text(\"dry-run\") // write: Argument::text(\"dry_run\")",
    ),
    entry(
        Rule::LongDescription,
        "long-description",
        Severity::Warning,
        "A model API refuses a description of this length.",
        "OpenAI's API refuses a tool whose description has more than 1,024 characters. The description of a tool includes what \
         the command answers.",
        ".description(\"…\") // keep what a model needs to choose the command; put the rest into the arguments",
    ),
    entry(
        Rule::LargeBound,
        "large-bound",
        Severity::Warning,
        "A model API refuses a bound of this size.",
        "A bound beyond ±(2^53−1) is not exact in JSON as most software reads it. Anthropic's API refuses the whole request \
         because of such a bound.",
        "Argument::integer(\"line\", 0..=1_152_921_504_606_846_976) // write the largest value that makes sense",
    ),
    entry(
        Rule::TooManyTools,
        "too-many-tools",
        Severity::Warning,
        "A model API refuses this number of tools.",
        "OpenAI's API takes at most 128 tools in a request. If an agent reaches more commands than that, its requests are \
         refused. The report counts the callable commands of the directory; how many of them one agent reaches is decided at \
         run time.",
        "// open fewer commands, or give each agent a plugin that reaches a part of them",
    ),
    entry(
        Rule::MissingTranslation,
        "missing-translation",
        Severity::Warning,
        "A translation key does not resolve in a language.",
        "A key without a translation resolves to itself, so an agent or a person in this language reads the key. A text is read \
         as a key if it has a dot inside and no white space.",
        ".title(\"notes.open.title\") // add \"notes.open.title\" to fr.json",
    ),
    entry(
        Rule::UnreadableCommand,
        "unreadable-command",
        Severity::Warning,
        "The declaration of a command could not be read.",
        "Only the running program knows the declaration: an id is computed, a list is assembled in a loop, or a macro writes \
         the declaration. Judge such commands in a test over the live workbench.",
        "for name in names { Command::new(format!(\"notes.{name}\"), name) } // test with `validate_access`",
    ),
    entry(
        Rule::UnreadableFile,
        "unreadable-file",
        Severity::Warning,
        "A file could not be read.",
        "The file does not parse, is not UTF-8, is not a regular file or cannot be opened. Its commands were not judged.",
        "// correct the file, or leave it out of the directory",
    ),
    entry(
        Rule::LinkNotFollowed,
        "link-not-followed",
        Severity::Warning,
        "A symbolic link was not followed.",
        "The link leads out of the directory, to a directory, or to nothing. What it leads to was not judged.",
        "// judge the directory that the link leads to by itself",
    ),
    entry(
        Rule::NotJudged,
        "not-judged",
        Severity::Warning,
        "A file lies beyond a limit of the check.",
        "The check reads files of at most 4 MiB, at most 100,000 files and at most 256 MiB in all, and sources that nest to a \
         bounded depth. What lies beyond was not judged.",
        "// judge a part of the directory, or leave generated code out",
    ),
];

impl Rule {
    /// Every rule.
    pub fn all() -> impl Iterator<Item = Self> {
        TABLE.iter().map(|entry| entry.rule)
    }

    /// The rule's id, such as `missing-description`.
    pub fn id(self) -> &'static str {
        self.entry().map_or("", |entry| entry.id)
    }

    /// How serious it is that the rule is broken.
    pub fn severity(self) -> Severity {
        self.entry().map_or(Severity::Note, |entry| entry.severity)
    }

    /// One sentence that says when the rule is broken.
    pub fn summary(self) -> &'static str {
        self.entry().map_or("", |entry| entry.summary)
    }

    /// What follows from breaking the rule.
    pub fn explanation(self) -> &'static str {
        self.entry().map_or("", |entry| entry.explanation)
    }

    /// An example of source that breaks the rule, and what to write instead.
    pub fn example(self) -> &'static str {
        self.entry().map_or("", |entry| entry.example)
    }

    /// The rule of an error that registration returns, by the error's code.
    pub(crate) fn of_registration(code: &str) -> Self {
        code.parse().unwrap_or(Self::RegistrationRefused)
    }

    fn entry(self) -> Option<&'static Entry> {
        TABLE.iter().find(|entry| entry.rule == self)
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

impl FromStr for Rule {
    type Err = UnknownRule;

    fn from_str(id: &str) -> Result<Self, UnknownRule> {
        let found = TABLE.iter().find(|entry| entry.id == id);
        found.map(|entry| entry.rule).ok_or_else(|| UnknownRule { name: id.to_owned() })
    }
}

impl Serialize for Rule {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.id())
    }
}

fn known() -> String {
    TABLE.iter().map(|entry| entry.id).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_is_read_back_from_its_id_and_explained() {
        let mut ids = std::collections::HashSet::new();
        for entry in TABLE {
            assert_eq!(entry.id.parse(), Ok(entry.rule));
            assert_eq!(entry.rule.id(), entry.id);
            assert!(ids.insert(entry.id), "{}", entry.id);
            for text in [entry.summary, entry.explanation, entry.example] {
                assert!(!text.is_empty(), "{}", entry.id);
            }
        }
        // The last variant is in the table, and so is each before it.
        assert_eq!(TABLE.len(), Rule::NotJudged as usize + 1);
    }

    #[test]
    fn the_guide_lists_every_rule() {
        let guide = include_str!("../guides/validate-commands.md");
        let rows: Vec<&str> = guide
            .lines()
            .filter(|line| line.starts_with("| `") && line.matches(" | ").count() == 2)
            .collect();
        for rule in Rule::all() {
            let severity = format!("{:?}", rule.severity()).to_lowercase();
            let row = format!("| `{rule}` | {severity} | {} |", rule.summary());
            assert!(rows.contains(&&*row), "{row}");
        }
    }

    #[test]
    fn an_unknown_rule_is_named_with_what_there_is() {
        let error = "nonsense".parse::<Rule>().unwrap_err().to_string();
        assert!(
            error.starts_with("there is no rule \"nonsense\"; the rules are missing-description, "),
            "{error}"
        );
    }
}
