//! What `cargo xtask` tells its caller: 0 where a check holds, 1 where it does not, 2 where it could not run,
//! and a message for each. The project and the cargo it asks are stand-ins; what a check looks at is tested
//! beside it.
#![cfg(unix)] // The stand-in for cargo is a shell script.
#![expect(clippy::unwrap_used, reason = "a stand-in that cannot be set up fails its test")]

use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

/// A project in which the check named by the test holds until a file is changed.
struct Project(TempDir);

const SPEC: &str = "openspec/specs/commands/spec.md";
const SCENARIOS: &str = "tests/scenarios/main.rs";

impl Project {
    fn sound() -> Self {
        let project = Self(tempfile::tempdir().unwrap());
        let built = project.artifact("a", SCENARIOS);
        project
            .file(SPEC, "### Requirement: Run\nIt SHALL.\n#### Scenario: Once\n- **WHEN** a\n- **THEN** b\n")
            .file(SCENARIOS, "mod commands;")
            .file(
                "tests/scenarios/commands.rs",
                "mod run {\n//! It SHALL.\n/// - **WHEN** a\n/// - **THEN** b\n#[test]\nfn once() {}\n}\n",
            )
            .file("tests/Cargo.toml", "[[test]]\nname = \"scenarios\"\n")
            .file("cargo/built", &built)
            .binary("a", "commands::run::once: test\n")
            .file("cargo/metadata", &metadata("drawloom-command"))
            .file("cargo/nextest", "cargo-nextest 0.9.143\n")
            .file("cargo/run", "")
            .file("cargo/doctests", "")
            .file("cargo/deny", "cargo-deny 0.20.2\n")
            .file("cargo/denied", "")
            .file("cargo/hack", "cargo-hack 0.6.46\n")
            .file("cargo/hacked", "")
            .file("rust-toolchain.toml", "[toolchain]\nchannel = \"1.95.0\"\n")
    }

    fn file(self, name: &str, text: &str) -> Self {
        let path = self.0.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
        self
    }

