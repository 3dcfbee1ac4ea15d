//! The only place that opens files to read them, and standard input. What is read is limited, so that a device, a pipe
//! that never ends or a huge file ends with an error and not with the memory.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use crate::error::CliError;

/// How many bytes of a workbench file are read.
pub(crate) const WORKBENCH_BYTES: u64 = 16 << 20;
/// How many bytes of a recording are read. It is played as it is read, so that this limits the time and not the memory.
pub(crate) const RECORDING_BYTES: u64 = 1 << 30;
/// The file name that means standard input.
const STANDARD_INPUT: &str = "-";
/// How many bytes are read from a recording at once.
const BUFFER_BYTES: usize = 256 * 1024;

/// Reads a whole file of at most `limit` bytes.
pub(crate) fn read(path: &Path, limit: u64) -> Result<Vec<u8>, CliError> {
    let failed = |source| CliError::Read { path: path.to_owned(), source };
    read_whole(open(path).map_err(failed)?, limit).map_err(failed)
}

/// Reads a whole text file of at most `limit` bytes.
pub(crate) fn read_text(path: &Path, limit: u64) -> Result<String, CliError> {
    let bytes = read(path, limit)?;
    String::from_utf8(bytes).map_err(|error| {
        let message = format!("it is not UTF-8 from byte {} on", error.utf8_error().valid_up_to());
        CliError::Read { path: path.to_owned(), source: io::Error::new(io::ErrorKind::InvalidData, message) }
    })
}

/// A recording to play, and its name for messages: a file, or standard input if the path is `-`. Reading fails after
/// [`RECORDING_BYTES`].
pub(crate) fn recording(path: &Path) -> Result<(Box<dyn BufRead>, PathBuf), CliError> {
    if path.as_os_str() == STANDARD_INPUT {
        let input = Limited { input: standard_input().lock(), limit: RECORDING_BYTES, left: RECORDING_BYTES };
        return Ok((Box::new(input), PathBuf::from("standard input")));
    }
    let file = open(path).map_err(|source| CliError::Read { path: path.to_owned(), source })?;
    let input = BufReader::with_capacity(BUFFER_BYTES, file);
    Ok((Box::new(Limited { input, limit: RECORDING_BYTES, left: RECORDING_BYTES }), path.to_owned()))
}

/// Whether standard input is a terminal.
pub(crate) fn is_terminal() -> bool {
    io::IsTerminal::is_terminal(&standard_input())
}

/// Everything of an input of at most `limit` bytes.
pub(crate) fn read_whole(input: impl Read, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit { Err(too_long(limit)) } else { Ok(bytes) }
}

fn too_long(limit: u64) -> io::Error {
    let message = format!("it has more than {limit} bytes ({} MiB), the most that is read", limit >> 20);
    io::Error::new(io::ErrorKind::FileTooLarge, message)
}

#[expect(clippy::disallowed_methods, reason = "this is the place that the lint refers to")]
pub(crate) fn open(path: &Path) -> io::Result<File> {
    let file = File::open(path)?;
    // Opening a directory succeeds on some systems, and reading it then fails with a message that does not say why.
    if file.metadata()?.is_dir() { Err(io::ErrorKind::IsADirectory.into()) } else { Ok(file) }
}

/// Standard input, for its settings as a terminal. What is read from it is a [`recording`], or the answer to a question.
#[expect(clippy::disallowed_methods, reason = "this is the place that the lint refers to")]
pub(crate) fn standard_input() -> io::Stdin {
    io::stdin()
}

/// An input that fails when more than a number of bytes is read.
struct Limited<R> {
    input: R,
    limit: u64,
    left: u64,
}

impl<R: BufRead> Read for Limited<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}

impl<R: BufRead> BufRead for Limited<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let bytes = self.input.fill_buf()?;
        let most = usize::try_from(self.left).unwrap_or(usize::MAX);
        match bytes.get(..most) {
            Some([]) if !bytes.is_empty() => Err(too_long(self.limit)),
            Some(allowed) => Ok(allowed),
            None => Ok(bytes),
        }
    }

    fn consume(&mut self, amount: usize) {
        self.left = self.left.saturating_sub(amount as u64);
        self.input.consume(amount);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_input_is_read_up_to_its_limit() {
        assert_eq!(read_whole(&b"abc"[..], 3).unwrap(), b"abc");
        let error = read_whole(io::repeat(0), 3 << 20).unwrap_err();
        assert_eq!(error.to_string(), "it has more than 3145728 bytes (3 MiB), the most that is read");
    }

    #[test]
    fn a_stream_fails_at_its_limit_and_not_before() {
        let limited = |input, limit| Limited { input, limit, left: limit };
        let mut bytes = Vec::new();
        limited(&b"abc"[..], 3).read_to_end(&mut bytes).unwrap();
        assert_eq!(bytes, b"abc");
        bytes.clear();
        let error = limited(&b"abcd"[..], 3).read_to_end(&mut bytes).unwrap_err();
        assert_eq!((error.kind(), &*bytes), (io::ErrorKind::FileTooLarge, &b"abc"[..]));
        let mut line = String::new();
        assert!(limited(&b"abcd\n"[..], 4).read_line(&mut line).is_err());
    }
}
