//! `cargo xtask soak`: what only time shows. First the long life of `tests/soak`, with the memory that it holds at
//! intervals; then each fuzz target for a time, on seeds from the cases that the tests play.
//!
//! It is no part of the continuous checks, because it takes as long as it is told to.

mod seeds;

use std::fs;
use std::path::Path;

use cargo_metadata::camino::Utf8Path;

use crate::cargo::Cargo;
use crate::report::{CouldNotRun, Difference, Verdict};
use crate::tools::BOLERO;
use crate::workspace::metadata;

/// A test that a fuzzer feeds, and where it is.
struct Target {
    package: &'static str,
    test: &'static str,
    /// The name of the folder with its seeds.
    seeds: &'static str,
}

const TARGETS: [Target; 6] = [
    Target { package: "drawloom-tests", test: "event::event_text", seeds: "events" },
    Target {
        package: "drawloom-ag-ui",
        test: "calls::model::fuzz::the_ledger_does_as_the_model_does",
        seeds: "sequences",
    },
    Target { package: "drawloom-tests", test: "arguments::argument_text", seeds: "arguments" },
    Target { package: "drawloom-tests", test: "schema::schema_text", seeds: "schemas" },
    Target { package: "drawloom-tests", test: "workbench_file::workbench_file_text", seeds: "workbenches" },
    Target { package: "drawloom-tests", test: "recording::recorded_bytes", seeds: "recordings" },
];

/// How long each part takes, in seconds. Zero leaves the part out.
pub(crate) struct Times {
    pub(crate) life: u64,
    pub(crate) fuzzing: u64,
}

pub(crate) fn check(root: &Path, cargo: &Cargo, times: &Times) -> Result<Verdict, CouldNotRun> {
    let mut differences = Vec::new();
    if times.life > 0 {
        let seconds = times.life.to_string();
        let run = [
            "run",
            "--locked",
            "--profile",
            "fuzz",
            "--package",
            "drawloom-tests",
            "--example",
            "soak",
            "--",
        ];
        let run = run.into_iter().chain([seconds.as_str()]).collect::<Vec<_>>();
        if !cargo.show(root, &run)?.success() {
            differences.push(Difference::nowhere("the long life: see above"));
        }
    }
    if times.fuzzing > 0 {
        BOLERO.ensure(root, cargo)?;
        let folder = metadata(root, cargo)?.target_directory.join("soak");
        seeds::write(root, folder.as_std_path())?;
        for target in &TARGETS {
            if !fuzz(root, cargo, target, &folder, times.fuzzing)? {
                let crashes = folder.join("crashes").join(target.seeds);
                differences.push(Difference::nowhere(format!(
                    "\"{}\" failed on an input in {crashes}",
                    target.test
                )));
            }
        }
    }
    Ok(Verdict::of("soak", differences, "soak: passed".to_owned()))
}

/// Feeds one target for so many seconds, and answers whether it held. The fuzzer says how many inputs it tried.
fn fuzz(
    root: &Path,
    cargo: &Cargo,
    target: &Target,
    folder: &Utf8Path,
    seconds: u64,
) -> Result<bool, CouldNotRun> {
    let corpus = folder.join("corpus").join(target.seeds);
    let crashes = folder.join("crashes").join(target.seeds);
    for folder in [&corpus, &crashes] {
        fs::create_dir_all(folder)
            .map_err(|source| CouldNotRun::Unwritable { path: folder.as_std_path().into(), source })?;
    }
    println!("\n{} for {seconds} s", target.test);
    let time = format!("{seconds}s");
    // All of this code is safe, so the sanitizers have nothing to find, and without them no other toolchain is needed.
    let run = [
        "bolero",
        "test",
        "--package",
        target.package,
        "--engine",
        "libfuzzer",
        "--sanitizer",
        "NONE",
        "--rustc-bootstrap",
        "--corpus-dir",
        corpus.as_str(),
        "--crashes-dir",
        crashes.as_str(),
        "-T",
        &time,
        "-E=-print_final_stats=1",
        "-E=-verbosity=0",
        target.test,
    ];
    Ok(cargo.show(root, &run)?.success())
}
