//! Reads a `spec.md`: its purpose, its requirements and their scenarios. Text that belongs to none of them, or that no
//! test would be bound to, is a difference; whether what was read is a good spec is for `rules`.

use std::path::{Path, PathBuf};

use super::markdown::{Form, Kind, Step, blocks};
use crate::report::{Difference, Place};

#[derive(Debug, PartialEq)]
pub(crate) struct Spec {
    /// The name of the spec's directory.
    pub(crate) capability: String,
    pub(crate) file: PathBuf,
    /// The text of the section `## Purpose`, which states the assumptions of all scenarios.
    pub(crate) purpose: String,
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

/// Whether a text says SHALL, as a word of its own.
pub(super) fn says_shall(text: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric()).any(|word| word == "SHALL")
}

/// Reads one spec, and what is lost of it.
pub(crate) fn parse(capability: &str, file: &Path, text: &str) -> (Spec, Vec<Difference>) {
    let mut reader = Reader {
        file: file.to_path_buf(),
        purpose: String::new(),
        requirements: Vec::new(),
        within: Within::Start,
        differences: Vec::new(),
    };
    for block in blocks(text.trim_start_matches('\u{feff}')) {
        match block.kind {
            Kind::Heading { level, title } => reader.heading(block.line, level, &title),
            Kind::Text { text, steps, form } => reader.text(block.line, &text, steps, form),
            Kind::Lost(lost) => reader.differs(block.line, lost.advice()),
        }
    }
    reader.close();
    let spec = Spec {
        capability: capability.to_owned(),
        file: file.to_path_buf(),
        purpose: reader.purpose,
        requirements: reader.requirements,
    };
    (spec, reader.differences)
}

struct Reader {
    file: PathBuf,
    purpose: String,
    requirements: Vec<Requirement>,
    within: Within,
    differences: Vec<Difference>,
}

/// What the next line of text belongs to.
enum Within {
    /// Before the first heading.
    Start,
    /// The title of the file, or a section that is not known.
    Elsewhere,
    Purpose,
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
    Purpose,
    Requirements,
    Other,
}

impl<'a> Title<'a> {
    fn of(title: &'a str) -> Self {
        let Some((keyword, name)) = title.split_once(':') else {
            return match title.to_ascii_lowercase().as_str() {
                "purpose" => Self::Purpose,
                "requirements" => Self::Requirements,
                _ => Self::Other,
            };
        };
        match keyword.trim_end().to_ascii_lowercase().as_str() {
            "requirement" => Self::Requirement(name.trim()),
            "scenario" => Self::Scenario(name.trim()),
            _ => Self::Other,
        }
    }
}

impl Reader {
    fn heading(&mut self, line: usize, level: usize, title: &str) {
        self.close();
        let in_requirement =
            matches!(self.within, Within::Requirement | Within::Interlude | Within::Scenario(_));
        let place = Place::new(&self.file, line);
        match (Title::of(title), level) {
            (Title::Requirement(name), 3) => {
                let name = name.to_owned();
                let (text, scenarios) = (String::new(), Vec::new());
                self.requirements.push(Requirement { name, place, text, scenarios });
                self.within = Within::Requirement;
            }
            (Title::Scenario(name), 4) if in_requirement => {
                let name = name.to_owned();
                self.within = Within::Scenario(Scenario { name, place, steps: Vec::new() });
            }
            (Title::Scenario(name), 4) => {
                self.differs(line, format!("scenario \"{name}\" is outside a requirement; move it into one"));
            }
            (Title::Requirement(_), _) => {
                self.differs(line, format!("\"{title}\" is at level {level}; write a requirement with ###"));
                self.within = Within::Interlude;
            }
            (Title::Scenario(_), _) => {
                self.differs(line, format!("\"{title}\" is at level {level}; write a scenario with ####"));
                self.within = Within::Interlude;
            }
            (Title::Purpose, 2) => {
                if !self.purpose.is_empty() {
                    self.differs(line, "a second purpose; keep one");
                }
                self.within = Within::Purpose;
            }
            (Title::Requirements, 2) => self.within = Within::Requirements,
            (_, 1) if matches!(self.within, Within::Start) => self.within = Within::Elsewhere,
            (_, 3) => {
                self.differs(line, format!("\"{title}\" is no requirement; write \"### Requirement: …\""));
                self.within = Within::Elsewhere;
            }
            (_, 4) => {
                self.differs(line, format!("\"{title}\" is no scenario; write \"#### Scenario: …\""));
                self.within = if in_requirement { Within::Interlude } else { Within::Elsewhere };
            }
            _ => {
                let what = format!(
                    "\"{title}\" is no heading of a spec; it has a title, \"## Purpose\", \"## Requirements\", \
                     requirements and scenarios"
                );
                self.differs(line, what);
                self.within = Within::Elsewhere;
            }
        }
    }

    fn text(&mut self, line: usize, text: &str, steps: Vec<Step>, form: Form) {
        match &mut self.within {
            Within::Scenario(scenario) => {
                scenario.steps.extend(steps);
                if form == Form::Prose {
                    self.differs(line, "a scenario holds only bullets; write this as one, or remove it");
                }
                return;
            }
            Within::Requirement => {
                if let Some(requirement) = self.requirements.last_mut() {
                    requirement.text.push_str(text);
                    requirement.text.push('\n');
                }
            }
            Within::Purpose => {
                self.purpose.push_str(text);
                self.purpose.push('\n');
                for (line, _) in (line..).zip(text.lines()).filter(|(_, text)| says_shall(text)) {
                    self.differs(line, "SHALL is outside a requirement; write a requirement");
                }
            }
            Within::Start | Within::Elsewhere | Within::Requirements | Within::Interlude => {
                self.differs(line, "this text is in no purpose, requirement or scenario; move or remove it");
            }
        }
        for step in steps.iter().filter(|step| step.keyword().is_some()) {
            self.differs(step.line, format!("\"{}\" is outside a scenario; move it into one", step.text));
        }
    }

