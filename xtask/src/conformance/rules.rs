//! The rules for a specification, independent of the tests: requirements that say SHALL, each with scenarios that have
//! a WHEN and a THEN, and no name is repeated.

use std::collections::BTreeMap;

use super::markdown::{Keyword, Step, paragraphs};
use super::slug::segment;
use super::spec::{Requirement, Scenario, Spec, says_shall};
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
    if !says_shall(text) {
        let what = format!("requirement \"{name}\" does not say SHALL before its scenarios");
        broken.push(Difference::at(place, what));
    } else if paragraphs(text).len() > 1 {
        broken.push(Difference::at(place, format!("requirement \"{name}\" is more than one paragraph")));
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
    let mut before = None;
    for step in steps {
        if let Some(what) = step_rules(step, before) {
            broken.push(Difference::at(&place.at_line(step.line), format!("\"{}\" {what}", step.text)));
        }
        before = step.keyword().filter(|keyword| *keyword != Keyword::And).or(before);
    }
}

/// What is wrong with a step after one with this keyword, those with AND aside.
fn step_rules(step: &Step, before: Option<Keyword>) -> Option<&'static str> {
    let in_its_place = match (step.keyword(), before) {
        (None, _) => return Some("starts with none of **GIVEN**, **WHEN**, **THEN** and **AND**"),
        (Some(Keyword::Given), before) => before.is_none(),
        (Some(Keyword::When), before) => matches!(before, None | Some(Keyword::Given)),
        (Some(Keyword::Then), before) => before == Some(Keyword::When),
        (Some(Keyword::And), before) => before.is_some(),
    };
    if !in_its_place {
        Some(
            "is out of order; write **GIVEN**, **WHEN** and **THEN** once each, and **AND** after one of them",
        )
    } else if step.is_empty() {
        Some("says nothing; complete or remove it")
    } else if !step.bullet {
        Some("is within another bullet, or has no dash; write it as a bullet of its own")
    } else if says_shall(&step.text) {
        Some("says SHALL, which only a requirement does; write what happens")
    } else {
        None
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
        let bullet = "\"**THEN** it SHALL\" says SHALL, which only a requirement does; write what happens";
        assert_eq!(
            broken_in(&text),
            [
                "spec.md:1: requirement \"A\" does not say SHALL before its scenarios".to_owned(),
                format!("spec.md:5: {bullet}"),
            ]
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
        let text = sound("A").replace("THEN", "AND").replace("WHEN", "GIVEN");
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

    #[test]
    fn a_requirement_is_one_paragraph() {
        let text = sound("A").replace("It SHALL.", "It\nSHALL.\n\nAlways.");
        assert_eq!(broken_in(&text), ["spec.md:1: requirement \"A\" is more than one paragraph"]);
    }

    #[test]
    fn bullets_are_in_order() {
        let scenario = |keywords: &[&str]| {
            let bullets = keywords.iter().map(|keyword| format!("- **{keyword}** a\n"));
            let text = "### Requirement: A\nIt SHALL.\n#### Scenario: s\n".to_owned();
            broken_in(&(text + &bullets.collect::<String>())).len()
        };
        assert_eq!(scenario(&["GIVEN", "AND", "WHEN", "AND", "THEN", "AND", "AND"]), 0);
        assert_eq!(scenario(&["WHEN", "THEN"]), 0);
        assert_eq!(scenario(&["AND", "WHEN", "THEN"]), 1);
        assert_eq!(scenario(&["WHEN", "GIVEN", "THEN"]), 2);
        assert_eq!(scenario(&["GIVEN", "GIVEN", "WHEN", "THEN"]), 1);
        assert_eq!(scenario(&["WHEN", "WHEN", "THEN"]), 1);
        assert_eq!(scenario(&["WHEN", "THEN", "WHEN", "THEN"]), 1);
        assert_eq!(scenario(&["THEN", "WHEN"]), 2);
    }

    #[test]
    fn a_bullet_says_something_in_a_place_of_its_own() {
        let named = |bullet: &str, what: &str| {
            let broken = broken_in(&(sound("A") + bullet));
            assert_eq!(broken.len(), 1, "{broken:?}");
            assert!(broken[0].starts_with("spec.md:6: \"") && broken[0].contains(what), "{broken:?}");
        };
        named("- **AND**\n", "says nothing");
        named("- **AND** .\n", "says nothing");
        named("-\n", "starts with none");
        named("  - **AND** c\n", "is within another bullet");
        named("  **AND** c\n", "or has no dash");
        named("- **AND** it SHALL run\n", "says SHALL");
    }
}