    /// What cargo says of a test binary whose root is this, which it has built as `cargo/<name>`.
    fn artifact(&self, name: &str, main: &str) -> String {
        let root = self.0.path().to_str().unwrap();
        format!(
            r#"{{"reason": "compiler-artifact", "package_id": "p", "manifest_path": "{root}/tests/Cargo.toml", "target":
            {{"kind": ["test"], "crate_types": ["bin"], "name": "scenarios", "src_path": "{root}/{main}", "edition": "2024",
            "doctest": false, "test": true}}, "profile": {{"opt_level": "0", "debug_assertions": true, "overflow_checks":
            true, "test": true}}, "features": [], "filenames": [], "executable": "{root}/cargo/{name}", "fresh": true}}"#
        )
        .replace('\n', " ")
            + "\n"
    }

    /// A stand-in for a test binary that lists these tests, and the file `<name>-ignored` as those that are ignored.
    fn binary(self, name: &str, tests: &str) -> Self {
        let project =
            self.file(&format!("cargo/{name}-list"), tests).file(&format!("cargo/{name}-ignored"), "");
        let stand_in = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/binary");
        std::os::unix::fs::symlink(stand_in, project.0.path().join("cargo").join(name)).unwrap();
        project
    }

    fn without(self, name: &str) -> Self {
        std::fs::remove_file(self.0.path().join(name)).unwrap();
        self
    }

    fn asked(&self) -> String {
        std::fs::read_to_string(self.0.path().join("cargo/asked")).unwrap()
    }

    /// Where programs are looked for: where the project has some, nowhere else.
    fn path(&self) -> std::ffi::OsString {
        let own = self.0.path().join("bin");
        if own.exists() { own.into() } else { std::env::var_os("PATH").unwrap() }
    }

    /// A project whose agents need Python and Node, for both of which there are stand-ins.
    fn with_agents() -> Self {
        let project = Self::sound();
        let target = project.0.path().join("target");
        let project = project
            .file("cargo/metadata", &metadata_in("drawloom-command", &target))
            .file("crates/drawloom-cli/tests/interop/agents/requirements.txt", "pydantic==1.0\n")
            .file("crates/drawloom-cli/tests/interop/node/package.json", "{}")
            .file("crates/drawloom-cli/tests/interop/node/package-lock.json", "{}");
        project.with_programs(&["python3", "node", "npm"], &["cat", "cp", "mkdir"])
    }

    /// A project with a stand-in for rustup.
    fn with_rustup() -> Self {
        Self::sound().with_programs(&["rustup"], &["cat"])
    }

    /// Adds stand-ins for programs, and what the stand-ins themselves use.
    fn with_programs(self, programs: &[&str], tools: &[&str]) -> Self {
        let project = self.file("bin/README", "");
        let stand_in = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/program");
        let programs = programs.iter().map(|name| (name, stand_in.clone()));
        let tools = tools.iter().map(|name| (name, Path::new("/bin").join(name)));
        for (name, program) in programs.chain(tools) {
            std::os::unix::fs::symlink(program, project.0.path().join("bin").join(name)).unwrap();
        }
        project
    }

    /// What was asked after the folder of the project is left out.
    fn asked_here(&self) -> String {
        self.asked().replace(self.0.path().to_str().unwrap(), "")
    }

    /// Runs xtask here: its exit code, and what it printed to either stream.
    fn xtask(&self, arguments: &[&str]) -> (i32, String, String) {
        let fake = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/cargo");
        let Output { status, stdout, stderr } = Command::new(env!("CARGO_BIN_EXE_xtask"))
            .args(arguments)
            .env("CARGO", fake)
            .env("FAKE_CARGO", self.0.path().join("cargo"))
            .env("CARGO_MANIFEST_DIR", self.0.path().join("xtask"))
            .env("PATH", self.path())
            .env_remove("DRAWLOOM_INTEROP_PYTHON")
            .output()
            .unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (status.code().unwrap(), text(stdout), text(stderr))
    }

    fn holds(&self, arguments: &[&str], summary: &str) {
        let (code, stdout, stderr) = self.xtask(arguments);
        assert_eq!((code, stdout.lines().last()), (0, Some(summary)), "{stderr}");
    }

    fn differs(&self, arguments: &[&str], told: &str) {
        let (code, stdout, stderr) = self.xtask(arguments);
        let stderr = stderr.replace(self.0.path().to_str().unwrap(), "HERE");
        assert_eq!((code, stderr.as_str()), (1, told), "{stdout}");
    }

    fn cannot_run(&self, arguments: &[&str], told: &str) {
        let (code, stdout, stderr) = self.xtask(arguments);
        assert!(code == 2 && stderr.contains(told), "{code}: {stdout}{stderr}");
    }
}

fn metadata(member: &str) -> String {
    metadata_in(member, Path::new("/w/target"))
}

fn metadata_in(member: &str, target: &Path) -> String {
    format!(
        r#"{{"packages": [{{"id": "m", "name": "{member}", "version": "1.0.0", "dependencies": [], "features": {{}},
            "manifest_path": "/w/Cargo.toml", "targets": [], "rust_version": "1.91"}}],
            "workspace_members": ["m"], "workspace_root": "/w", "target_directory": {target:?},
            "resolve": {{"nodes": []}}, "version": 1}}"#
    )
}

#[test]
fn conformance_holds() {
    let project = Project::sound();
    project.holds(&["conformance"], "conformance: 1 scenarios in 1 specs, each bound to one test");
    let build =
        "test --locked --workspace --test scenarios --no-run --message-format json-render-diagnostics\n";
    assert_eq!(project.asked(), build);
}

