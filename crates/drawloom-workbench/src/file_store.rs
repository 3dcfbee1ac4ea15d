//! A permission store in a file: written whole or not at all, and never read as empty when it is damaged.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Serialize};

use crate::permissions::{PermissionStore, Revocations, StoreError};

/// How large a permissions file may be, in bytes. One a thousand times the usual size still fits.
const MAX_BYTES: u64 = 1024 * 1024;

/// Keeps revocations in a JSON file.
///
/// A file belongs to one workbench: each saves all it knows of, and so would undo what another one saved. The file is
/// whole at any time even so.
///
/// ```
/// use drawloom_workbench::{Capability, FilePermissionStore, Workbench};
///
/// # let dir = std::env::temp_dir().join(format!("drawloom-doc-{}", std::process::id()));
/// # std::fs::create_dir_all(&dir)?;
/// # let path = dir.join("permissions.json");
/// let workbench = Workbench::builder()
///     .grant("copilot", [Capability::Automation])
///     .permission_store(FilePermissionStore::open(&path)?)?
///     .build();
/// workbench.revoke(&"copilot".into(), Capability::Automation)?;
/// assert_eq!(std::fs::read_to_string(&path)?, "{\"revoked\":{\"copilot\":[\"automation\"]}}\n");
/// # std::fs::remove_dir_all(&dir)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct FilePermissionStore {
    path: PathBuf,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Contents {
    revoked: Revocations,
}

impl FilePermissionStore {
    /// Opens the store in this file, which need not exist yet; its folder must.
    ///
    /// # Errors
    /// [`StoreError::Read`] where the file cannot be read. [`StoreError::Damaged`] where it is not what a store
    /// writes: the file is moved aside first, so nothing is lost, and opening again starts empty. Whether to go on
    /// so is for the product, and the person, to say.
    pub fn open(path: impl Into<PathBuf>) -> Result<Self, StoreError> {
        let path = path.into();
        // A link stays a link: what is replaced is the file it leads to.
        let path = fs::canonicalize(&path).unwrap_or(path);
        match read(&path) {
            Ok(_) => Ok(Self { path }),
            Err(Unread::Io(source)) => Err(StoreError::Read { path, source }),
            Err(Unread::Damaged(reason)) => {
                let set_aside =
                    set_aside(&path).map_err(|source| StoreError::Read { path: path.clone(), source })?;
                Err(StoreError::Damaged { path, set_aside, reason })
            }
        }
    }
}

impl PermissionStore for FilePermissionStore {
    fn load(&self) -> Result<Revocations, StoreError> {
        read(&self.path).map_err(|error| StoreError::Read {
            path: self.path.clone(),
            source: match error {
                Unread::Io(source) => source,
                Unread::Damaged(reason) => io::Error::new(io::ErrorKind::InvalidData, reason),
            },
        })
    }

    fn save(&self, revocations: &Revocations) -> Result<(), StoreError> {
        write(&self.path, revocations).map_err(|source| StoreError::Write { path: self.path.clone(), source })
    }
}

enum Unread {
    Io(io::Error),
    Damaged(String),
}

fn read(path: &Path) -> Result<Revocations, Unread> {
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_file() => {}
        Ok(_) => return Err(Unread::Io(io::Error::new(io::ErrorKind::InvalidInput, "it is not a file"))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return absent(path, error),
        Err(error) => return Err(Unread::Io(error)),
    }
    let file = File::open(path).map_err(Unread::Io)?;
    let mut bytes = Vec::new();
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(Unread::Io)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(Unread::Damaged(format!("it is larger than {MAX_BYTES} bytes")));
    }
    // A list would be read as an object's fields in order.
    if bytes.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'[') {
        return Err(Unread::Damaged("it holds a list, not an object".to_owned()));
    }
    serde_json::from_slice::<Contents>(&bytes)
        .map(|contents| contents.revoked)
        .map_err(|error| Unread::Damaged(error.to_string()))
}

/// No file reads as nothing revoked only where one could be written: a folder that is not there, or a link that leads
/// nowhere, may be a disk that is not there, and with it what the person took away.
fn absent(path: &Path, error: io::Error) -> Result<Revocations, Unread> {
    let folder = match path.parent() {
        Some(folder) if folder.as_os_str().is_empty() => Path::new("."),
        Some(folder) => folder,
        None => return Err(Unread::Io(error)),
    };
    let has_name = path.file_name().is_some();
    if has_name && folder.is_dir() && fs::symlink_metadata(path).is_err() {
        return Ok(Revocations::default());
    }
    Err(Unread::Io(error))
}

/// Writes beside the file and moves over it, so that a reader, or a crash, finds the one or the other whole.
fn write(path: &Path, revocations: &Revocations) -> io::Result<()> {
    let mut bytes = serde_json::to_vec(&Contents { revoked: revocations.clone() })?;
    bytes.push(b'\n');
    if bytes.len() as u64 > MAX_BYTES {
        return Err(io::Error::other(format!("they would take more than {MAX_BYTES} bytes")));
    }
    // A name of its own for each write: other stores may write to the same file, in this process too.
    static NEXT: AtomicU64 = AtomicU64::new(1);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let beside = with_suffix(path, &format!(".{}-{number}.new", std::process::id()));
    let written = File::create(&beside).and_then(|mut file| {
        // Whoever was kept from reading the file before is kept from it after.
        if let Ok(before) = fs::metadata(path) {
            file.set_permissions(before.permissions())?;
        }
        file.write_all(&bytes)?;
        file.sync_all()
    });
    let moved = written.and_then(|()| fs::rename(&beside, path));
    if moved.is_err() {
        // What could not be moved is of no use; that it cannot be removed either is not the news.
        let _ = fs::remove_file(&beside);
    }
    moved
}

/// Moves a damaged file to the first free name beside it.
fn set_aside(path: &Path) -> io::Result<PathBuf> {
    for number in 1..=1000 {
        let aside = with_suffix(path, &format!(".damaged-{number}"));
        // Creating first is what keeps an earlier damaged file from being replaced.
        match File::create_new(&aside) {
            Ok(_) => return fs::rename(path, &aside).map(|()| aside),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other("a thousand damaged files stand beside it; remove some"))
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}
