//! The inputs with which fuzzing starts: the parts of the cases and recordings that the tests play.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::report::{CouldNotRun, read};

const CASES: &str = "crates/drawloom-cli/tests/fixtures/cases";
const STREAMS: &str = "tests/fixtures/streams";
const SCHEMAS: &str = "tests/fuzz/schemas";

/// Writes a folder of seeds for each kind of input. A seed that is there is written again; what a fuzzer found stays.
pub(super) fn write(root: &Path, folder: &Path) -> Result<(), CouldNotRun> {
    let seeds = |kind: &str| Seeds { folder: folder.join("corpus").join(kind) };
    for path in files(root, CASES)? {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let text = read(root, &path)?;
        let Ok(case) = serde_json::from_str::<Value>(&text) else {
            return Err(CouldNotRun::Unintelligible {
                command: path.display().to_string(),
                detail: "not JSON".into(),
            });
        };
        if let Some(workbench) = case.get("workbench") {
            seeds("workbenches").add(&name, &workbench.to_string())?;
        }
        let Some(events) = case.get("events").and_then(Value::as_array) else { continue };
        let lines: Vec<String> = events.iter().map(Value::to_string).collect();
        seeds("recordings").add(&name, &format!("\n{}", lines.join("\n")))?;
        for (at, (event, line)) in events.iter().zip(&lines).enumerate() {
            seeds("events").add(&format!("{name}-{at}"), line)?;
            if let Some(arguments) = event.get("delta").and_then(Value::as_str) {
                seeds("arguments").add(&format!("{name}-{at}"), arguments)?;
            }
        }
    }
    for path in files(root, STREAMS)? {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        seeds("recordings").add(&name, &format!("\n{}", read(root, &path)?))?;
    }
    for path in files(root, SCHEMAS)? {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        seeds("schemas").add(&name, &read(root, &path)?)?;
    }
    // A sequence is chosen by bytes of no form.
    let sequences: [&[u8]; 2] = [&[0x55; 4096], &[0xa3; 4096]];
    for (at, bytes) in sequences.iter().enumerate() {
        seeds("sequences").add_bytes(&at.to_string(), bytes)?;
    }
    Ok(())
}

struct Seeds {
    folder: PathBuf,
}

impl Seeds {
    fn add(&self, name: &str, text: &str) -> Result<(), CouldNotRun> {
        self.add_bytes(name, text.as_bytes())
    }

    fn add_bytes(&self, name: &str, bytes: &[u8]) -> Result<(), CouldNotRun> {
        let path = self.folder.join(format!("seed-{name}"));
        let written = fs::create_dir_all(&self.folder).and_then(|()| fs::write(&path, bytes));
        written.map_err(|source| CouldNotRun::Unwritable { path, source })
    }
}

/// The files in a folder, from the root, in the order of their names.
fn files(root: &Path, folder: &str) -> Result<Vec<PathBuf>, CouldNotRun> {
    let unreadable = |source| CouldNotRun::Unreadable { path: folder.into(), source };
    let mut files = Vec::new();
    for entry in fs::read_dir(root.join(folder)).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        if entry.path().is_file() {
            files.push(Path::new(folder).join(entry.file_name()));
        }
    }
    files.sort();
    Ok(files)
}