#[test]
fn conformance_counts_what_is_ignored_for_a_reason() {
    let exception = "[[ignored]]\ntest = \"commands::run::once\"\nreason = \"needs a screen\"\n";
    let project = Project::sound()
        .file("cargo/a-ignored", "commands::run::once: test\n")
        .file("openspec/conformance-exceptions.toml", exception);
    let summary =
        "conformance: 1 scenarios in 1 specs, each bound to one test; 1 ignored for a stated reason";
    project.holds(&["conformance"], summary);
}

#[test]
fn conformance_names_every_difference_by_its_place() {
    let project = Project::sound()
        .file("openspec/specs/consent/spec.md", "### Requirement: Ask\n#### Scenario: Twice\n- **WHEN** a\n")
        .file("openspec/specs/con-sent/spec.md", "### Requirement: Ask\nIt SHALL.\n")
        .file("openspec/specs/con_sent/spec.md", "### Requirement: Ask\nIt SHALL.\n");
    project.differs(
        &["conformance"],
        "\
openspec/specs/con-sent/spec.md:1: requirement \"Ask\" has no scenario; add one
openspec/specs/con_sent/spec.md:1: capability \"con_sent\" has the name of the one at \
openspec/specs/con-sent/spec.md:1; name it otherwise
openspec/specs/con_sent/spec.md:1: requirement \"Ask\" has no scenario; add one
openspec/specs/consent/spec.md:1: requirement \"Ask\" does not say SHALL before its scenarios
openspec/specs/consent/spec.md:2: scenario \"Twice\" has no \"- **THEN** …\"
openspec/specs/consent/spec.md:2: scenario \"Twice\" has no test \"consent::ask::twice\"; \
`cargo xtask conformance --print consent` prints what it has to be
conformance: 6 differences
",
    );
}

#[test]
fn conformance_cannot_run_without_specs_tests_or_a_build() {
    let project = Project::sound().without(SPEC);
    project.cannot_run(&["conformance"], "spec.md\": No such file");
    let empty = project.0.path().join("openspec/specs");
    std::fs::remove_dir(empty.join("commands")).unwrap();
    project.cannot_run(&["conformance"], "add one as openspec/specs/<capability>/spec.md");
    std::fs::remove_dir(empty).unwrap();
    project.cannot_run(&["conformance"], "error: cannot read ");

    Project::sound().file(SCENARIOS, "mod gone;").cannot_run(&["conformance"], "gone.rs\": No such file");
    Project::sound()
        .without("cargo/built")
        .cannot_run(&["conformance"], "diagnostics` failed (exit status: 1)");
    Project::sound()
        .without("cargo/a-ignored")
        .cannot_run(&["conformance"], "--ignored` failed (exit status: 1); see its output");
    Project::sound()
        .file("cargo/a-list", "1 test\n")
        .cannot_run(&["conformance"], "--format terse`: unexpected line \"1 test\"");
    Project::sound().without("cargo/a").cannot_run(&["conformance"], "cannot start `");
}

/// The scenario has no test in the declared binary, and one in another binary with the name of the declared ones.
#[test]
fn conformance_counts_only_the_declared_binaries() {
    let project = Project::sound();
    let built = project.artifact("a", SCENARIOS) + &project.artifact("b", "crates/b/tests/scenarios.rs");
    let project = project
        .file("cargo/built", &built)
        .file("cargo/a-list", "")
        .binary("b", "commands::run::once: test\n");
    project.differs(
        &["conformance"],
        "\
crates/b/tests/scenarios.rs: a test binary \"scenarios\" that xtask/src/conformance/binaries.rs does not declare; declare or \
rename it
openspec/specs/commands/spec.md:3: scenario \"Once\" has no test \"commands::run::once\"; the one at \
tests/scenarios/commands.rs:6 is not compiled into the test binary
conformance: 2 differences
",
    );
}

#[test]
fn conformance_counts_only_binaries_with_the_usual_harness() {
    Project::sound().file("tests/Cargo.toml", "[[test]]\nname = \"scenarios\"\nharness = false\n").differs(
        &["conformance"],
        "\
openspec/specs/commands/spec.md:3: scenario \"Once\" has no test \"commands::run::once\"; the one at \
tests/scenarios/commands.rs:6 is not compiled into the test binary
tests/Cargo.toml: the test binary \"scenarios\" has harness = false and may list what it likes; remove that
conformance: 2 differences
",
    );
}

