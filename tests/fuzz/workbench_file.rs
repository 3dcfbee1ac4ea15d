//! A file that describes a workbench.

use drawloom_replay::{FileWorkbench, TranscriptLine, TranscriptSink};

/// Nobody reads what the workbench writes.
struct Silent;

impl TranscriptSink for Silent {
    fn write(&self, _: &TranscriptLine) {}
}

#[test]
fn workbench_file_text() {
    bolero::check!().for_each(|bytes: &[u8]| {
        let Ok(text) = std::str::from_utf8(bytes) else { return };
        let Ok(workbench) = FileWorkbench::load(text, Silent) else { return };
        // Everything that is listed is described, and every tool has the name of its command.
        for definition in workbench.command_tools().list() {
            assert!(!definition.name.is_empty() && !definition.description.is_empty(), "{definition:?}");
        }
        workbench.warnings();
        workbench.workbench().triggerable_commands();
    });
}