    /// Ends the scenario being read, where one is.
    fn close(&mut self) {
        if !matches!(self.within, Within::Scenario(_)) {
            return;
        }
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

## Purpose

What commands are.

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
        assert_eq!(spec.purpose.trim(), "What commands are.");
        assert_eq!(spec.requirements[0].text.trim(), "A command SHALL run once.");
        assert_eq!(spec.requirements[0].scenarios[1].place, Place::new(Path::new("spec.md"), 17));
    }

    #[test]
    fn headings_and_bullets_in_fences_are_not_read_and_a_fence_differs() {
        let (spec, differences) = read(
            "### Requirement: A\n```\nSHALL\n#### Scenario: no\n```\n\
             #### Scenario: B\n~~~\n- **WHEN** no\n~~~\n- **WHEN** x",
        );
        let code = "this is code, which is bound to no test; write it within the text";
        assert_eq!(differences, [format!("spec.md:2: {code}"), format!("spec.md:7: {code}")]);
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
        assert_eq!(
            differences,
            [
                "spec.md:2: scenario \"A\" is outside a requirement; move it into one",
                "spec.md:3: this text is in no purpose, requirement or scenario; move or remove it",
                "spec.md:3: \"**WHEN** x\" is outside a scenario; move it into one",
            ]
        );
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
    fn every_heading_is_one_of_a_spec() {
        let (_, differences) = read(
            "# Title\n## Purpose\n### Aim\n## Requirements\n### Requirment: A\n### Requirement: B\n#### Scenrio: C\n\
             ##### Notes\n## Notes\n### Anything\n#### Scenario-free\n# Title\n",
        );
        let no_heading = "is no heading of a spec; it has a title, \"## Purpose\", \"## Requirements\", requirements \
                          and scenarios";
        assert_eq!(
            differences,
            [
                "spec.md:3: \"Aim\" is no requirement; write \"### Requirement: …\"",
                "spec.md:5: \"Requirment: A\" is no requirement; write \"### Requirement: …\"",
                "spec.md:7: \"Scenrio: C\" is no scenario; write \"#### Scenario: …\"",
                &format!("spec.md:8: \"Notes\" {no_heading}"),
                &format!("spec.md:9: \"Notes\" {no_heading}"),
                "spec.md:10: \"Anything\" is no requirement; write \"### Requirement: …\"",
                "spec.md:11: \"Scenario-free\" is no scenario; write \"#### Scenario: …\"",
                &format!("spec.md:12: \"Title\" {no_heading}"),
            ]
        );
    }

    #[test]
    fn a_line_that_only_looks_like_a_heading_differs() {
        let not_read =
            "this is not read as a heading; start the line with its marks and put a space after them";
        for text in
            ["####Scenario: B", "> #### Scenario: B", "- #### Scenario: B", "####### Scenario: B", "a\n#B"]
        {
            let (_, differences) = read(&format!("### Requirement: A\n{text}"));
            let line = 1 + text.lines().count();
            assert!(differences.contains(&format!("spec.md:{line}: {not_read}")), "{text}: {differences:?}");
        }
        let (_, differences) = read("### Requirement: A\nIt.\n\n    #### Scenario: B\n");
        assert_eq!(
            differences,
            ["spec.md:4: this is code, which is bound to no test; write it within the text"]
        );
    }

    #[test]
    fn shall_and_bullets_in_the_purpose_and_text_elsewhere_differ() {
        let stray = "this text is in no purpose, requirement or scenario; move or remove it";
        let (_, differences) = read(
            "before\n# A\nb\n## Purpose\nc\nIt SHALL.\n- **GIVEN** d\n## Requirements\ne\n### Requirement: F\n\
             It SHALL.\n- **AND** g\n",
        );
        assert_eq!(
            differences,
            [
                format!("spec.md:1: {stray}"),
                format!("spec.md:3: {stray}"),
                "spec.md:6: SHALL is outside a requirement; write a requirement".to_owned(),
                "spec.md:7: \"**GIVEN** d\" is outside a scenario; move it into one".to_owned(),
                format!("spec.md:9: {stray}"),
                "spec.md:12: \"**AND** g\" is outside a scenario; move it into one".to_owned(),
            ]
        );
        assert_eq!(read("## Purpose\na\n## Purpose\nb").1, ["spec.md:3: a second purpose; keep one"]);
    }

    #[test]
    fn what_is_hidden_or_unbound_in_a_scenario_differs() {
        let scenario = |text| read(&format!("### Requirement: A\n#### Scenario: B\n{text}")).1;
        let only = "a scenario holds only bullets; write this as one, or remove it";
        assert_eq!(scenario("- **WHEN** a\n\nAlways."), [format!("spec.md:5: {only}")]);
        assert_eq!(scenario("**WHEN** a"), [format!("spec.md:3: {only}")]);
        let html = "this is HTML, which can hide text; write plain text";
        assert_eq!(scenario("<!--\n- **WHEN** a\n-->"), [format!("spec.md:3: {html}")]);
        assert_eq!(scenario("- **WHEN** a <!-- b -->"), [format!("spec.md:3: {html}")]);
        let not_read = "this line is not read; remove it";
        assert_eq!(
            scenario("- **WHEN** a\n\n[b]: c\n\n---\n"),
            [5, 7].map(|line| format!("spec.md:{line}: {not_read}"))
        );
    }
}
