//! Compares the prose of the specs with the modules of the tests: the module of a requirement repeats its paragraph, and the
//! module of a capability the purpose, which states the assumptions of all scenarios.

use std::collections::BTreeSet;

use super::markdown::paragraphs;
use super::slug::segment;
use super::sources::{Source, Sources};
use super::spec::Spec;
use crate::report::{Difference, Place};

/// The modules that tests are in and that do not repeat the prose that is above their scenarios.
pub(super) fn differences(specs: &[Spec], sources: &Sources) -> Vec<Difference> {
    // A module without tests is a helper, or belongs to a scenario that differs for its own reason.
    let with_tests: BTreeSet<&str> = sources.tests.iter().flat_map(|test| above(&test.path)).collect();
    let mut differences = Vec::new();
    let mut compare = |path: &str, what: &str, text: &str, place: &Place| {
        if with_tests.contains(path) {
            let modules = sources.modules.iter().filter(|module| module.path == path);
            differences.extend(modules.filter_map(|module| drifted(module, what, text, place)));
        }
    };
    for spec in specs {
        let capability = segment(&spec.capability);
        compare(&capability, "the purpose", &spec.purpose, &Place::file(&spec.file));
        for requirement in &spec.requirements {
            let path = format!("{capability}::{}", segment(&requirement.name));
            compare(&path, "the text of its requirement", &requirement.text, &requirement.place);
        }
    }
    differences
}

/// The modules that a test is in, from the inner to the outer one.
fn above(test: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(test.rsplit_once("::"), |(module, _)| module.rsplit_once("::"))
        .map(|(module, _)| module)
}

fn drifted(module: &Source, what: &str, text: &str, place: &Place) -> Option<Difference> {
    let (wanted, doc) = (paragraphs(text), paragraphs(&module.doc));
    if wanted.is_empty() || doc.windows(wanted.len()).any(|window| window == wanted) {
        return None;
    }
    let what = format!(
        "the comment of the module \"{}\" does not repeat {what} as a paragraph of its own\n  {place} says:\n    {}\n  \
         the comment says:\n    {}\n",
        module.path,
        wanted.join("\n    "),
        if doc.is_empty() { "(nothing)".to_owned() } else { doc.join("\n    ") },
    );
    Some(Difference::at(&module.place, what))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::spec;
    use super::*;

    const SPEC: &str = "\
## Purpose

What `a-b`
is.

Always.
## Requirements
### Requirement: Move
It SHALL
move.
#### Scenario: Once
";

    fn source(path: &str, doc: &str) -> Source {
        Source { path: path.to_owned(), place: Place::new(Path::new("m.rs"), 1), doc: doc.to_owned() }
    }

    fn told(modules: &[(&str, &str)], tests: &[&str]) -> Vec<String> {
        let specs = [spec::parse("a-b", Path::new("spec.md"), SPEC).0];
        let modules = modules.iter().map(|(path, doc)| source(path, doc)).collect();
        let tests = tests.iter().map(|path| source(path, "")).collect();
        let sources = Sources { tests, modules, ..Sources::default() };
        differences(&specs, &sources).iter().map(ToString::to_string).collect()
    }

    const PURPOSE: &str = "Tests.\n\nWhat `a-b` is.\n\nAlways.\n\nMore.";

    #[test]
    fn modules_repeat_the_prose_however_it_wraps() {
        let modules = [("", ""), ("a_b", PURPOSE), ("a_b::move", "It SHALL move."), ("a_b::support", "")];
        assert_eq!(told(&modules, &["a_b::move::once"]), [""; 0]);
        // Both binaries can have tests of a capability.
        let modules = [("a_b", PURPOSE), ("a_b", ""), ("a_b::move", "It SHALL move.")];
        assert_eq!(told(&modules, &["a_b::move::once"]).len(), 1);
    }

    #[test]
    fn a_drifted_paragraph_differs_and_both_are_shown() {
        let modules = [("a_b", PURPOSE), ("a_b::move", "Moving.\n\nIt SHALL not move.")];
        assert_eq!(
            told(&modules, &["a_b::move::once"]),
            ["m.rs:1: the comment of the module \"a_b::move\" does not repeat the text of its requirement as a paragraph \
              of its own
  spec.md:8 says:
    It SHALL move.
  the comment says:
    Moving.
    It SHALL not move.
"]
        );
        // Without a test there is nothing that the text is bound to.
        assert_eq!(told(&modules, &[]), [""; 0]);
    }

    #[test]
    fn a_purpose_that_is_not_repeated_whole_differs() {
        for doc in ["", "What `a-b` is.", "Always.\n\nWhat `a-b` is.", "What `a-b` is. Always."] {
            let told = told(&[("a_b", doc), ("a_b::move", "It SHALL move.")], &["a_b::move::once"]);
            assert!(told.len() == 1 && told[0].contains("does not repeat the purpose"), "{doc}: {told:?}");
        }
    }
}
