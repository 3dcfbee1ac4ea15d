#![doc = include_str!("../README.md")]
//!
//! # From the type to the refusal
//!
//! ```
//! use drawloom::prelude::*;
//!
//! /// A call of `notes.open`.
//! #[derive(CommandArguments)]
//! struct OpenNote {
//!     /// The note's path below the notebook, for example `inbox/today`.
//!     path: String,
//!     /// How to open it.
//!     mode: Option<OpenMode>,
//!     /// The line to show first.
//!     line: Option<u32>,
//!     /// Labels to filter by.
//!     #[argument(default)]
//!     tags: Vec<String>,
//! }
//!
//! #[derive(Choice)]
//! enum OpenMode {
//!     Preview,
//!     Permanent,
//! }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let workbench = Workbench::builder().grant("notes", [Capability::Contributions]).build();
//! let notes = workbench.activate(Plugin::new("notes").declares([Capability::Contributions]))?;
//! let _open = notes.register_typed(
//!     Command::new("notes.open", "Open note")
//!         .description("Opens a note in the editor.")
//!         .answers("What was opened")
//!         .callable(),
//!     |args: OpenNote, _call| async move {
//!         let how = match args.mode.unwrap_or(OpenMode::Preview) {
//!             OpenMode::Preview => "for a look",
//!             OpenMode::Permanent => "for good",
//!         };
//!         Ok(format!("{} {how}", args.path))
//!     },
//! )?;
//!
//! let invoke = |arguments| futures::executor::block_on(notes.invoke("notes.open", arguments));
//! let opened = invoke(CommandArguments::new().with("path", "inbox").with("mode", "permanent"));
//! assert_eq!(opened, CommandOutcome::Answered { value: Some("inbox for good".into()) });
//!
//! // A value that does not fit in a `u32` does not reach the handler.
//! let refused = invoke(CommandArguments::new().with("path", "inbox").with("line", -1));
//! let CommandOutcome::Refused(refusal) = refused else { panic!("it ran") };
//! assert_eq!(refusal.reason, RefusalReason::InvalidArguments);
//! assert_eq!(refusal.message, r#"argument "line" takes a whole number from 0 to 4294967295"#);
//! # Ok(())
//! # }
//! ```
//!
//! # Arguments
//!
//! `#[derive(CommandArguments)]` implements `TypedArguments` for a struct with named fields, each of them an argument.
//!
//! | field | argument |
//! | --- | --- |
//! | `T` | required |
//! | `Option<T>` | optional |
//! | `Vec<T>` | a required list, possibly empty |
//! | `Option<Vec<T>>` | an optional list |
//! | `T` or `Vec<T>`, with `#[argument(default)]` | optional; the default if it is omitted |
//!
//! `T` is `String`, `bool`, an integer, a float, `Number` (any number, exact), a type that derives `Choice`, or a
//! newtype that implements `ArgumentValue`. Nothing else compiles. An integer takes the whole numbers of its range
//! that JSON carries, from −2⁶³ to 2⁶⁴−1; an `f64` takes any number and holds the nearest double, and an `f32` holds the
//! nearest `f32`, which is exact for whole numbers up to 2²⁴ and not for 0.1.
//!
//! The first paragraph of a field's doc comment is the argument's description, its lines joined by a space. The text
//! after a blank line and the doc comment of the struct are only for readers of the code.
//!
//! Options of a field, separated by commas in `#[argument(…)]`:
//!
//! - `description = "…"`: a translation key or a literal, instead of the doc comment.
//! - `rename = "…"`: the argument's name.
//! - `default`: [`Default::default()`] if the argument is omitted; `default = expression` for another value.
//!
//! - `range = 1..=100`: bounds of a number, `length = 1..=200`: bounds of a text's length in characters.
//! - `secret`: drawloom never writes or shows the value; only the handler and the hook of the product get it.
//! - `choices_from = source`, `choices_in = set`, `choices_given(["other"], source)`: the choices of a `String`, as
//!   `Argument::choice_from`, `Argument::choice_in` and `Argument::choice_given` take them. `source` and `set` are
//!   expressions, such as the path of a function or of a static.
//!
//! A default is published, so a newtype with a default also implements `From` for the scalar that represents it.
//!
//! An attribute `#[serde(…)]` that the derive would ignore, such as a `rename` that names the argument differently, is a
//! compile error that names the field.
//!
//! Options of the struct: `rename_all = "…"` sets the case of all field names, by the rules of serde. `crate = "…"`
//! sets the path of the command model, if it is not `drawloom::command`; for example `drawloom_command`.
//!
//! # Choices
//!
//! `#[derive(Choice)]` implements `Choice` for an enum of unit variants. A variant is named in kebab-case as serde
//! would, unless `#[choice(rename = "…")]` says otherwise; on the enum, `#[choice(rename_all = "…", crate = "…")]` say
//! what they say of arguments. `#[choice(label = "…")]` on a variant is what a person reads in place of the choice: a
//! translation key or a literal.
//!
//! ```
//! use drawloom::prelude::*;
//!
//! #[derive(Choice)]
//! enum Sort {
//!     NewestFirst,
//!     #[choice(rename = "a-z", label = "By title")]
//!     Alphabetical,
//! }
//! assert_eq!(Sort::LABELS, [("a-z", "By title")]);
//! assert_eq!(Sort::CHOICES, ["newest-first", "a-z"]);
//! assert_eq!(Sort::Alphabetical.as_choice(), "a-z");
//! ```

mod arguments;
mod attributes;
mod choice;
mod description;
mod naming;
mod serde_attributes;
mod unique;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

/// Declares a command's arguments as the fields of a struct. See the [crate](crate#arguments) for what it takes.
#[proc_macro_derive(CommandArguments, attributes(argument))]
pub fn command_arguments(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    arguments::derive(&input).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// Makes an enum a choice of an argument. See the [crate](crate#choices) for what it takes.
#[proc_macro_derive(Choice, attributes(choice))]
pub fn choice(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    choice::derive(&input).unwrap_or_else(syn::Error::into_compile_error).into()
}
