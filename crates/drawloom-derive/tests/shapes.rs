//! Types that are unlike the usual ones: generic, empty, oddly named, or in a crate that knows the model alone.

use std::collections::BTreeMap;

use drawloom::command::{ArgumentKind, CommandArgument, TypedArguments};
use drawloom::prelude::*;
use serde::Serialize;

fn names<T: TypedArguments>() -> Vec<String> {
    T::declare().into_iter().map(|argument| CommandArgument::from(argument).name().to_owned()).collect()
}

#[test]
fn a_struct_may_have_no_fields() {
    #[derive(CommandArguments)]
    struct Nothing;

    #[derive(CommandArguments)]
    struct NothingNamed {}

    let mut arguments = CommandArguments::new().with("left", 1);
    assert!(Nothing::take_from(&mut arguments).is_ok() && NothingNamed::take_from(&mut arguments).is_ok());
    assert_eq!(arguments, CommandArguments::new().with("left", 1));
    assert!(names::<Nothing>().is_empty());
}

#[test]
fn a_struct_may_be_generic() {
    #[derive(CommandArguments)]
    struct Paged<T: ArgumentValue, const MOST: u32>
    where
        T: Clone,
    {
        of: Vec<T>,
        #[argument(default = MOST)]
        size: u32,
    }

    let mut arguments = CommandArguments::new().with("of", vec![1, 2]);
    let paged = Paged::<i8, 50>::take_from(&mut arguments).unwrap();
    assert_eq!((paged.of, paged.size), (vec![1, 2], 50));
}

#[test]
fn a_keyword_is_named_as_it_is_meant() {
    #[derive(CommandArguments)]
    struct Find {
        r#type: Type,
    }
    #[derive(Debug, PartialEq, Choice)]
    #[expect(non_camel_case_types, reason = "a variant may be spelt like a keyword")]
    enum Type {
        r#struct,
    }
    assert_eq!((names::<Find>(), Type::CHOICES), (vec!["type".to_owned()], &["struct"][..]));
    let found = Find::take_from(&mut CommandArguments::new().with("type", "struct")).unwrap();
    assert_eq!(found.r#type, Type::r#struct);
}

#[test]
fn a_crate_may_know_the_model_alone() {
    #[derive(drawloom::command::CommandArguments)]
    #[argument(crate = "drawloom_command")]
    struct Open {
        mode: Option<Mode>,
    }
    #[derive(drawloom::command::Choice)]
    #[choice(crate = "::drawloom_command")]
    enum Mode {
        Preview,
    }
    let declared = <Open as drawloom_command::TypedArguments>::declare();
    let [mode] = <[_; 1]>::try_from(declared).unwrap().map(CommandArgument::from);
    assert_eq!((mode.name(), mode.kind()), ("mode", ArgumentKind::Choice));
    let mut arguments = drawloom_command::CommandArguments::new().with("mode", "preview");
    assert!(matches!(Open::take_from(&mut arguments), Ok(Open { mode: Some(Mode::Preview) })));
}

/// Everything the derives write is named in full, so what the author calls by those names does not matter.
mod shadowed {
    #![expect(dead_code, reason = "they are there to be in the way")]

    struct Option;
    struct Result;
    struct Vec;
    struct Some;
    struct None;
    struct Ok;
    struct Default;
    struct Argument;
    struct ArgumentField;
    struct ArgumentValue;

    #[derive(drawloom::command::CommandArguments)]
    pub(super) struct Open {
        pub(super) path: ::std::string::String,
        #[argument(default)]
        pub(super) tags: ::std::vec::Vec<::std::string::String>,
        #[argument(default = 3)]
        pub(super) lines: u8,
        pub(super) mode: ::std::option::Option<Mode>,
    }

    #[derive(drawloom::command::Choice)]
    pub(super) enum Mode {
        Preview,
    }
}

#[test]
fn names_of_the_author_are_not_in_the_way() {
    let open = shadowed::Open::take_from(&mut CommandArguments::new().with("path", "a")).unwrap();
    assert_eq!((open.path.as_str(), open.tags.len(), open.lines), ("a", 0, 3));
    assert!(open.mode.is_none());
}

#[test]
fn serde_names_everything_alike() {
    macro_rules! named {
        ($case:literal) => {{
            #[derive(Serialize, CommandArguments)]
            #[serde(rename_all = $case)]
            #[argument(rename_all = $case)]
            struct Fields {
                path: bool,
                due_on: bool,
                line_2_to_show: bool,
                _hidden: bool,
            }
            #[derive(Serialize, Choice)]
            #[serde(rename_all = $case)]
            #[choice(rename_all = $case)]
            enum Variants {
                Preview,
                ForGood,
                HTTPServer,
                Due2On,
            }
            let fields = Fields { path: true, due_on: true, line_2_to_show: true, _hidden: true };
            let fields: BTreeMap<String, bool> =
                serde_json::from_value(serde_json::to_value(fields).unwrap()).unwrap();
            let mut declared = names::<Fields>();
            declared.sort();
            assert_eq!(declared, fields.into_keys().collect::<Vec<_>>(), $case);

            let all = [Variants::Preview, Variants::ForGood, Variants::HTTPServer, Variants::Due2On];
            for (variant, choice) in all.iter().zip(Variants::CHOICES) {
                assert_eq!(serde_json::to_value(variant).unwrap(), *choice, $case);
                assert_eq!(variant.as_choice(), *choice);
            }
        }};
    }
    named!("lowercase");
    named!("UPPERCASE");
    named!("PascalCase");
    named!("camelCase");
    named!("snake_case");
    named!("SCREAMING_SNAKE_CASE");
    named!("kebab-case");
    named!("SCREAMING-KEBAB-CASE");
}
