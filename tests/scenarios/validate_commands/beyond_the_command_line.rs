//! The same checks SHALL be available to a build script and to a test over a live workbench.

use drawloom::command::{RegistrationId, TypedArguments};
use drawloom::prelude::*;
use drawloom_validate::{Rule, validate_access};

use super::support::{Sources, offer, only, report};

/// - **GIVEN** a workbench that offers `copilot` one command with and one without a description.
/// - **WHEN** what `copilot` reaches is judged and required to keep the rule `missing-description`.
/// - **THEN** the result is an error that names the second command and not the first.
#[test]
fn a_live_workbench_in_a_test() {
    let workbench = Workbench::builder()
        .grant("notes", [Capability::Contributions])
        .grant("copilot", [Capability::Automation])
        .build();
    let notes = workbench.activate(Plugin::new("notes").declares([Capability::Contributions])).unwrap();
    let copilot = workbench.activate(Plugin::new("copilot").declares([Capability::Automation])).unwrap();
    let described = Command::new("notes.open", "Open").description("Opens a note.").callable();
    let _described = notes.register(described, |_: Call| async { Ok(()) }).unwrap();
    let _other =
        notes.register(Command::new("notes.close", "Close").callable(), |_: Call| async { Ok(()) }).unwrap();

    let report = validate_access(&copilot);
    let error = report.require(&[Rule::MissingDescription]).unwrap_err().to_string();
    assert!(error.contains("\"notes.close\"") && !error.contains("notes.open"), "{error}");
    assert_eq!(report.require(&[Rule::UndescribedArgument, Rule::DigestName]), Ok(()));
}

/// - **GIVEN** a directory with a callable command without a description.
/// - **WHEN** the lines for a build script are read from its report.
/// - **THEN** one asks cargo to run again when the directory changes, and one is a warning that names the command, the
///   file and the line.
#[test]
fn a_build_script() {
    let sources = Sources::new(&[(
        "notes.rs",
        "\nfn c() -> Command { Command::new(\"notes.open\", \"A\\nb\").callable() }",
    )]);
    let directives = sources.report().cargo_directives();
    let lines: Vec<&str> = directives.lines().collect();
    let [rerun, warning] = &lines[..] else { panic!("{directives}") };
    assert_eq!(
        *rerun,
        format!("cargo::rerun-if-changed={}", sources.path("").display()).trim_end_matches('/')
    );
    assert!(warning.starts_with("cargo::warning="), "{warning}");
    assert!(warning.contains("notes.rs:2:") && warning.contains("\"notes.open\""), "{warning}");
}

/// - **GIVEN** the source of a struct with every form of field and attribute that `CommandArguments` knows.
/// - **WHEN** it is judged, and the struct is compiled and asked for its declaration.
/// - **THEN** both give the same arguments.
#[test]
fn the_derives_agree_with_the_check() {
    // What is compiled is what is judged.
    macro_rules! both {
        ($($source:tt)*) => {
            mod compiled {
                #![allow(dead_code, reason = "only what is declared is looked at")]
                use drawloom::prelude::*;
                $($source)*
            }
            const SOURCE: &str = stringify!($($source)*);
        };
    }
    both! {
        #[derive(CommandArguments)]
        #[argument(rename_all = "SCREAMING-KEBAB-CASE")]
        pub(super) struct Everything {
            #[doc = " First paragraph, "]
            #[doc = " joined."]
            #[doc = ""]
            #[doc = " Second paragraph."]
            pub(super) a_text: String,
            pub(super) r#type: Option<bool>,
            #[argument(rename = "small_number", description = "Given")]
            pub(super) small: u8,
            #[argument(default)]
            pub(super) list: Vec<i16>,
            #[argument(default = 1.5)]
            pub(super) float: f64,
            pub(super) maybe: Option<Vec<Sort>>,
            pub(super) sort: Sort,
            pub(super) path: NotePath,
            pub(super) exact: Number,
        }

        #[derive(Choice)]
        #[choice(rename_all = "camelCase")]
        pub(super) enum Sort {
            NewestFirst,
            #[choice(rename = "a-z")]
            Alphabetical,
            HTTPFirst,
        }

        pub(super) struct NotePath(String);

        impl ArgumentValue for NotePath {
            type Scalar = String;

            fn from_scalar(path: String) -> Self {
                Self(path)
            }
        }
    }

    let declared = Command::new("c", "C").arguments(compiled::Everything::declare()).declare().unwrap();
    let declared = declared.describe(RegistrationId::unique(), Clone::clone).unwrap();
    let source = format!(
        "{SOURCE}\nfn c(notes: &PluginContext) {{
            notes.register_typed(Command::new(\"c\", \"C\").callable(), |all: Everything, _| async {{ Ok(()) }});
        }}"
    );
    let report = report(&[("notes.rs", &source)]);
    assert_eq!(offer(only(&report)).parameters, declared.parameters());
}
