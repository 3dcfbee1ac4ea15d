//! Prints what the tests of a spec have to be: modules, doc comments and signatures, to copy from. No bodies:
//! a test is written, not generated.

use std::fmt::Write;

use super::markdown::paragraphs;
use super::slug::{identifier, segment};
use super::spec::Spec;

/// The width rustfmt keeps code to.
const WIDTH: usize = 110;

pub(crate) fn skeleton(spec: &Spec) -> String {
    let mut text = String::new();
    for (index, requirement) in spec.requirements.iter().enumerate() {
        let gap = if index == 0 { "" } else { "\n" };
        // Writing to a string does not fail.
        let _ = writeln!(text, "{gap}mod {} {{", identifier(&segment(&requirement.name)));
        for paragraph in paragraphs(&requirement.text) {
            wrapped(&mut text, ["    //!", "    //!"], &paragraph);
        }
        if !requirement.text.trim().is_empty() && !requirement.scenarios.is_empty() {
            text.push('\n');
        }
        for (index, scenario) in requirement.scenarios.iter().enumerate() {
            if index > 0 {
                text.push('\n');
            }
            for step in &scenario.steps {
                wrapped(&mut text, ["    /// -", "    ///  "], &step.text);
            }
            let _ = writeln!(text, "    #[test]\n    fn {}()", identifier(&segment(&scenario.name)));
        }
        text.push_str("}\n");
    }
    text
}

/// A text as doc comment lines, wrapped. The lines after the first start otherwise: those of a step are indented, as clippy
/// wants them.
fn wrapped(text: &mut String, [first, others]: [&str; 2], words: &str) {
    let mut line = first.to_owned();
    for word in words.split(' ') {
        if line.chars().count() + 1 + word.chars().count() > WIDTH {
            text.push_str(&line);
            text.push('\n');
            line = others.to_owned();
        }
        line.push(' ');
        line.push_str(word);
    }
    text.push_str(&line);
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::sources::Sources;
    use super::super::{markdown, slug, spec};
    use super::*;

    fn parsed(text: &str) -> Spec {
        spec::parse("commands", Path::new("spec.md"), text).0
    }

    #[test]
    fn a_requirement_is_a_module_and_a_scenario_a_test() {
        let text = "\
### Requirement: Move
It SHALL
move.
#### Scenario: Once
- **WHEN** a
- **THEN** b
#### Scenario: 2 times
- **WHEN** c
### Requirement: Second
#### Scenario: x
- **THEN** d
";
        let expected = "\
mod r#move {
    //! It SHALL move.

    /// - **WHEN** a
    /// - **THEN** b
    #[test]
    fn once()

    /// - **WHEN** c
    #[test]
    fn _2_times()
}

mod second {
    /// - **THEN** d
    #[test]
    fn x()
}
";
        assert_eq!(skeleton(&parsed(text)), expected);
    }

    #[test]
    fn a_line_is_filled_to_the_width_and_not_beyond() {
        let doc = |length| {
            let mut text = String::new();
            wrapped(&mut text, ["    /// -", "    ///  "], &format!("a {}", "x".repeat(length)));
            text.lines().map(|line| line.chars().count()).collect::<Vec<_>>()
        };
        assert_eq!(doc(98), [WIDTH]);
        assert_eq!(doc(99), [11, WIDTH - 1]);
    }

    /// What is printed, given bodies, is what the check asks for.
    #[test]
    fn what_is_printed_repeats_the_requirement_and_the_scenario_however_they_wrap() {
        let long =
            "- **THEN** it says `a` - and \"b\" and 'c' and <d> ".to_owned() + &"word word ".repeat(40);
        let shall = "It SHALL ".to_owned() + &"do ".repeat(50);
        let spec =
            parsed(&format!("### Requirement: Gen\n{shall}\n#### Scenario: A b\n- **WHEN** a\n{long}\n"));
        let printed = skeleton(&spec);
        assert!(printed.lines().count() > 8 && printed.lines().all(|line| line.len() <= WIDTH), "{printed}");

        let root = tempfile::tempdir().unwrap();
        std::fs::write(root.path().join("main.rs"), printed.replace("()\n", "() {}\n")).unwrap();
        let mut sources = Sources::default();
        sources.add(root.path(), Path::new("main.rs")).unwrap();
        let requirement = &spec.requirements[0];
        let test = &sources.tests[0];
        assert_eq!(format!("commands::{}", test.path), slug::slug("commands", "Gen", "A b"));
        let texts = |steps: &[markdown::Step]| steps.iter().map(|it| it.text.clone()).collect::<Vec<_>>();
        assert_eq!(texts(&markdown::steps(&test.doc).0), texts(&requirement.scenarios[0].steps));
        let module =
            sources.modules.iter().find(|module| module.path == "r#gen" || module.path == "gen").unwrap();
        assert_eq!(paragraphs(&module.doc), paragraphs(&requirement.text));
        assert_eq!(sources.refused, []);
    }
}
