//! `drawloom` SHALL read a file up to a limit, and SHALL exit with 2 and an error that names the file and the limit
//! if it is longer.

use std::fs;
use std::process::Command;
use std::thread;

use super::support::{Folder, usual};
use crate::binary::{self, Output};

/// The most bytes of a workbench file and of a recording.
const WORKBENCH: usize = 16_777_216;
const RECORDING: usize = 1_073_741_824;

/// Runs the binary in so much memory.
fn in_little_memory(folder: &Folder, words: &[&str]) -> Output {
    let words = words.iter().map(|word| match folder.path(word) {
        path if path.exists() => path.into_os_string(),
        _ => (*word).into(),
    });
    let limited = r#"ulimit -v 524288; exec "$0" "$@""#;
    let output = Command::new("sh").arg("-c").arg(limited).arg(binary::path()).args(words).output().unwrap();
    let [stdout, stderr] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    Output { code: output.status.code(), stdout, stderr }
}

/// - **WHEN** each subcommand that reads a workbench file or a recording is run with `/dev/zero` in place of it, in no more
///   than 512 MiB of memory.
/// - **THEN** each exits with 2, and standard error names `/dev/zero` and the number of bytes that are read at most.
#[test]
fn a_device_that_never_ends() {
    let folder = Folder::new();
    folder.write("file.json", &usual().to_string());
    folder.write("events", "{}");
    for (words, limit) in [
        (&["tools", "/dev/zero"][..], WORKBENCH),
        (&["invoke", "/dev/zero", "notes.ping"], WORKBENCH),
        (&["replay", "/dev/zero", "events"], WORKBENCH),
        (&["replay", "file.json", "/dev/zero"], RECORDING),
        (&["check", "/dev/zero"], RECORDING),
        (&["drive", "/dev/zero", "--agent", "stand-in", "--prompt", "ping"], WORKBENCH),
        (&["drive", "file.json", "--agent", "stand-in", "--script", "/dev/zero"], WORKBENCH),
        (&["drive", "file.json", "--agent", "stand-in", "--prompt", "x", "--state", "@/dev/zero"], WORKBENCH),
        (
            &["drive", "file.json", "--agent", "stand-in", "--prompt", "x", "--header-file", "/dev/zero"],
            WORKBENCH,
        ),
        (&["mcp", "--workbench", "/dev/zero"], WORKBENCH),
    ] {
        let output = in_little_memory(&folder, words);
        assert_eq!(output.code, Some(2), "{words:?} {output:#?}");
        assert!(
            output.stderr.contains("/dev/zero") && output.stderr.contains(&limit.to_string()),
            "{output:#?}"
        );
    }
}

/// - **GIVEN** the usual file with spaces after it, so that it has as many bytes as are read at most, and one with one more.
/// - **WHEN** the tools of each are printed.
/// - **THEN** the first is read, and the second is an error that names the limit.
#[test]
fn a_file_beside_the_limit() {
    let folder = Folder::new();
    let mut file = usual().to_string();
    file += &" ".repeat(WORKBENCH - file.len());
    assert_eq!(file.len(), WORKBENCH);
    folder.write("file.json", &file);
    assert_eq!(folder.drawloom(&["tools", "file.json"], "").code, Some(0));
    folder.write("file.json", &(file + " "));
    let output = folder.drawloom(&["tools", "file.json"], "");
    assert_eq!((output.code, output.stdout.as_str()), (Some(2), ""));
    assert!(output.stderr.contains("file.json") && output.stderr.contains("16777216"), "{output:#?}");
}

/// - **GIVEN** a named pipe to which the usual file is written, and a directory.
/// - **WHEN** each is given to `drawloom tools` as the workbench file, and the directory to `drawloom replay` as the recording.
/// - **THEN** the tools of the first are printed, and the others exit with 2 and say that it is a directory.
#[test]
fn pipes_and_directories() {
    let folder = Folder::new();
    let pipe = folder.path("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let writing = thread::spawn(move || fs::write(pipe, usual().to_string()));
    let output = folder.drawloom(&["tools", "pipe"], "");
    writing.join().unwrap().unwrap();
    assert_eq!(output.code, Some(0), "{output:#?}");
    assert!(output.stdout.contains("notes__open"), "{output:#?}");

    fs::create_dir(folder.path("directory")).unwrap();
    folder.write("file.json", &usual().to_string());
    for words in [&["tools", "directory"][..], &["replay", "file.json", "directory"]] {
        let output = folder.drawloom(words, "");
        assert_eq!(output.code, Some(2), "{output:#?}");
        assert!(
            output.stderr.contains("directory cannot be read: ") && output.stderr.contains("is a directory"),
            "{output:#?}"
        );
    }
}
