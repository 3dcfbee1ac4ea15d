//! Compares the specs with the tests: one test for each scenario, one scenario for each test, the same text
//! in both, and a reason for each test that is ignored. Reads nothing; all it compares is handed to it.
//! That modules repeat requirements is for `prose`.

use std::collections::{BTreeMap, BTreeSet};

use super::exceptions::Exception;
use super::harness::Harness;
use super::markdown::{Step, steps};
use super::slug::slug;
use super::sources::Source;
use super::spec::{Scenario, Spec};
use crate::report::Difference;

pub(crate) struct Project<'a> {
    pub(crate) specs: &'a [Spec],
    pub(crate) harness: &'a Harness,
    pub(crate) tests: &'a [Source],
    pub(crate) exceptions: &'a [Exception],
}

impl Project<'_> {
    pub(crate) fn differences(&self) -> Vec<Difference> {
        let scenarios = self.scenarios();
        let mut differences = Vec::new();
        for (test, (capability, scenario)) in &scenarios {
            if self.harness.tests.contains(test) {
                self.text(test, scenario, &mut differences);
            } else {
                differences.push(self.unbound(test, capability, scenario));
            }
        }
        for test in self.harness.tests.iter().filter(|test| !scenarios.contains_key(*test)) {
            let what = format!(
                "test \"{test}\" has no scenario; name both alike, or move it to another test binary"
            );
            differences.push(self.in_source(test, what));
        }
        for test in &self.harness.repeated {
            let places: Vec<_> = self.sources(test).map(|source| source.place.to_string()).collect();
            let what = format!(
                "test \"{test}\" is in more than one test binary ({}); remove all but one",
                places.join(", ")
            );
            differences.push(self.in_source(test, what));
        }
        self.twins(&mut differences);
        self.ignored(&mut differences);
        differences
    }

    /// Of two tests with one path, at most one is compiled; no other is a difference, but nobody could say which one it is.
    fn twins(&self, differences: &mut Vec<Difference>) {
        let mut first: BTreeMap<&str, &Source> = BTreeMap::new();
        for test in self.tests {
            let Some(known) = first.insert(&test.path, test) else { continue };
            if self.harness.repeated.contains(&test.path) {
                continue;
            }
            let what = format!(
                "test \"{}\" is also at {}, and only one of the two is compiled; remove the other",
                test.path, known.place
            );
            differences.push(Difference::at(&test.place, what));
        }
    }

    /// Every scenario by the test it needs, with the capability it belongs to.
    fn scenarios(&self) -> BTreeMap<String, (&str, &Scenario)> {
        let mut scenarios = BTreeMap::new();
        for spec in self.specs {
            for requirement in &spec.requirements {
                for scenario in &requirement.scenarios {
                    let test = slug(&spec.capability, &requirement.name, &scenario.name);
                    scenarios.insert(test, (spec.capability.as_str(), scenario));
                }
            }
        }
        scenarios
    }

    fn sources<'a>(&'a self, test: &'a str) -> impl Iterator<Item = &'a Source> {
        self.tests.iter().filter(move |source| source.path == test)
    }

    fn in_source(&self, test: &str, what: String) -> Difference {
        match self.sources(test).next() {
            Some(source) => Difference::at(&source.place, what),
            None => Difference::nowhere(what),
        }
    }

    fn unbound(&self, test: &str, capability: &str, scenario: &Scenario) -> Difference {
        let help = match self.sources(test).next() {
            Some(source) => format!("the one at {} is not compiled into the test binary", source.place),
            None => format!("`cargo xtask conformance --print {capability}` prints what it has to be"),
        };
        Difference::at(
            &scenario.place,
            format!("scenario \"{}\" has no test \"{test}\"; {help}", scenario.name),
        )
    }

    fn text(&self, test: &str, scenario: &Scenario, differences: &mut Vec<Difference>) {
        let mut found = false;
        for source in self.sources(test) {
            found = true;
            let (doc, more) = steps(&source.doc);
            if more {
                let what = format!(
                    "the doc comment of \"{test}\" has more than the bullets of its scenario; move the rest to a \
                     comment with //"
                );
                differences.push(Difference::at(&source.place, what));
            }
            if !texts(&doc).eq(texts(&scenario.steps)) {
                let what = format!(
                    "the doc comment of \"{test}\" does not repeat its scenario\n  {} says:\n{}  \
                     the doc comment says:\n{}",
                    scenario.place,
                    shown(&scenario.steps),
                    shown(&doc),
                );
                differences.push(Difference::at(&source.place, what));
            }
        }
        if !found {
            let what =
                format!("test \"{test}\" is not in the sources; write it out instead of using a macro");
            differences.push(Difference::at(&scenario.place, what));
        }
    }

    fn ignored(&self, differences: &mut Vec<Difference>) {
        let mut excepted = BTreeSet::new();
        for Exception { test, reason, place } in self.exceptions {
            let what = if !excepted.insert(test) {
                format!("a second entry for \"{test}\"; remove one")
            } else if !self.harness.tests.contains(test) {
                format!("there is no test \"{test}\"; remove the entry")
            } else if !self.harness.ignored.contains(test) {
                format!("test \"{test}\" is not ignored; remove the entry")
            } else if reason.trim().is_empty() {
                format!("the reason to ignore \"{test}\" is empty; state it")
            } else {
                continue;
            };
            differences.push(Difference::at(place, what));
        }
        for test in self.harness.ignored.iter().filter(|test| !excepted.contains(test)) {
            let what =
                format!("test \"{test}\" is ignored; run it, or state why not in {}", super::EXCEPTIONS);
            differences.push(self.in_source(test, what));
        }
    }
}

