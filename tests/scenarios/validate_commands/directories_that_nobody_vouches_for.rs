//! The check SHALL report what it cannot judge and SHALL NOT crash.

use drawloom_validate::{Report, Rule, Validation, ValidationLimits};

use super::support::{Sources, only};

const SOUND: &str = "fn command() -> Command { Command::new(\"notes.open\", \"Title\") }";

/// What is reported beside the commands: the file, the line and the rule.
fn reported(report: &Report) -> Vec<(&str, usize, Rule)> {
    let problems = report.problems.iter();
    let mut reported: Vec<_> = problems
        .filter_map(|problem| {
            let location = problem.location.as_ref()?;
            Some((&*location.path, location.line, problem.rule))
        })
        .collect();
    reported.sort();
    reported
}

/// - **GIVEN** a file that is not Rust, one that is not UTF-8, and a sound file.
/// - **WHEN** the directory is judged.
/// - **THEN** the first two are reported with the reason, the first with its line, and the commands of the third are
///   judged.
#[test]
fn files_that_do_not_parse() {
    let sources = Sources::new(&[("a.rs", "fn a() {}\nfn fn"), ("c.rs", SOUND), ("d.rs", "fn d() {\n(]")]);
    sources.write("b.rs", b"// \xff\n");
    let report = sources.report();
    let unreadable = Rule::UnreadableFile;
    assert_eq!(
        reported(&report),
        [("a.rs", 2, unreadable), ("b.rs", 0, unreadable), ("d.rs", 2, unreadable)]
    );
    assert!(report.problems.iter().any(|problem| problem.message.contains("UTF-8")), "{report:#?}");
    assert_eq!(only(&report).command.as_deref(), Some("notes.open"));
}

/// - **GIVEN** a file with 20,000 nested parentheses, one with 20,000 nested generic types and one with a chain of
///   20,000 method calls.
/// - **WHEN** the directory is judged.
/// - **THEN** each is reported as not judged because it nests too deeply.
#[test]
fn deep_nesting() {
    let deep = |part: &str| part.repeat(20_000);
    let brackets = format!("fn a() {{ {}1{} }}", deep("("), deep(")"));
    let types = format!("type A = {}u8{};", deep("B<u8, "), deep(">"));
    let calls = format!("fn a() {{ a{}; }}", deep(".b(c)"));
    let not = format!("fn a() {{ {}true; }}", deep("!"));
    let closures = format!("fn a() {{ {}1; }}", deep("|a, b| "));
    let report = Sources::new(&[
        ("a.rs", &brackets),
        ("b.rs", &types),
        ("c.rs", &calls),
        ("d.rs", &not),
        ("e.rs", &closures),
        ("sound.rs", SOUND),
    ])
    .report();
    let not_judged = ["a.rs", "b.rs", "c.rs", "d.rs", "e.rs"].map(|name| (name, 0, Rule::NotJudged));
    assert_eq!(reported(&report), not_judged);
    assert!(report.problems.iter().all(|problem| problem.message.contains("too deeply")), "{report:#?}");
    assert_eq!(report.findings.len(), 1);
}

/// - **GIVEN** a link to a file outside the directory, a link to the directory itself, and a named pipe `pipe.rs`.
/// - **WHEN** the directory is judged.
/// - **THEN** each is reported and none is opened.
#[test]
#[cfg(unix)]
fn links_and_special_files() {
    use std::os::unix::fs::symlink;
    use std::process::Command;

    let outside = Sources::new(&[("secret.rs", "fn a() -> Command { Command::new(\"secret\", \"T\") }")]);
    let sources = Sources::new(&[("a/sound.rs", SOUND)]);
    symlink(outside.path("secret.rs"), sources.path("outside.rs")).unwrap();
    symlink(sources.path(""), sources.path("a/again")).unwrap();
    symlink(sources.path("a/sound.rs"), sources.path("inside.rs")).unwrap();
    assert!(Command::new("mkfifo").arg(sources.path("pipe.rs")).status().unwrap().success());

    let report = sources.report();
    let (link, file) = (Rule::LinkNotFollowed, Rule::UnreadableFile);
    let expected =
        [("a/again", 0, link), ("inside.rs", 0, link), ("outside.rs", 0, link), ("pipe.rs", 0, file)];
    assert_eq!(reported(&report), expected);
    let pipe = report.problems.iter().find(|problem| problem.rule == file).unwrap();
    assert!(pipe.message.contains("was not opened"), "{pipe:?}");
    assert_eq!(only(&report).command.as_deref(), Some("notes.open"));
}

/// - **GIVEN** limits of 1,000 bytes for a file, 3 files and 1,500 bytes in all, and directories that exceed one of them
///   each.
/// - **WHEN** each is judged.
/// - **THEN** what lies beyond the limit is reported as not judged.
#[test]
fn limits() {
    let limits = ValidationLimits::default().with_file_bytes(1_000).with_files(3).with_total_bytes(1_500);
    let text = |bytes: usize| "/".repeat(bytes);
    let judged = |sizes: &[usize]| {
        let sources = Sources::new(&[]);
        for (number, bytes) in sizes.iter().enumerate() {
            sources.write(&format!("{number}.rs"), text(*bytes).as_bytes());
        }
        let report = Validation::of_directory(sources.path("")).limits(limits).run().unwrap();
        let names: Vec<String> =
            reported(&report).iter().map(|(name, _, rule)| format!("{name} {rule}")).collect();
        (report.files, names)
    };
    assert_eq!(judged(&[1_000, 500]), (2, vec![]));
    assert_eq!(judged(&[1_001, 10]), (1, vec!["0.rs not-judged".to_owned()]));
    assert_eq!(judged(&[10, 10, 10, 10]), (3, vec!["3.rs not-judged".to_owned()]));
    assert_eq!(judged(&[900, 700, 10]), (2, vec!["1.rs not-judged".to_owned()]));
}
