//! Running cargo: which one, where, and what a failure says. Not what is asked of it.

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::{Command, ExitStatus, Output, Stdio};

use crate::report::CouldNotRun;

/// A cargo to run. xshell and duct have shorter ways to run a command, but their errors do not tell a command that was not
/// started from one that failed, which are two exit codes here.
#[derive(Debug)]
pub(crate) struct Cargo {
    program: OsString,
    /// What comes before the arguments.
    before: Vec<String>,
}

impl Cargo {
    /// The cargo that started this program, so that a check and the build it looks at share one toolchain.
    pub(crate) fn of_the_environment() -> Self {
        Self { program: std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()), before: Vec::new() }
    }

    /// The cargo of another toolchain that rustup has.
    pub(crate) fn of_toolchain(toolchain: &str) -> Self {
        Self { program: "rustup".into(), before: ["run", toolchain, "cargo"].map(str::to_owned).to_vec() }
    }

    /// Runs cargo with everything it prints shown, and answers how it ended.
    pub(crate) fn show(&self, root: &Path, arguments: &[&str]) -> Result<ExitStatus, CouldNotRun> {
        self.show_with::<&str>(root, arguments, &[])
    }

    /// Like [`show`](Self::show), with these variables in its environment.
    pub(crate) fn show_with<T: AsRef<OsStr> + Copy>(
        &self,
        root: &Path,
        arguments: &[&str],
        variables: &[(&str, T)],
    ) -> Result<ExitStatus, CouldNotRun> {
        let mut command = self.command(root, arguments);
        command.envs(variables.iter().copied());
        command.status().map_err(|source| not_started(arguments, source))
    }

    /// Runs cargo and answers its standard output; what it prints beside that is shown.
    pub(crate) fn read(&self, root: &Path, arguments: &[&str]) -> Result<String, CouldNotRun> {
        let Output { status, stdout, .. } = self
            .command(root, arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .output()
            .map_err(|source| not_started(arguments, source))?;
        if !status.success() {
            // A build that breaks explains itself there when cargo was asked for machine-readable output.
            eprint!("{}", String::from_utf8_lossy(&stdout));
            return Err(CouldNotRun::CommandFailed { command: spelled(arguments), status });
        }
        String::from_utf8(stdout).map_err(|source| CouldNotRun::Unintelligible {
            command: spelled(arguments),
            detail: source.to_string(),
        })
    }

    /// Whether `cargo <subcommand>` exists: it answers its version.
    pub(crate) fn has(&self, root: &Path, subcommand: &str) -> Result<bool, CouldNotRun> {
        let arguments = [subcommand, "--version"];
        let output =
            self.command(root, &arguments).output().map_err(|source| not_started(&arguments, source))?;
        Ok(output.status.success())
    }

    fn command(&self, root: &Path, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.before).args(arguments).current_dir(root);
        for (variable, _) in std::env::vars_os().filter(|(variable, _)| describes_a_package(variable)) {
            command.env_remove(variable);
        }
        command
    }
}

/// Whether cargo set the variable to describe the package that it runs, which is this one. Build scripts that look at
/// such variables would run anew each time cargo is called now from here and now from a shell, and all that depends on
/// them would be built again.
fn describes_a_package(variable: &OsStr) -> bool {
    let variable = variable.to_string_lossy();
    variable.starts_with("CARGO_PKG_") || variable.starts_with("CARGO_MANIFEST_")
}

/// The command as a person would type it.
pub(crate) fn spelled(arguments: &[&str]) -> String {
    format!("cargo {}", arguments.join(" "))
}

fn not_started(arguments: &[&str], source: std::io::Error) -> CouldNotRun {
    CouldNotRun::NotStarted { command: spelled(arguments), source }
}