fn texts(steps: &[Step]) -> impl Iterator<Item = &str> {
    steps.iter().map(|step| step.text.as_str())
}

fn shown(steps: &[Step]) -> String {
    if steps.is_empty() {
        return "    (no bullet)\n".to_owned();
    }
    texts(steps).map(|text| format!("    - {text}\n")).collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::spec;
    use super::*;
    use crate::report::Place;

    const SPEC: &str = "\
### Requirement: Move
#### Scenario: Once
- **WHEN** a call
  comes
- **THEN** it runs
";

    /// The project of `SPEC`, in which all is well until a test says otherwise.
    struct Fixture {
        specs: Vec<Spec>,
        harness: Harness,
        tests: Vec<Source>,
        exceptions: Vec<Exception>,
    }

    fn place(line: usize) -> Place {
        Place::new(Path::new("commands.rs"), line)
    }

    fn bound(path: &str, doc: &str) -> Fixture {
        let specs = vec![spec::parse("commands", Path::new("spec.md"), SPEC).0];
        let harness = Harness { tests: BTreeSet::from([path.to_owned()]), ..Harness::default() };
        let tests = vec![Source { path: path.to_owned(), place: place(7), doc: doc.to_owned() }];
        Fixture { specs, harness, tests, exceptions: Vec::new() }
    }

    fn sound() -> Fixture {
        bound("commands::move::once", "- **WHEN** a call comes\n- **THEN** it\n  runs")
    }

    impl Fixture {
        fn ignores(mut self, test: &str) -> Self {
            self.harness.ignored.insert(test.to_owned());
            self
        }

        fn excepts(mut self, test: &str, reason: &str) -> Self {
            let place = Place::new(Path::new("exceptions.toml"), 2);
            self.exceptions.push(Exception { test: test.to_owned(), reason: reason.to_owned(), place });
            self
        }

        fn differences(&self) -> Vec<String> {
            let Self { specs, harness, tests, exceptions } = self;
            let project = Project { specs, harness, tests, exceptions };
            project.differences().iter().map(ToString::to_string).collect()
        }
    }

    #[test]
    fn a_scenario_and_its_test_are_bound_by_name_and_text() {
        assert_eq!(sound().differences(), [""; 0]);
    }

    #[test]
    fn a_scenario_without_a_test_and_a_test_without_a_scenario_differ() {
        assert_eq!(
            bound("commands::move::twice", "").differences(),
            [
                "spec.md:2: scenario \"Once\" has no test \"commands::move::once\"; \
                 `cargo xtask conformance --print commands` prints what it has to be",
                "commands.rs:7: test \"commands::move::twice\" has no scenario; \
                 name both alike, or move it to another test binary",
            ]
        );
    }

    #[test]
    fn a_test_that_is_compiled_out_does_not_count() {
        let mut fixture = sound();
        fixture.harness.tests.clear();
        assert_eq!(
            fixture.differences(),
            ["spec.md:2: scenario \"Once\" has no test \"commands::move::once\"; \
              the one at commands.rs:7 is not compiled into the test binary"]
        );
    }

    #[test]
    fn a_scenario_has_its_test_in_one_binary() {
        let mut fixture = sound();
        let test = "commands::move::once";
        let doc = "- **WHEN** a call comes\n- **THEN** it runs".to_owned();
        fixture.tests.push(Source { path: test.to_owned(), place: place(9), doc });
        fixture.harness.repeated.insert(test.to_owned());
        let what = "commands.rs:7: test \"commands::move::once\" is in more than one test binary \
                    (commands.rs:7, commands.rs:9); remove all but one";
        assert_eq!(fixture.differences(), [what]);
    }

    #[test]
    fn a_test_has_no_twin_that_is_compiled_out() {
        let mut fixture = sound();
        let twin = Source {
            place: place(9),
            path: fixture.tests[0].path.clone(),
            doc: fixture.tests[0].doc.clone(),
        };
        fixture.tests.push(twin);
        let what = "commands.rs:9: test \"commands::move::once\" is also at commands.rs:7, and only one of the two is \
                    compiled; remove the other";
        assert_eq!(fixture.differences(), [what]);
    }

    #[test]
    fn the_comment_of_a_test_is_its_scenario_and_nothing_else() {
        let more = "commands.rs:7: the doc comment of \"commands::move::once\" has more than the bullets of its scenario; \
                    move the rest to a comment with //";
        let sound = "- **WHEN** a call comes\n- **THEN** it runs";
        for doc in ["Why.\n\nX", "X\n\nWhy.", "X\n\n```\nWhy.\n```", "# Why\n\nX", "X\n\n[why]: x"] {
            let doc = doc.replace('X', sound);
            assert_eq!(bound("commands::move::once", &doc).differences(), [more], "{doc}");
        }
    }

    #[test]
    fn a_drifted_text_differs_and_both_are_shown() {
        assert_eq!(
            bound("commands::move::once", "- **WHEN** a call comes\n- **THEN** it Runs").differences(),
            ["commands.rs:7: the doc comment of \"commands::move::once\" does not repeat its scenario
  spec.md:2 says:
    - **WHEN** a call comes
    - **THEN** it runs
  the doc comment says:
    - **WHEN** a call comes
    - **THEN** it Runs
"]
        );
    }

    #[test]
    fn bold_is_text_and_a_missing_bullet_is_seen() {
        let plain = bound("commands::move::once", "- WHEN a call comes\n- **THEN** it runs");
        assert_eq!(plain.differences().len(), 1);
        let shorter = bound("commands::move::once", "- **WHEN** a call comes");
        assert_eq!(shorter.differences().len(), 1);
        assert!(bound("commands::move::once", "").differences()[0].ends_with("says:\n    (no bullet)\n"));
    }

    #[test]
    fn a_test_only_the_harness_knows_differs() {
        let mut fixture = sound();
        fixture.tests.clear();
        let what = "spec.md:2: test \"commands::move::once\" is not in the sources; \
                    write it out instead of using a macro";
        assert_eq!(fixture.differences(), [what]);
    }

    #[test]
    fn an_ignored_test_needs_a_reason() {
        let test = "commands::move::once";
        assert_eq!(
            sound().ignores(test).differences(),
            ["commands.rs:7: test \"commands::move::once\" is ignored; run it, or state why not in \
              openspec/conformance-exceptions.toml"]
        );
        assert_eq!(sound().ignores(test).excepts(test, "needs a screen").differences(), [""; 0]);
        assert_eq!(
            sound().ignores(test).excepts(test, " ").differences(),
            ["exceptions.toml:2: the reason to ignore \"commands::move::once\" is empty; state it"]
        );
    }

    #[test]
    fn an_entry_that_is_not_needed_differs() {
        let test = "commands::move::once";
        assert_eq!(
            sound().excepts(test, "was flaky").excepts("gone", "was slow").differences(),
            [
                "exceptions.toml:2: test \"commands::move::once\" is not ignored; remove the entry",
                "exceptions.toml:2: there is no test \"gone\"; remove the entry",
            ]
        );
        assert_eq!(
            sound().ignores(test).excepts(test, "a").excepts(test, "b").differences(),
            ["exceptions.toml:2: a second entry for \"commands::move::once\"; remove one"]
        );
    }
}
