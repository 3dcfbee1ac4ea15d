//! The checks of the project itself: `cargo xtask <command>`.
//!
//! Here is the command line and what the exit codes mean. Every check lives in a module of its own and
//! returns a [`Verdict`]; none of them exits.
//!
//! | exit | meaning |
//! | --- | --- |
//! | 0 | the check holds |
//! | 1 | it does not; every difference is named |
//! | 2 | it could not run |

mod api;
mod cargo;
mod conformance;
mod features;
mod instrumented;
mod interop;
mod layers;
mod mutants;
mod package;
mod report;
mod rustup;
mod soak;
mod tools;
mod windows;
mod workspace;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use cargo::Cargo;
use clap::{Parser, Subcommand};
use report::{CouldNotRun, Verdict};

/// The checks of the drawloom project itself.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Xtask {
    #[command(subcommand)]
    check: Check,
}

#[derive(Subcommand)]
enum Check {
    /// Checks that every scenario of the specifications is bound to one test that repeats its text
    Conformance {
        /// Prints the modules, doc comments and signatures that the tests of this capability need
        #[arg(long, value_name = "CAPABILITY")]
        print: Option<String>,
    },
    /// Checks that the crates depend on each other as designed, and on nothing forbidden
    Layers,
    /// Changes the code that decides about commands, and checks that a test notices each change (cargo mutants, installed if
    /// missing); takes hours, so `.ci/run` leaves it out
    Mutants {
        /// Runs only this part; may be repeated
        #[arg(long = "part", value_name = "PART")]
        parts: Vec<String>,
    },
    /// Runs all tests: cargo nextest (installed if missing), then the doctests
    Test,
    /// Runs cargo deny (installed if missing): bans, licenses and sources
    Deny,
    /// Runs the tests on real agents, which are installed under the target directory
    Interop,
    /// Lints every combination of features (cargo hack, installed if missing)
    Features,
    /// Checks that the binary compiles for x86_64-pc-windows-gnu (the target and the C compiler are installed if missing)
    Windows,
    /// Checks that the inner crates build for wasm32-unknown-unknown (the target is installed if missing)
    Wasm,
    /// Checks that the inner crates build with the oldest Rust that they state (installed if missing)
    Msrv,
    /// Runs the unit tests of the inner crates in Miri (a nightly Rust is installed if missing)
    Miri,
    /// Runs the tests of the seam with several threads under ThreadSanitizer (a nightly Rust is installed if missing)
    Threads,
    /// Runs the tests of numbers with the feature arbitrary_precision of serde_json
    Numbers,
    /// Checks that the packages are complete, and that they build and document by themselves
    Package,
    /// Runs what only time shows: a long life with its memory, and the fuzz targets (cargo bolero is installed if missing)
    Soak {
        /// How long the long life takes at least; 0 leaves it out
        #[arg(long, value_name = "SECONDS", default_value_t = 60)]
        life: u64,
        /// How long each fuzz target is fed; 0 leaves them out
        #[arg(long, value_name = "SECONDS", default_value_t = 60)]
        fuzzing: u64,
    },
    /// Checks that the public API is the one in docs/api (a nightly Rust is installed if missing)
    Api {
        /// Writes the public API to docs/api instead
        #[arg(long)]
        bless: bool,
    },
}

fn main() -> ExitCode {
    match run(Xtask::parse().check, &root(), &Cargo::of_the_environment()) {
        Ok(verdict) => verdict.tell(),
        Err(reason) => {
            eprintln!("error: {reason}");
            ExitCode::from(2)
        }
    }
}

fn run(check: Check, root: &Path, cargo: &Cargo) -> Result<Verdict, CouldNotRun> {
    match check {
        Check::Conformance { print: None } => conformance::check(root, cargo),
        Check::Conformance { print: Some(capability) } => conformance::print(root, &capability),
        Check::Layers => layers::check(root, cargo),
        Check::Mutants { parts } => mutants::check(root, cargo, &parts),
        Check::Test => tools::test(root, cargo),
        Check::Deny => tools::deny(root, cargo),
        Check::Interop => interop::check(root, cargo),
        Check::Features => features::features(root, cargo),
        Check::Windows => windows::check(root, cargo),
        Check::Wasm => features::wasm(root, cargo),
        Check::Msrv => features::msrv(root, cargo),
        Check::Miri => instrumented::miri(root),
        Check::Threads => instrumented::threads(root, cargo),
        Check::Numbers => instrumented::numbers(root, cargo),
        Check::Package => package::check(root, cargo),
        Check::Soak { life, fuzzing } => soak::check(root, cargo, &soak::Times { life, fuzzing }),
        Check::Api { bless } => api::check(root, cargo, bless),
    }
}

/// The workspace: the directory above this package. Cargo states it at run time too, and that wins, because a
/// binary can outlive the checkout it was built in.
fn root() -> PathBuf {
    let package = std::env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    package.parent().map_or_else(|| package.clone(), Path::to_path_buf)
}
