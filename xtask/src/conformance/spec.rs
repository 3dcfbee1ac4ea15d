//! Reads a `spec.md`: its requirements and their scenarios. Where text would get lost on the way - a heading
//! at the wrong level, a fence nothing closes - that is a difference; whether what was read is a good spec is
//! for `rules`.

use std::path::{Path, PathBuf};

use super::markdown::{Kind, Step, blocks};
use crate::report::{Difference, Place};

#[derive(Debug, PartialEq)]
pub(crate) struct Spec {
    /// The name of the spec's directory.
    pub(crate) capability: String,
    pub(crate) file: PathBuf,
    pub(crate) requirements: Vec<Requirement>,
}

#[derive(Debug, PartialEq)]
pub(crate) struct Requirement {
    pub(crate) name: String,
    pub(crate) place: Place,
    /// The text between the heading and the first scenario.
    pub(crate) text: String,
    pub(crate) scenarios: Vec<Scenario>,
}

#[derive(Debug, PartialEq)]
pub(crate) struct Scenario {
    pub(crate) name: String,
    pub(crate) place: Place,
    pub(crate) steps: Vec<Step>,
}

/// Reads one spec, and what is lost of it.
pub(crate) fn parse(capability: &str, file: &Path, text: &str) -> (Spec, Vec<Difference>) {
    let mut reader = Reader {
        file: file.to_path_buf(),
        requirements: Vec::new(),
        within: Within::Elsewhere,
        differences: Vec::new(),
    };
    for block in blocks(text.trim_start_matches('\u{feff}')) {
        match block.kind {
            Kind::Heading { level, title } => reader.heading(block.line, level, &title),
            Kind::Text { text, steps } => reader.text(&text, steps),
            Kind::UnclosedFence => reader
                .differs(block.line, "this fence is never closed and hides the rest of the spec; close it"),
        }
    }
    reader.close();
    let spec = Spec {
        capability: capability.to_owned(),
        file: file.to_path_buf(),
        requirements: reader.requirements,
    };
    (spec, reader.differences)
}

struct Reader {
    file: PathBuf,
    requirements: Vec<Requirement>,
    within: Within,
    differences: Vec<Difference>,
}

/// What the next line of text belongs to.
enum Within {
    Elsewhere,
    /// The `## Requirements` section, outside any requirement.
    Requirements,
    /// The text of the last requirement.
    Requirement,
    /// The last requirement, after something in it that is not a scenario.
    Interlude,
    Scenario(Scenario),
}

