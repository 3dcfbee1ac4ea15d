//! Runs tests in ways that find what ordinary runs do not: interpreted by Miri, under ThreadSanitizer, and with numbers that
//! `serde_json` keeps as text. The first two need a nightly Rust, which is installed if it is missing.
//!
//! They are not among the steps of `.ci/run`, because each of them compiles everything that it runs once more.

use std::path::Path;

use crate::cargo::{Cargo, spelled};
use crate::layers::table::INNER;
use crate::report::{CouldNotRun, Difference, Verdict};
use crate::rustup::{self, NIGHTLY};
use crate::tools::{self, NEXTEST};
use crate::workspace::metadata;

/// The facade has no code of its own.
const FACADE: &str = "drawloom";
/// Unit tests that Miri does not run. It interprets a million times more slowly than a machine runs, and has no processes
/// and no file locks.
const NOT_FOR_MIRI: &[(&str, &str)] = &[];
/// The cases of a property under Miri.
const MIRI_CASES: &str = "4";
/// The only target of ThreadSanitizer that every machine of the project has.
const THREADS_TARGET: &str = "x86_64-unknown-linux-gnu";

/// `cargo xtask miri`.
pub(crate) fn miri(root: &Path) -> Result<Verdict, CouldNotRun> {
    let nightly = rustup::toolchain_with(root, NIGHTLY, &["miri", "rust-src"])?;
    let mut arguments = vec!["miri", "test", "--locked", "--lib"];
    arguments.extend(inner_packages());
    arguments.push("--");
    arguments.extend(NOT_FOR_MIRI.iter().flat_map(|(test, _)| ["--skip", test]));
    // Properties look for their files of regressions, so the tests see the folder that they run in.
    let variables = [
        ("MIRIFLAGS", "-Zmiri-disable-isolation"),
        ("PROPTEST_CASES", MIRI_CASES),
        ("PROPTEST_MAX_SHRINK_ITERS", "0"),
    ];
    verdict("miri", root, &nightly, &arguments, &variables)
}

/// `cargo xtask threads`.
pub(crate) fn threads(root: &Path, cargo: &Cargo) -> Result<Verdict, CouldNotRun> {
    let nightly = rustup::toolchain_with(root, NIGHTLY, &["rust-src"])?;
    let target = metadata(root, cargo)?.target_directory.join("threads");
    // The standard library is compiled too: what synchronises in it would be unknown to the sanitizer otherwise.
    let common =
        ["test", "--locked", "-Zbuild-std", "--target", THREADS_TARGET, "--target-dir", target.as_str()];
    let steps: [&[&str]; 2] = [
        &["--package", "drawloom-workbench", "--test", "threads"],
        &["--package", "drawloom-consent", "--lib", "--", "threads"],
    ];
    let variables = [("RUSTFLAGS", "-Zsanitizer=thread"), ("TSAN_OPTIONS", "halt_on_error=1")];
    for step in steps {
        let arguments = [&common[..], step].concat();
        let verdict = verdict("threads", root, &nightly, &arguments, &variables)?;
        if !matches!(verdict, Verdict::Holds(_)) {
            return Ok(verdict);
        }
    }
    Ok(Verdict::Holds("threads: passed".to_owned()))
}

/// `cargo xtask numbers`.
pub(crate) fn numbers(root: &Path, cargo: &Cargo) -> Result<Verdict, CouldNotRun> {
    NEXTEST.ensure(root, cargo)?;
    let target = metadata(root, cargo)?.target_directory.join("numbers");
    // One crate that switches the feature on does so for all of them.
    let mut arguments = vec![
        "nextest",
        "run",
        "--locked",
        "--features",
        "serde_json/arbitrary_precision",
        "--target-dir",
        target.as_str(),
    ];
    arguments.extend(inner_packages());
    arguments.extend([
        "--package",
        "drawloom-replay",
        "--package",
        "drawloom-tests",
        "--test",
        "scenarios",
        "--test",
        "properties",
        "--lib",
    ]);
    // Compile-time scenarios compile against a workspace of their own, without the feature.
    arguments.extend(["--filterset", "not test(/commands_as_types/)"]);
    tools::in_order(root, cargo, "numbers", &[&arguments])
}

fn inner_packages<'a>() -> impl Iterator<Item = &'a str> {
    INNER.iter().filter(|name| **name != FACADE).flat_map(|name| ["--package", name])
}

fn verdict(
    check: &'static str,
    root: &Path,
    cargo: &Cargo,
    arguments: &[&str],
    variables: &[(&str, &str)],
) -> Result<Verdict, CouldNotRun> {
    let mut differences = Vec::new();
    if !cargo.show_with(root, arguments, variables)?.success() {
        differences.push(Difference::nowhere(format!("`{}` failed", spelled(arguments))));
    }
    Ok(Verdict::of(check, differences, format!("{check}: passed")))
}
