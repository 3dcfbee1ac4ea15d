//! The directory that the tools may read.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use drawloom_mcp::ToolFailure;

use crate::input;

/// A directory that paths are confined to. Clones are the same directory.
#[derive(Clone, Debug)]
pub(super) struct Root(Arc<Path>);

impl Root {
    pub(super) fn open(directory: &Path) -> io::Result<Self> {
        let directory = fs::canonicalize(directory)?;
        if !directory.is_dir() {
            return Err(io::Error::from(io::ErrorKind::NotADirectory));
        }
        Ok(Self(directory.into()))
    }

    /// Where a directory of this name is.
    pub(super) fn directory(&self, name: &str) -> Result<PathBuf, ToolFailure> {
        let path = self.resolved(name)?;
        if path.is_dir() { Ok(path) } else { Err(ToolFailure::new(format!("\"{name}\" is not a directory"))) }
    }

    /// The bytes of a file of this name, if it has at most `limit`.
    pub(super) fn read(&self, name: &str, limit: u64) -> Result<Vec<u8>, ToolFailure> {
        let path = self.resolved(name)?;
        let unreadable = |error: io::Error| ToolFailure::new(format!("\"{name}\" cannot be read: {error}"));
        if !fs::symlink_metadata(&path).map_err(unreadable)?.is_file() {
            return Err(ToolFailure::new(format!("\"{name}\" is not a regular file")));
        }
        let file = input::open(&path).map_err(unreadable)?;
        input::read_whole(file, limit).map_err(unreadable)
    }

    /// The path that a name leads to, through links too, if it is within the directory.
    fn resolved(&self, name: &str) -> Result<PathBuf, ToolFailure> {
        let outside =
            || ToolFailure::new(format!("\"{name}\" is outside the directory that was given with --root"));
        // What is outside by its name is not looked at: the answer must not tell whether it is there.
        let mut depth = 0_usize;
        for component in Path::new(name).components() {
            match component {
                Component::Normal(_) => depth += 1,
                Component::CurDir => {}
                Component::ParentDir => depth = depth.checked_sub(1).ok_or_else(outside)?,
                Component::RootDir | Component::Prefix(_) => return Err(outside()),
            }
        }
        let path = fs::canonicalize(self.0.join(name))
            .map_err(|error| ToolFailure::new(format!("\"{name}\" cannot be opened: {error}")))?;
        if path.starts_with(&self.0) { Ok(path) } else { Err(outside()) }
    }
}
