//! `--thread`: the file that keeps a conversation.

use std::fs;
use std::io;
use std::path::Path;

use drawloom::client::Conversation;

use crate::error::CliError;
use crate::input;

/// How many bytes of a conversation are read.
const BYTES: u64 = 256 << 20;

/// Reads the conversation, if the file exists.
pub(super) fn load(path: &Path) -> Result<Option<Conversation>, CliError> {
    if !path.try_exists().map_err(|source| CliError::Read { path: path.to_owned(), source })? {
        return Ok(None);
    }
    let text = input::read_text(path, BYTES)?;
    serde_json::from_str(&text)
        .map(Some)
        .map_err(|error| CliError::Thread { path: path.to_owned(), problem: error.to_string() })
}

/// Writes the conversation. The file is replaced in one step, so that it is complete whenever the process ends.
pub(super) fn save(path: &Path, conversation: &Conversation) -> Result<(), CliError> {
    let failed = |source: io::Error| CliError::Write { path: path.to_owned(), source };
    let text = serde_json::to_vec(conversation).map_err(|error| failed(error.into()))?;
    let mut name = path.file_name().ok_or_else(|| failed(io::ErrorKind::InvalidInput.into()))?.to_owned();
    name.push(".new");
    let new = path.with_file_name(name);
    fs::write(&new, text).and_then(|()| fs::rename(&new, path)).map_err(failed)
}