/// The binary has a test of the right name, and its source is one that is never compiled.
#[test]
fn conformance_refuses_what_stands_in_for_a_test() {
    let doc = "/// - **WHEN** a\n/// - **THEN** b\n";
    let twin = format!(
        "mod run {{\n//! It SHALL.\n{doc}#[cfg(any())]\n#[test]\nfn once() {{}}\n{doc}#[test]\nfn once() {{}}\n}}\n"
    );
    Project::sound().file("tests/scenarios/commands.rs", &twin).differs(
        &["conformance"],
        "tests/scenarios/commands.rs:11: test \"commands::run::once\" is also at tests/scenarios/commands.rs:7, and only \
         one of the two is compiled; remove the other\nconformance: 1 difference\n",
    );
    let written_by_a_macro = format!(
        "mod run {{\n//! It SHALL.\n{doc}#[cfg(any())]\n#[test]\nfn once() {{}}\nwrite_a_test!(once);\n}}\n"
    );
    Project::sound().file("tests/scenarios/commands.rs", &written_by_a_macro).differs(
        &["conformance"],
        "tests/scenarios/commands.rs:8: the macro \"write_a_test!\" can write tests; write them out\n\
         conformance: 1 difference\n",
    );
}

#[test]
fn conformance_names_stray_files_and_prose_that_drifts() {
    Project::sound()
        .file("openspec/specs/consent.md", "")
        .file("openspec/specs/commands/more.md", "")
        .file("openspec/specs/commands/more/spec.md", "")
        .file(SPEC, "### Requirement: Run\nIt SHALL run.\n#### Scenario: Once\n- **WHEN** a\n- **THEN** b\n")
        .differs(
            &["conformance"],
            "\
openspec/specs/commands/more: is not read; a spec is openspec/specs/<capability>/spec.md, so move or remove this
openspec/specs/commands/more.md: is not read; a spec is openspec/specs/<capability>/spec.md, so move or remove this
openspec/specs/consent.md: is not read; a spec is openspec/specs/<capability>/spec.md, so move or remove this
tests/scenarios/commands.rs:1: the comment of the module \"commands::run\" does not repeat the text of its requirement as a \
paragraph of its own
  openspec/specs/commands/spec.md:1 says:
    It SHALL run.
  the comment says:
    It SHALL.

conformance: 4 differences
",
        );
}

#[test]
fn conformance_prints_what_a_test_has_to_be() {
    let project = Project::sound();
    let (code, stdout, _) = project.xtask(&["conformance", "--print", "commands"]);
    let expected = "mod run {\n    //! It SHALL.\n\n    /// - **WHEN** a\n    /// - **THEN** b\n    #[test]\n    fn once()\n}\n";
    assert_eq!((code, stdout.as_str()), (0, expected));
    let unknown = "no capability \"consent\" under openspec/specs; there are: commands";
    project.cannot_run(&["conformance", "--print", "consent"], unknown);
}

#[test]
fn layers_hold_differ_or_cannot_run() {
    Project::sound().holds(&["layers"], "layers: 1 crates, each knows only what it may");
    Project::sound().file("cargo/metadata", &metadata("drawloom-core")).differs(
        &["layers"],
        "Cargo.toml: \"drawloom-core\" has no row; add one to xtask/src/layers/table.rs\nlayers: 1 difference\n",
    );
    Project::sound().without("cargo/metadata").cannot_run(&["layers"], "`cargo metadata");
    Project::sound().file("cargo/metadata", "{}").cannot_run(&["layers"], "missing field `packages`");
}

