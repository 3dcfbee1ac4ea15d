//! The checks of the project itself: `cargo xtask <command>`.
//!
//! Here is the command line and what the exit codes mean. Every check lives in a module of its own and
//! answers a [`Verdict`]; none of them prints or exits.
//!
//! | exit | meaning |
//! | --- | --- |
//! | 0 | the check holds |
//! | 1 | it does not; every difference is named |
//! | 2 | it could not run |

mod cargo;
mod conformance;
mod interop;
mod layers;
mod report;
mod tools;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use cargo::Cargo;
use report::{CouldNotRun, Verdict};

const USAGE: &str = "\
usage: cargo xtask <command>

  conformance                        every scenario of the specs is bound to one test that repeats its text
  conformance --print <capability>   the modules, doc comments and signatures the tests of a spec need
  layers                             the crates depend on each other as designed, and on nothing forbidden
  test                               all tests: cargo nextest (installed if missing), then the doctests
  deny                               cargo deny (installed if missing): bans, licenses and sources
  interop                            real agents: installs them under the target directory, and drives each
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match run(&arguments, &root(), &Cargo::of_the_environment()) {
        Ok(verdict) => verdict.tell(),
        Err(reason) => {
            eprintln!("error: {reason}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &[&str], root: &Path, cargo: &Cargo) -> Result<Verdict, CouldNotRun> {
    match arguments {
        ["conformance"] => conformance::check(root, cargo),
        ["conformance", "--print", capability] => conformance::print(root, capability),
        ["layers"] => layers::check(root, cargo),
        ["test"] => tools::test(root, cargo),
        ["deny"] => tools::deny(root, cargo),
        ["interop"] => interop::check(root, cargo),
        ["help" | "--help" | "-h"] => Ok(Verdict::Holds(USAGE.trim_end().to_owned())),
        _ => Err(CouldNotRun::Usage(USAGE.trim_end())),
    }
}

/// The workspace: the directory above this package. Cargo states it at run time too, and that wins, because a
/// binary can outlive the checkout it was built in.
fn root() -> PathBuf {
    let package = std::env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    package.parent().map_or_else(|| package.clone(), Path::to_path_buf)
}
