//! `drive` SHALL send the state, the context, the properties and the headers that it is given, and SHALL understand an
//! address without a scheme.

use serde_json::json;

use super::support::{Agent, drive, file};
use crate::replay::support::Folder;
use drawloom_tests::events::run;

/// - **GIVEN** a file with the list `[{"description":"d","value":"v"}]`.
/// - **WHEN** an agent is driven with `--state {"open":[9007199254740993]}`, `--context who=Ada`, `--context` with the file, and
///   `--forwarded-props {"model":"m"}`.
/// - **THEN** the request has the state, both entries of the context in this order, and the properties.
#[test]
fn state_context_and_properties() {
    let folder = Folder::new();
    folder.write("file.json", &file().to_string());
    let context = folder.write("context.json", r#"[{"description":"d","value":"v"}]"#);
    let context = format!("@{}", context.display());
    let agent = Agent::new(&[run([])]);
    let words = [
        "drive",
        "file.json",
        "--agent",
        agent.url(),
        "--prompt",
        "Please.",
        "--state",
        r#"{"open":[9007199254740993]}"#,
        "--context",
        "who=Ada",
        "--context",
        &context,
        "--forwarded-props",
        r#"{"model":"m"}"#,
    ];
    let output = folder.drawloom(&words, "");
    assert_eq!(output.code, Some(0), "{output:#?}");
    let input = &agent.inputs()[0];
    assert_eq!(input["state"], json!({ "open": [9_007_199_254_740_993_u64] }));
    let expected = json!([{ "description": "who", "value": "Ada" }, { "description": "d", "value": "v" }]);
    assert_eq!(input["context"], expected);
    assert_eq!(input["forwardedProps"], json!({ "model": "m" }));
}

/// - **GIVEN** a file with a comment and the headers `x-one: 1` and `x-two: 2`, and a variable of the environment.
/// - **WHEN** an agent is driven with `--header-file` and with `--header-env x-three=PATH`.
/// - **THEN** the request has the three headers.
#[test]
fn headers_from_files_and_the_environment() {
    let folder = Folder::new();
    folder.write("file.json", &file().to_string());
    let headers = folder.write("headers", "# secrets\nx-one: 1\n\nx-two: 2\n");
    let agent = Agent::new(&[run([])]);
    let words =
        ["drive", "file.json", "--agent", agent.url(), "--prompt", "Please.", "--header-env", "x-three=PATH"];
    let output = folder.drawloom(&[&words[..], &["--header-file", headers.to_str().unwrap()]].concat(), "");
    assert_eq!(output.code, Some(0), "{output:#?}");
    let request = agent.requests()[0].to_ascii_lowercase();
    let path = std::env::var("PATH").unwrap().to_ascii_lowercase();
    for header in ["x-one: 1\r\n", "x-two: 2\r\n", &format!("x-three: {path}\r\n")] {
        assert!(request.contains(header), "{header}: {request}");
    }
}

/// - **WHEN** an agent on this machine is driven with its address and port, without `http://`.
/// - **THEN** it receives the request.
#[test]
fn a_url_without_a_scheme() {
    let agent = Agent::new(&[run([])]);
    let url = agent.url().strip_prefix("http://").unwrap();
    let output = drive(&file(), &["--agent", url, "--prompt", "Please."]);
    assert_eq!(output.code, Some(0), "{output:#?}");
    assert_eq!(agent.inputs().len(), 1);
}

/// - **WHEN** `drive` is run with `--state {`, `--context who`, `--forwarded-props []`, `--answer x`, `--answer x={`,
///   `--header-env x`, `--header-env x=` with a variable that is not set, and a header file with the line `secret`.
/// - **THEN** each exits with 2 and names the option, and none repeats the line of the header file.
#[test]
fn options_that_cannot_be_read() {
    let folder = Folder::new();
    let headers = folder.write("headers", "a: b\nsecret\n");
    for (option, value) in [
        ("--state", "{"),
        ("--context", "who"),
        ("--forwarded-props", "[]"),
        ("--answer", "x"),
        ("--answer", "x={"),
        ("--header-env", "x"),
        ("--header-env", "x=DRAWLOOM_VARIABLE_THAT_IS_NOT_SET"),
        ("--header-file", headers.to_str().unwrap()),
    ] {
        let output = drive(&file(), &["--agent", "stand-in", "--prompt", "ping", option, value]);
        assert_eq!((output.code, &*output.stdout), (Some(2), ""), "{option}: {output:#?}");
        assert!(output.stderr.contains(option) && !output.stderr.contains("secret"), "{option}: {output:#?}");
    }
}
