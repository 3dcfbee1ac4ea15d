//! The rules for a specification, independent of the tests: requirements that say SHALL, each with scenarios that have
//! a WHEN and a THEN, and no name is repeated.

use std::collections::BTreeMap;

use super::markdown::Keyword;
use super::slug::segment;
use super::spec::{Requirement, Scenario, Spec};
use crate::report::{Difference, Place};

pub(crate) fn broken(spec: &Spec) -> Vec<Difference> {
    let mut broken = Vec::new();
    if spec.requirements.is_empty() {
        broken.push(Difference::at(
            &Place::new(&spec.file, 1),
            "has no requirement; write \"### Requirement: …\"",
        ));
    }
    names("requirement", spec.requirements.iter().map(|it| (it.name.as_str(), &it.place)), &mut broken);
    for requirement in &spec.requirements {
        requirement_rules(requirement, &mut broken);
        names("scenario", requirement.scenarios.iter().map(|it| (it.name.as_str(), &it.place)), &mut broken);
        for scenario in &requirement.scenarios {
            scenario_rules(scenario, &mut broken);
        }
    }
    broken
}

/// Names are the same when their slugs are: they would share a test.
pub(super) fn names<'a>(
    kind: &str,
    names: impl Iterator<Item = (&'a str, &'a Place)>,
    broken: &mut Vec<Difference>,
) {
    let mut first: BTreeMap<String, &Place> = BTreeMap::new();
    for (name, place) in names {
        let slug = segment(name);
        if slug.is_empty() {
            broken.push(Difference::at(place, format!("{kind} \"{name}\" has no letter or digit; name it")));
        } else if let Some(first) = first.get(&slug) {
            let what = format!("{kind} \"{name}\" has the name of the one at {first}; name it otherwise");
            broken.push(Difference::at(place, what));
        } else {
            first.insert(slug, place);
        }
    }
}

fn requirement_rules(
    Requirement { name, place, text, scenarios }: &Requirement,
    broken: &mut Vec<Difference>,
) {
    if !text.split(|c: char| !c.is_alphanumeric()).any(|word| word == "SHALL") {
        broken.push(Difference::at(
            place,
            format!("requirement \"{name}\" does not say SHALL before its scenarios"),
        ));
    }
    if scenarios.is_empty() {
        broken.push(Difference::at(place, format!("requirement \"{name}\" has no scenario; add one")));
    }
}

fn scenario_rules(Scenario { name, place, steps }: &Scenario, broken: &mut Vec<Difference>) {
    for (keyword, spelled) in [(Keyword::When, "WHEN"), (Keyword::Then, "THEN")] {
        if !steps.iter().any(|step| step.keyword() == Some(keyword)) {
            broken.push(Difference::at(place, format!("scenario \"{name}\" has no \"- **{spelled}** …\"")));
        }
    }
    for step in steps.iter().filter(|step| step.keyword().is_none()) {
        let what = format!("\"{}\" starts with none of **GIVEN**, **WHEN**, **THEN** and **AND**", step.text);
        broken.push(Difference::at(&place.at_line(step.line), what));
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn broken_in(text: &str) -> Vec<String> {
        let (spec, lost) = super::super::spec::parse("commands", Path::new("spec.md"), text);
        assert_eq!(lost, []);
        broken(&spec).iter().map(ToString::to_string).collect()
    }

    /// A requirement that breaks no rule.
    fn sound(name: &str) -> String {
        format!("### Requirement: {name}\nIt SHALL.\n#### Scenario: s\n- **WHEN** a\n- **THEN** b\n")
    }

    #[test]
    fn a_sound_spec_breaks_nothing() {
        assert_eq!(broken_in(&(sound("A") + &sound("B"))), [""; 0]);
    }

    #[test]
    fn a_spec_needs_a_requirement() {
        assert_eq!(broken_in("# Nothing\n"), ["spec.md:1: has no requirement; write \"### Requirement: …\""]);
    }

    #[test]
    fn a_requirement_says_shall_in_its_own_text() {
        let text = sound("A").replace("It SHALL.", "It shall, or SHALLOW.").replace("** b", "** it SHALL");
        assert_eq!(
            broken_in(&text),
            ["spec.md:1: requirement \"A\" does not say SHALL before its scenarios"]
        );
    }

    #[test]
    fn a_requirement_needs_a_scenario() {
        let text = "### Requirement: A\nIt SHALL.\n";
        assert_eq!(broken_in(text), ["spec.md:1: requirement \"A\" has no scenario; add one"]);
    }

    #[test]
    fn names_are_unique_by_their_slugs() {
        let twice =
            "spec.md:6: requirement \"a, b!\" has the name of the one at spec.md:1; name it otherwise";
        assert_eq!(broken_in(&(sound("A b") + &sound("a, b!"))), [twice]);

        let text = sound("A") + "#### Scenario: S\n- **WHEN** a\n- **THEN** b\n";
        let twice = "spec.md:6: scenario \"S\" has the name of the one at spec.md:3; name it otherwise";
        assert_eq!(broken_in(&text), [twice]);
    }

    #[test]
    fn a_name_has_a_letter_or_a_digit() {
        assert_eq!(broken_in(&sound("–")), ["spec.md:1: requirement \"–\" has no letter or digit; name it"]);
    }

    #[test]
    fn a_scenario_has_a_when_and_a_then() {
        let text = sound("A").replace("WHEN", "GIVEN").replace("THEN", "AND");
        assert_eq!(
            broken_in(&text),
            [
                "spec.md:3: scenario \"s\" has no \"- **WHEN** …\"",
                "spec.md:3: scenario \"s\" has no \"- **THEN** …\""
            ]
        );
    }

    #[test]
    fn a_bullet_without_a_keyword_is_named() {
        let text = sound("A") + "- **BUT** c\n";
        let named = "spec.md:6: \"**BUT** c\" starts with none of **GIVEN**, **WHEN**, **THEN** and **AND**";
        assert_eq!(broken_in(&text), [named]);
    }
}
