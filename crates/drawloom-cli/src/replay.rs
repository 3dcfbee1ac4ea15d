//! `drawloom replay`: plays a recorded run.

use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal, Stdout};
use std::path::Path;
use std::sync::Arc;

use drawloom_replay::{EventReader, Player, Recorded, TranscriptContent, TranscriptWriter};
use futures_executor::block_on;

use crate::error::CliError;
use crate::terminal::Progress;

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
    let mut events = EventReader::new(input);
    let mut progress = Progress::new(io::stderr().is_terminal());
    while !output.is_broken() {
        match events.read().map_err(|source| CliError::Read { path: name.to_owned(), source })? {
            Some(Recorded::Event(event)) => block_on(player.play(&event)),
            Some(Recorded::Skipped(line)) => {
                progress.clear();
                crate::print_error(format_args!("{}: {line}, skipped", name.display()));
            }
            None => {
                block_on(player.finish());
                break;
            }
        }
        progress.show(events.bytes());
    }
    progress.clear();
    output.take_error().map_or(Ok(()), CliError::from_output)
}
