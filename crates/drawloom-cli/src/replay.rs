//! `drawloom replay`: how a recorded run plays out.

use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal, Stdout};
use std::path::Path;
use std::sync::Arc;

use drawloom_replay::{EventReader, Lines, Player, Recorded, TranscriptWriter};
use futures_executor::block_on;

use crate::failure::Failure;
use crate::progress::Progress;

/// The name of standard input among the files.
const STANDARD_INPUT: &str = "-";
/// How much is read at once from a file, where there is that much.
const BUFFER: usize = 256 * 1024;

pub(crate) fn play(workbench: &Path, events: &Path, lines: Lines) -> Result<(), Failure> {
    let output = Arc::new(TranscriptWriter::new(io::stdout(), lines));
    let file = crate::load(workbench, output.clone())?;
    let player = file.player();
    if events.as_os_str() == STANDARD_INPUT {
        return play_from(io::stdin().lock(), Path::new("standard input"), player, &output);
    }
    let input = File::open(events).map_err(|source| Failure::Read { path: events.to_owned(), source })?;
    play_from(BufReader::with_capacity(BUFFER, input), events, player, &output)
}

fn play_from(
    input: impl BufRead,
    name: &Path,
    mut player: Player,
    output: &TranscriptWriter<Stdout>,
) -> Result<(), Failure> {
    let mut events = EventReader::new(input);
    let mut progress = Progress::new(io::stderr().is_terminal());
    while !output.is_broken() {
        match events.read().map_err(|source| Failure::Read { path: name.to_owned(), source })? {
            Some(Recorded::Event(event)) => block_on(player.play(&event)),
            Some(Recorded::Skipped(line)) => {
                progress.clear();
                crate::tell(format_args!("{}: {line}, skipped", name.display()));
            }
            None => {
                block_on(player.finish());
                break;
            }
        }
        progress.show(events.bytes());
    }
    progress.clear();
    output.take_error().map_or(Ok(()), Failure::of_output)
}
