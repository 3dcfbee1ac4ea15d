//! `drawloom replay`: plays a recorded run.

use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal, Stdout};
use std::path::Path;
use std::sync::Arc;

use drawloom::ag_ui::Report;
use drawloom::ag_ui::recording::{RecordingItem, RecordingReader};
use drawloom_replay::{Player, TranscriptContent, TranscriptWriter};
use futures_executor::block_on;

use crate::error::CliError;
use crate::terminal::{Progress, sanitize};

/// The file name that means standard input.
const STANDARD_INPUT: &str = "-";
/// How many bytes are read from a file at once.
const BUFFER_BYTES: usize = 256 * 1024;

pub(crate) fn run(workbench: &Path, events: &Path, content: TranscriptContent) -> Result<(), CliError> {
    let output = Arc::new(TranscriptWriter::new(io::stdout(), content));
    let file = crate::load(workbench, output.clone())?;
    let player = file.player();
    if events.as_os_str() == STANDARD_INPUT {
        return play(io::stdin().lock(), Path::new("standard input"), player, &output);
    }
    let input = File::open(events).map_err(|source| CliError::Read { path: events.to_owned(), source })?;
    play(BufReader::with_capacity(BUFFER_BYTES, input), events, player, &output)
}

fn play(
    input: impl BufRead,
    name: &Path,
    mut player: Player,
    output: &TranscriptWriter<Stdout>,
) -> Result<(), CliError> {
    let mut recording = RecordingReader::new(input);
    let mut progress = Progress::new(io::stderr().is_terminal());
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
    let name = name.display();
    let report = sanitize::line(&report.to_string());
    match line {
        Some(line) => crate::print_error(format_args!("{name}, line {line}: {report}")),
        None => crate::print_error(format_args!("{name}: {report}")),
    }
}
