//! `drawloom replay`: plays a recorded run.

use std::io::BufRead;
use std::path::Path;
use std::sync::Arc;

use drawloom::ag_ui::Report;
use drawloom::ag_ui::recording::{RecordingItem, RecordingReader};
use drawloom_replay::{Player, TranscriptContent, TranscriptWriter};
use futures_executor::block_on;

use crate::drive::playback::Playback;
use crate::error::CliError;
use crate::terminal::output::{self, JsonLines, print_error};
use crate::terminal::{Progress, sanitize};
use crate::{drive, input};

/// How a recording with notes begins.
const NOTES: &[u8] = b"{\"recorded\":";

pub(crate) fn run(workbench: &Path, events: &Path, content: TranscriptContent) -> Result<(), CliError> {
    let (mut input, name) = input::recording(events)?;
    let begin = input.fill_buf().map_err(|source| CliError::Read { path: name.clone(), source })?;
    // A recording of "drive" begins with its notes: the whole conversation is played, with the answers of then.
    if begin.starts_with(NOTES) {
        let playback = Playback::read(input)
            .map_err(|error| CliError::Playback { path: name, problem: error.to_string() })?;
        return drive::play(workbench, playback, content);
    }
    let output = Arc::new(TranscriptWriter::new(JsonLines::default(), content));
    let file = crate::load(workbench, output.clone())?;
    let player = file.player();
    play(input, &name, player, &output)
}

fn play(
    input: impl BufRead,
    name: &Path,
    mut player: Player,
    output: &TranscriptWriter<JsonLines>,
) -> Result<(), CliError> {
    let mut recording = RecordingReader::new(input);
    let mut progress = Progress::new(output::is_error_terminal());
    while !output.is_broken() {
        let item =
            recording.read().map_err(|source| CliError::Recording { path: name.to_owned(), source })?;
        let line = item.as_ref().and_then(line_of);
        match &item {
            Some(item) => block_on(player.play_item(item)),
            None => block_on(player.finish()),
        }
        while let Some(report) = player.next_report() {
            progress.clear();
            print_report(name, line, &report);
        }
        if item.is_none() {
            break;
        }
        progress.show(recording.bytes());
    }
    progress.clear();
    output.take_error().map_or(Ok(()), CliError::from_output)
}

/// The number of the line in which an item of a recording begins.
pub(crate) fn line_of(item: &RecordingItem<'_>) -> Option<u64> {
    match item {
        RecordingItem::Event { line, .. } | RecordingItem::Lost { line, .. } => Some(*line),
        _ => None,
    }
}

/// Prints what was lost or had no effect, with the line of the recording that caused it.
fn print_report(name: &Path, line: Option<u64>, report: &Report) {
    let name = sanitize::line(&name.to_string_lossy());
    let report = sanitize::line(&report.to_string());
    match line {
        Some(line) => print_error(format_args!("{name}, line {line}: {report}")),
        None => print_error(format_args!("{name}: {report}")),
    }
}