#[test]
fn tests_run_with_nextest_and_then_the_doctests() {
    let project = Project::sound();
    project.holds(&["test"], "test: passed");
    assert_eq!(
        project.asked(),
        "nextest --version\nnextest run --workspace --locked\ntest --doc --workspace --locked\n"
    );
}

#[test]
fn a_failing_test_ends_the_run() {
    let project = Project::sound().without("cargo/run");
    let (code, _, stderr) = project.xtask(&["test"]);
    assert!(
        code == 1 && stderr.contains("`cargo nextest run --workspace --locked` failed\n"),
        "{code}: {stderr}"
    );
    assert!(!project.asked().contains("--doc"), "{}", project.asked());
}

#[test]
fn a_missing_tool_is_installed_once() {
    let project = Project::sound().without("cargo/nextest").file("cargo/install", "");
    project.holds(&["test"], "test: passed");
    project.holds(&["test"], "test: passed");
    assert_eq!(project.asked().matches("install --locked cargo-nextest@0.9.143\n").count(), 1);
}

#[test]
fn a_tool_that_cannot_be_installed_is_named() {
    Project::sound().without("cargo/nextest").cannot_run(
        &["test"],
        "error: \"cargo-nextest\" is not installed and `cargo install --locked cargo-nextest@0.9.143` failed; run \
         that where there is a network, or put \"cargo-nextest\" on the PATH\n",
    );
}

#[test]
fn dependencies_are_denied_by_cargo_deny() {
    let project = Project::sound();
    project.holds(&["deny"], "deny: passed");
    assert_eq!(project.asked(), "deny --version\ndeny --locked check bans licenses sources\n");

    let project = Project::sound().without("cargo/denied").without("cargo/deny").file("cargo/install", "");
    let (code, _, stderr) = project.xtask(&["deny"]);
    assert!(
        code == 1 && stderr.ends_with("licenses sources` failed\ndeny: 1 difference\n"),
        "{code}: {stderr}"
    );
    assert!(project.asked().contains("install --locked cargo-deny@0.20.2\n"), "{}", project.asked());
}

#[test]
fn real_agents_are_installed_once_and_driven() {
    let project = Project::with_agents();
    project.holds(&["interop"], "interop: passed");
    let ready = "\
nextest --version
metadata --format-version 1 --locked --all-features
python3 --version
";
    let run = "\
nextest run --workspace --locked --test=interop --no-fail-fast
with /target/interop/python/bin/python /target/interop/node
";
    let first = format!(
        "{ready}\
python3 -m venv /target/interop/python
python -m pip --disable-pip-version-check install --quiet --no-deps --requirement crates/drawloom-cli/tests/interop/agents/requirements.txt
python -m pip --disable-pip-version-check check
node --version
npm ci --no-audit --no-fund --ignore-scripts
{run}"
    );
    assert_eq!(project.asked_here(), first);

    project.holds(&["interop"], "interop: passed");
    assert_eq!(project.asked_here(), format!("{first}{ready}node --version\n{run}"));

    // Other pins are other packages.
    let project =
        project.file("crates/drawloom-cli/tests/interop/agents/requirements.txt", "pydantic==2.0\n");
    project.holds(&["interop"], "interop: passed");
    assert_eq!(project.asked().matches("pip --disable-pip-version-check install").count(), 2);
    assert_eq!(project.asked().matches("npm ci").count(), 1);
}

#[test]
fn half_an_installation_is_none() {
    let project = Project::with_agents().file("cargo/npm-fails", "");
    project.cannot_run(
        &["interop"],
        "`npm ci --no-audit --no-fund --ignore-scripts` failed (exit status: 1); it fetches packages",
    );
    let project = project.without("cargo/npm-fails");
    project.holds(&["interop"], "interop: passed");
    assert_eq!(project.asked().matches("npm ci").count(), 2);
    assert_eq!(project.asked().matches("python3 -m venv").count(), 1);
}

