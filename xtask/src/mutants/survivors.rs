//! The mutants that no test notices: reads `xtask/mutants.toml`, which says why, and compares it with what a run found.
//!
//! ```toml
//! [[survivor]]
//! part = "authorize"
//! mutant = "crates/drawloom-workbench/src/authorize.rs: replace Cause::as_str -> &'static str with \"\""
//! reason = "why no test can or should notice it"
//! ```
//!
//! A mutant is named as cargo-mutants names it, without line and column, so that an entry outlives other changes of the file.
//! Two mutants of the same name need two entries.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use toml::Spanned;

use crate::report::{CouldNotRun, Difference, Place, read};

/// A mutant that may survive.
#[derive(Debug, PartialEq)]
pub(super) struct Survivor {
    pub(super) part: String,
    pub(super) mutant: String,
    pub(super) reason: String,
    pub(super) place: Place,
}

/// What a run of cargo-mutants found, a line for each mutant.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) caught: Vec<String>,
    pub(super) missed: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    survivor: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    part: String,
    mutant: Spanned<String>,
    reason: String,
}

/// The entries of the file; none where there is no file.
pub(super) fn load(root: &Path, file: &Path) -> Result<Vec<Survivor>, CouldNotRun> {
    if !root.join(file).exists() {
        return Ok(Vec::new());
    }
    let text = read(root, file)?;
    let line = |offset: usize| text.bytes().take(offset).filter(|byte| *byte == b'\n').count() + 1;
    let parsed: File = toml::from_str(&text).map_err(|error| CouldNotRun::Unparsable {
        place: Place::new(file, error.span().map_or(1, |span| line(span.start))),
        detail: error.message().to_owned(),
    })?;
    let survivor = |Entry { part, mutant, reason }: Entry| Survivor {
        part,
        place: Place::new(file, line(mutant.span().start)),
        mutant: mutant.into_inner(),
        reason,
    };
    Ok(parsed.survivor.into_iter().map(survivor).collect())
}

/// What is wrong with the entries, whatever a run finds.
pub(super) fn unsound(survivors: &[Survivor], parts: &[&str]) -> Vec<Difference> {
    let mut differences = Vec::new();
    for Survivor { part, mutant, reason, place } in survivors {
        if !parts.contains(&part.as_str()) {
            let what = format!("no part \"{part}\"; there are: {}", parts.join(", "));
            differences.push(Difference::at(place, what));
        }
        if reason.trim().is_empty() {
            differences.push(Difference::at(place, format!("the reason of \"{mutant}\" is empty; state it")));
        }
    }
    differences
}

/// The mutants of a part that survived without an entry, and the entries whose mutant did not survive.
pub(super) fn compare(survivors: &[Survivor], part: &str, found: &Found) -> Vec<Difference> {
    let mut listed: BTreeMap<&str, Vec<&Survivor>> = BTreeMap::new();
    for survivor in survivors.iter().filter(|survivor| survivor.part == part) {
        listed.entry(&survivor.mutant).or_default().push(survivor);
    }
    let mut differences = Vec::new();
    for mutant in &found.missed {
        let named = name(mutant);
        if listed.get_mut(&*named).and_then(Vec::pop).is_none() {
            let what =
                format!("no test notices \"{mutant}\"; write one, or state a reason in {}", super::SURVIVORS);
            differences.push(Difference::nowhere(what));
        }
    }
    for Survivor { mutant, place, .. } in listed.into_values().flatten() {
        let is_caught = found.caught.iter().any(|caught| name(caught) == *mutant);
        let what = match is_caught {
            true => format!("a test notices \"{mutant}\"; remove the entry"),
            false => format!("there is no mutant \"{mutant}\" that survives; remove the entry"),
        };
        differences.push(Difference::at(place, what));
    }
    differences
}

/// The name of a mutant without its line and column: `a.rs:1:2: replace x` is `a.rs: replace x`.
fn name(mutant: &str) -> String {
    let mut parts = mutant.splitn(4, ':');
    match (parts.next(), parts.next(), parts.next(), parts.next()) {
        (Some(file), Some(line), Some(column), Some(change)) if is_number(line) && is_number(column) => {
            format!("{file}:{change}")
        }
        _ => mutant.to_owned(),
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn survivor(mutant: &str, line: usize) -> Survivor {
        let place = Place::new(Path::new("mutants.toml"), line);
        Survivor { part: "policy".to_owned(), mutant: mutant.to_owned(), reason: "equal".to_owned(), place }
    }

    fn told(survivors: &[Survivor], missed: &[&str], caught: &[&str]) -> Vec<String> {
        let owned = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect();
        let found = Found { caught: owned(caught), missed: owned(missed) };
        compare(survivors, "policy", &found).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_name_has_no_line_and_no_column() {
        assert_eq!(name("a.rs:12:5: replace a::b -> c with d"), "a.rs: replace a::b -> c with d");
        assert_eq!(name("a.rs: replace a::b -> c with d"), "a.rs: replace a::b -> c with d");
    }

    #[test]
    fn listed_survivors_do_not_differ_and_those_of_other_parts_do_not_count() {
        let other = Survivor { part: "ledger".to_owned(), ..survivor("b.rs: replace y", 9) };
        assert_eq!(told(&[survivor("a.rs: replace x", 1), other], &["a.rs:3:4: replace x"], &[]), [""; 0]);
    }

    #[test]
    fn a_survivor_without_an_entry_differs() {
        let what =
            "no test notices \"a.rs:3:4: replace x\"; write one, or state a reason in xtask/mutants.toml";
        assert_eq!(told(&[], &["a.rs:3:4: replace x"], &[]), [what]);
        // Of two with one name, each needs its own.
        let two = ["a.rs:3:4: replace x", "a.rs:5:4: replace x"];
        assert_eq!(told(&[survivor("a.rs: replace x", 1)], &two, &[]).len(), 1);
        assert_eq!(
            told(&[survivor("a.rs: replace x", 1), survivor("a.rs: replace x", 2)], &two, &[]),
            [""; 0]
        );
    }

    #[test]
    fn an_entry_that_is_not_needed_differs() {
        let caught = "mutants.toml:1: a test notices \"a.rs: replace x\"; remove the entry";
        assert_eq!(told(&[survivor("a.rs: replace x", 1)], &[], &["a.rs:3:4: replace x"]), [caught]);
        let gone = "mutants.toml:1: there is no mutant \"a.rs: replace x\" that survives; remove the entry";
        assert_eq!(told(&[survivor("a.rs: replace x", 1)], &[], &[]), [gone]);
    }

    #[test]
    fn an_entry_needs_a_reason_and_a_part_that_there_is() {
        let entry = Survivor { reason: " ".to_owned(), ..survivor("a.rs: replace x", 1) };
        let told: Vec<_> = unsound(&[entry], &["ledger"]).iter().map(ToString::to_string).collect();
        assert_eq!(
            told,
            [
                "mutants.toml:1: no part \"policy\"; there are: ledger",
                "mutants.toml:1: the reason of \"a.rs: replace x\" is empty; state it",
            ]
        );
        assert_eq!(unsound(&[survivor("a.rs: replace x", 1)], &["policy"]), []);
    }
}