enum Title<'a> {
    Requirement(&'a str),
    Scenario(&'a str),
    Other,
}

impl<'a> Title<'a> {
    fn of(title: &'a str) -> Self {
        let Some((keyword, name)) = title.split_once(':') else { return Self::Other };
        match keyword.trim_end().to_ascii_lowercase().as_str() {
            "requirement" => Self::Requirement(name.trim()),
            "scenario" => Self::Scenario(name.trim()),
            _ => Self::Other,
        }
    }
}

impl Reader {
    fn heading(&mut self, line: usize, level: usize, title: &str) {
        let in_section = !matches!(self.within, Within::Elsewhere);
        let in_requirement = in_section && !matches!(self.within, Within::Requirements);
        match (Title::of(title), level) {
            (Title::Requirement(name), 3) => {
                self.close();
                let place = Place::new(&self.file, line);
                let name = name.to_owned();
                self.requirements.push(Requirement {
                    name,
                    place,
                    text: String::new(),
                    scenarios: Vec::new(),
                });
                self.within = Within::Requirement;
            }
            (Title::Scenario(name), 4) if in_requirement => {
                self.close();
                let place = Place::new(&self.file, line);
                let name = name.to_owned();
                self.within = Within::Scenario(Scenario { name, place, steps: Vec::new() });
            }
            (Title::Scenario(name), 4) => {
                self.differs(line, format!("scenario \"{name}\" is outside a requirement; move it into one"));
            }
            (Title::Requirement(_), _) => {
                self.close();
                self.differs(line, format!("\"{title}\" is at level {level}; write a requirement with ###"));
                self.within = Within::Interlude;
            }
            (Title::Scenario(_), _) => {
                self.close();
                self.differs(line, format!("\"{title}\" is at level {level}; write a scenario with ####"));
                self.within = Within::Interlude;
            }
            (Title::Other, ..=2) => {
                self.close();
                let requirements = title.eq_ignore_ascii_case("requirements");
                self.within = if requirements { Within::Requirements } else { Within::Elsewhere };
            }
            (Title::Other, 3) => {
                self.close();
                if in_section {
                    self.differs(
                        line,
                        format!("\"{title}\" is no requirement; write \"### Requirement: …\""),
                    );
                }
                self.within = if in_section { Within::Requirements } else { Within::Elsewhere };
            }
            (Title::Other, 4) if in_requirement => {
                self.close();
                self.differs(line, format!("\"{title}\" is no scenario; write \"#### Scenario: …\""));
                self.within = Within::Interlude;
            }
            (Title::Other, _) => {}
        }
    }

    fn text(&mut self, text: &str, steps: Vec<Step>) {
        match &mut self.within {
            Within::Scenario(scenario) => scenario.steps.extend(steps),
            Within::Requirement => {
                if let Some(requirement) = self.requirements.last_mut() {
                    requirement.text.push_str(text);
                }
            }
            Within::Elsewhere | Within::Requirements | Within::Interlude => {}
        }
    }

    /// Ends the scenario being read, where one is.
    fn close(&mut self) {
        if let Within::Scenario(scenario) = std::mem::replace(&mut self.within, Within::Interlude)
            && let Some(requirement) = self.requirements.last_mut()
        {
            requirement.scenarios.push(scenario);
        }
    }

    fn differs(&mut self, line: usize, what: impl Into<String>) {
        self.differences.push(Difference::at(&Place::new(&self.file, line), what));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Spec, Vec<String>) {
        let (spec, differences) = parse("commands", Path::new("spec.md"), text);
        (spec, differences.iter().map(ToString::to_string).collect())
    }

    /// `requirement > scenario > bullet`, one line each.
    fn outline(spec: &Spec) -> Vec<String> {
        let mut outline = Vec::new();
        for requirement in &spec.requirements {
            outline.push(requirement.name.clone());
            for scenario in &requirement.scenarios {
                outline.push(format!("> {}", scenario.name));
                outline.extend(scenario.steps.iter().map(|step| format!(">> {}", step.text)));
            }
        }
        outline
    }

    const TWO: &str = "\
# Commands

## Requirements

### Requirement: A command runs once
A command SHALL run once.

#### Scenario: It is called
- **WHEN** it is
  called
- **THEN** it runs

#### Scenario: It is not
- **THEN** it rests

### requirement: Second
#### SCENARIO : Other
- **WHEN** x

## Notes
### Anything
#### Scenario-free
";

    #[test]
    fn requirements_hold_their_scenarios_and_scenarios_their_bullets() {
        let (spec, differences) = read(TWO);
        assert_eq!(differences, [""; 0]);
        assert_eq!(
            outline(&spec),
            [
                "A command runs once",
                "> It is called",
                ">> **WHEN** it is called",
                ">> **THEN** it runs",
                "> It is not",
                ">> **THEN** it rests",
                "Second",
                "> Other",
                ">> **WHEN** x",
            ]
        );
        assert_eq!(spec.requirements[0].text.trim(), "A command SHALL run once.");
        assert_eq!(spec.requirements[0].scenarios[1].place, Place::new(Path::new("spec.md"), 13));
    }

    #[test]
    fn headings_and_bullets_in_fences_are_not_read() {
        let (spec, differences) = read(
            "### Requirement: A\n```\nSHALL\n#### Scenario: no\n```\n\
             #### Scenario: B\n~~~\n- **WHEN** no\n~~~\n- **WHEN** x",
        );
        assert_eq!(differences, [""; 0]);
        assert_eq!(outline(&spec), ["A", "> B", ">> **WHEN** x"]);
        assert_eq!(spec.requirements[0].text.trim(), "");
    }

    #[test]
    fn a_fence_that_hides_the_rest_differs() {
        let (_, differences) = read("### Requirement: A\n```\n#### Scenario: lost");
        assert_eq!(
            differences,
            ["spec.md:2: this fence is never closed and hides the rest of the spec; close it"]
        );
    }

    #[test]
    fn a_scenario_outside_a_requirement_differs() {
        let (spec, differences) = read("## Requirements\n#### Scenario: A\n- **WHEN** x");
        assert_eq!(differences, ["spec.md:2: scenario \"A\" is outside a requirement; move it into one"]);
        assert_eq!(spec.requirements, []);
    }

    #[test]
    fn headings_at_the_wrong_level_differ() {
        let (_, differences) = read("## Requirement: A\n### Scenario: B\n##### Scenario: C");
        assert_eq!(
            differences,
            [
                "spec.md:1: \"Requirement: A\" is at level 2; write a requirement with ###",
                "spec.md:2: \"Scenario: B\" is at level 3; write a scenario with ####",
                "spec.md:3: \"Scenario: C\" is at level 5; write a scenario with ####",
            ]
        );
    }

    #[test]
    fn misspelt_headings_differ_where_requirements_are() {
        let (_, differences) =
            read("### Fine here\n## Requirements\n### Requirment: A\n### Requirement: B\n#### Scenrio: C");
        assert_eq!(
            differences,
            [
                "spec.md:3: \"Requirment: A\" is no requirement; write \"### Requirement: …\"",
                "spec.md:5: \"Scenrio: C\" is no scenario; write \"#### Scenario: …\"",
            ]
        );
    }
}