#[test]
fn what_agents_need_is_named_where_it_is_missing() {
    for (program, advice) in [
        ("python3", "install Python 3.11 or later"),
        ("node", "install Node.js 20 or later"),
        ("npm", "install npm, which comes with Node.js"),
    ] {
        let project = Project::with_agents().without(&format!("bin/{program}"));
        project.cannot_run(&["interop"], &format!("error: cannot start \"{program}\": No such file"));
        project.cannot_run(&["interop"], advice);
    }
    let project = Project::with_agents().file("cargo/python-fails", "");
    project.cannot_run(&["interop"], "requirements.txt` failed (exit status: 1); it fetches packages");
}

#[test]
fn an_agent_that_does_not_work_together_is_a_difference() {
    let project = Project::with_agents().without("cargo/run");
    let (code, _, stderr) = project.xtask(&["interop"]);
    assert!(
        code == 1 && stderr.ends_with("--no-fail-fast` failed\ninterop: 1 difference\n"),
        "{code}: {stderr}"
    );
}

#[test]
fn features_are_combined_by_cargo_hack() {
    let project = Project::sound();
    project.holds(&["features"], "features: passed");
    assert_eq!(
        project.asked(),
        "hack --version\nmetadata --format-version 1 --locked --all-features\n\
         hack clippy --locked --feature-powerset --keep-going --package drawloom-command -- -D warnings\n"
    );
    Project::sound().without("cargo/hacked").differs(
        &["features"],
        "cat: HERE/cargo/hacked: No such file or directory\n\
         `cargo hack clippy --locked --feature-powerset --keep-going --package drawloom-command -- -D warnings` failed\n\
         features: 1 difference\n",
    );
}

#[test]
fn the_inner_crates_are_built_for_webassembly() {
    let project = Project::with_rustup();
    project.holds(&["wasm"], "wasm: passed");
    assert!(project.asked().contains("\nrustup target add wasm32-unknown-unknown\n"), "{}", project.asked());
    let build = "hack check --locked --each-feature --exclude-features client,http,sandbox,mcp,store,fluent,proptest \
                 --package drawloom-command --target wasm32-unknown-unknown\n";
    assert!(project.asked().ends_with(build), "{}", project.asked());

    let advice = "failed (exit status: 1); install rustup";
    Project::with_rustup().file("cargo/rustup-fails", "").cannot_run(&["wasm"], advice);
    Project::with_rustup()
        .without("bin/rustup")
        .cannot_run(&["wasm"], "cannot start \"rustup\": No such file");
}

#[test]
fn the_inner_crates_are_built_with_the_oldest_rust() {
    let project = Project::with_rustup();
    project.holds(&["msrv"], "msrv: the inner crates build with Rust 1.91");
    assert!(project.asked().contains("rustup run 1.91 cargo hack check --locked --each-feature"));
    // It is there, so it is not installed.
    assert!(!project.asked().contains("toolchain install"), "{}", project.asked());

    Project::with_rustup().file("cargo/metadata", &metadata("drawloom-cli")).differs(
        &["msrv"],
        "Cargo.toml: rust-version says 1.91, and Rust 1.95.0 is what is checked\nmsrv: 1 difference\n",
    );
    Project::with_rustup()
        .without("rust-toolchain.toml")
        .cannot_run(&["msrv"], "rust-toolchain.toml\": No such file");
}

#[test]
fn packages_and_the_api_cannot_be_checked_where_nothing_can_be_built() {
    Project::sound().cannot_run(&["package"], "`cargo package --locked --no-verify");
    Project::with_rustup()
        .file("cargo/rustup-fails", "")
        .cannot_run(&["api"], "`rustup toolchain install nightly-");
}

const CONTEXT: &str = "crates/drawloom-workbench/src/context.rs";

