//! What a source says, taken out of its syntax tree so that the tree can be dropped. Names are not resolved here: a
//! constant or a type may be declared in another file.

use drawloom_command::{AgentConsent, Effects};
use serde_json::Value;

use crate::judge::Returns;

/// A path as it is written, such as `ids::OPEN`, with the imports of its file applied.
pub(crate) type Path = Vec<String>;

/// A place in the file that is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Position {
    pub(crate) line: usize,
    pub(crate) column: usize,
}

/// A value as far as the source shows it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Said {
    Text(String),
    Integer(i128),
    Float(f64),
    Boolean(bool),
    List(Vec<Said>),
    /// Whatever the constant of this path holds.
    Constant(Path),
    /// Only the running program knows it. The words say what it is.
    AtRunTime(String),
}

/// A type as it is written.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum TypeSaid {
    Path {
        path: Path,
        arguments: Vec<TypeSaid>,
    },
    Unit,
    /// A reference, a list, a tuple, …
    Other,
}

/// One declared argument.
#[derive(Clone, Debug)]
pub(crate) struct ArgumentSaid {
    pub(crate) position: Position,
    pub(crate) name: Said,
    pub(crate) form: Form,
    pub(crate) description: Option<Said>,
    pub(crate) required: bool,
    pub(crate) list: bool,
    pub(crate) settings: Vec<SettingSaid>,
}

/// What is set on an argument, whatever it takes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum SettingSaid {
    Secret,
    Default(Said),
    /// A choice and its label.
    Label(Said, Said),
    /// The ends of a range; `None` if it is open.
    Length(Option<Said>, Option<Said>),
    Range(Option<Said>, Option<Said>),
}

/// What an argument takes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Form {
    Text,
    Number,
    Boolean,
    Integer(Said, Said),
    Within(Said, Said),
    Choice(Said),
    /// Choices that only the running program knows.
    ChoiceFrom,
    /// Choices that depend on these arguments.
    ChoiceGiven(Said),
}

/// A part of the list of a command's arguments.
#[derive(Clone, Debug)]
pub(crate) enum ArgumentsSaid {
    One(ArgumentSaid),
    /// The fields of a type.
    OfType(TypeSaid, Position),
    /// What a JSON Schema describes.
    Schema(Value),
    /// What a function of the directory returns.
    OfFunction(Path, Position),
    Unreadable(String, Position),
}

/// A command as it is declared.
#[derive(Clone, Debug)]
pub(crate) struct CommandSaid {
    pub(crate) position: Position,
    pub(crate) id: Said,
    pub(crate) title: Said,
    pub(crate) description: Option<Said>,
    pub(crate) answers: Option<Said>,
    pub(crate) category: Option<Said>,
    pub(crate) icon: Option<Said>,
    /// What it states that it does, if the source shows it.
    pub(crate) effects: Option<Effects>,
    /// Whether an agent may run it without asking, if the source shows it.
    pub(crate) agent_consent: Option<AgentConsent>,
    pub(crate) callable: bool,
    /// The roles that it requires; `None` if the requirement names none or is not read.
    pub(crate) roles: Option<Said>,
    pub(crate) arguments: Vec<ArgumentsSaid>,
    pub(crate) registration: Option<RegistrationSaid>,
    /// Why the declaration cannot be read, if it cannot.
    pub(crate) unreadable: Option<(String, Position)>,
    /// Functions that it is passed to, which may change it.
    pub(crate) passed_to: Vec<Path>,
    /// The function that declares it.
    pub(crate) function: Option<Path>,
}

/// What a command is registered with.
#[derive(Clone, Debug)]
pub(crate) struct RegistrationSaid {
    pub(crate) handler: Handler,
    /// Whether the fields of a type are arguments too.
    pub(crate) is_typed: bool,
    /// That type, if the call names it.
    pub(crate) arguments: Option<TypeSaid>,
}

/// What runs when a command is invoked.
#[derive(Clone, Debug)]
pub(crate) enum Handler {
    /// The types of its parameters, those that are not written as `Other`.
    Closure {
        parameters: Vec<TypeSaid>,
        returns: Returns,
    },
    Named(Path),
    Unknown,
}

/// A function.
#[derive(Clone, Debug)]
pub(crate) struct FunctionSaid {
    pub(crate) parameters: Vec<TypeSaid>,
    pub(crate) returns: Returns,
    pub(crate) returns_command: bool,
    /// The arguments that it returns, if it has no parameters and only declares them.
    pub(crate) arguments: Option<Vec<ArgumentsSaid>>,
}

/// A type that arguments can be made of.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum TypeFact {
    /// A struct that derives `CommandArguments`.
    Arguments(Vec<FieldSaid>),
    /// A struct whose derive cannot be read.
    Faulty(String),
    /// An enum that derives `Choice`: its texts and their labels.
    Choice(Vec<(String, Option<String>)>),
    /// `impl ArgumentValue` with this scalar.
    Newtype(TypeSaid),
    Alias(TypeSaid),
}

/// One field of a struct that derives `CommandArguments`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FieldSaid {
    pub(crate) position: Position,
    pub(crate) name: String,
    pub(crate) description: Option<String>,
    pub(crate) kind: TypeSaid,
    /// The default, if the field has one. `None` inside it is the default of the type.
    pub(crate) default: Option<Option<Said>>,
    /// Choices that are not those of the type.
    pub(crate) choices: Option<Form>,
    pub(crate) settings: Vec<SettingSaid>,
}

/// A command of a function, which is continued or registered where the function is called.
#[derive(Clone, Debug)]
pub(crate) enum Continued {
    /// Further calls of the builder follow.
    Builder(Path, Position),
    /// It is registered with this handler.
    Registered(Path, RegistrationSaid),
}

/// An invocation of a macro that may be of the directory.
#[derive(Clone, Debug)]
pub(crate) struct MacroCall {
    pub(crate) name: String,
    pub(crate) position: Position,
}

/// Everything that one file says.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    pub(crate) commands: Vec<CommandSaid>,
    pub(crate) constants: Vec<(Path, Said)>,
    pub(crate) types: Vec<(Path, TypeFact)>,
    pub(crate) functions: Vec<(Path, FunctionSaid)>,
    pub(crate) continued: Vec<Continued>,
    /// Macros whose body declares commands.
    pub(crate) macros: Vec<(String, Position)>,
    pub(crate) macro_calls: Vec<MacroCall>,
    /// How many commands were found in test code.
    pub(crate) in_tests: usize,
    /// Modules in other files that are test code.
    pub(crate) test_modules: Vec<Path>,
}