/// A project in which cargo-mutants finds this in its two rounds: the code it ends with, the caught and the missed mutants.
fn with_mutants(rounds: [(&str, &str, &str); 2]) -> Project {
    let project = Project::sound();
    let target = project.0.path().join("target");
    let mut project = project
        .file("cargo/metadata", &metadata_in("drawloom-command", &target))
        .file("cargo/mutants", "cargo-mutants 27.1.0\n");
    for (round, (code, caught, missed)) in ["first", "second"].into_iter().zip(rounds) {
        project = project
            .file(&format!("cargo/{round}/code"), code)
            .file(&format!("cargo/{round}/mutants.out/caught.txt"), caught)
            .file(&format!("cargo/{round}/mutants.out/missed.txt"), missed)
            .file(&format!("cargo/{round}/mutants.out/timeout.txt"), "");
    }
    project
}

#[test]
fn mutants_that_no_test_notices_are_listed_with_a_reason() {
    let (a, b) = (format!("{CONTEXT}:1:2: replace a"), format!("{CONTEXT}:3:4: replace b"));
    let context = ["mutants", "--part", "context"];

    // The first round is enough.
    let project = with_mutants([("0", &format!("{a}\n{b}\n"), ""), ("1", "", "")]);
    project.holds(&context, "mutants: noticed: context 2 of 2; all others are listed");
    assert!(!project.asked().contains("--iterate"), "{}", project.asked());

    // The second finds one more, and one survives.
    let rounds = || with_mutants([("2", &format!("{a}\n"), &format!("{b}\n")), ("2", "", &format!("{b}\n"))]);
    let project = rounds();
    project.differs(
        &context,
        &format!("no test notices \"{b}\"; write one, or state a reason in xtask/mutants.toml\nmutants: 1 difference\n"),
    );
    let asked = project.asked_here();
    let run = format!(
        "mutants --package drawloom-workbench --file {CONTEXT} --test-tool=nextest --jobs=1 --no-shuffle --timeout 300 \
         --no-times --cargo-arg=--locked --output /target/mutants/context"
    );
    assert!(asked.contains(&format!("{run} --test-package drawloom-workbench\n")), "{asked}");
    let second = "--iterate --test-package drawloom-tests --cargo-test-arg=-E --cargo-test-arg binary(properties) | \
                  test(/^workbench::/)\n";
    assert!(asked.ends_with(&format!("{run} {second}")), "{asked}");

    let entry = |mutant: &str| {
        format!("[[survivor]]\npart = \"context\"\nmutant = \"{CONTEXT}: {mutant}\"\nreason = \"the same\"\n")
    };
    let project = rounds().file("xtask/mutants.toml", &entry("replace b"));
    project.holds(&context, "mutants: noticed: context 1 of 2; all others are listed");
    rounds().file("xtask/mutants.toml", &(entry("replace b") + &entry("replace a"))).differs(
        &context,
        &format!("xtask/mutants.toml:7: a test notices \"{CONTEXT}: replace a\"; remove the entry\nmutants: 1 difference\n"),
    );
}

#[test]
fn mutants_cannot_be_judged_by_tests_that_fail() {
    with_mutants([("4", "", ""), ("0", "", "")]).differs(
        &["mutants", "--part", "ledger"],
        "the tests of part \"ledger\" fail without any mutant\nmutants: 1 difference\n",
    );
    with_mutants([("1", "", ""), ("0", "", "")])
        .cannot_run(&["mutants", "--part", "ledger"], "failed (exit status: 1)");
    with_mutants([("0", "", ""), ("0", "", "")]).cannot_run(
        &["mutants", "--part", "ledgers"],
        "no part \"ledgers\"; there are: authorize, registry,",
    );
}

#[test]
fn the_usage_is_there_for_the_asking() {
    let (code, stdout, _) = Project::sound().xtask(&["--help"]);
    assert!(code == 0 && stdout.contains("Usage: cargo xtask <COMMAND>"), "{code}: {stdout}");
}

#[test]
fn an_unknown_command_gets_the_usage() {
    Project::sound().cannot_run(&["conform"], "Usage: cargo xtask <COMMAND>");
    Project::sound().cannot_run(&[], "Usage: cargo xtask <COMMAND>");
}
