//! A permission store in a file. The file is written completely or not at all, and a damaged file is never read as empty.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::permissions::revocations::Revocations;
use crate::permissions::store::{PermissionStore, StoreError};

/// The largest permissions file that is read or written, in bytes: about a thousand times the usual size.
const MAX_BYTES: u64 = 1024 * 1024;

/// Keeps revocations in a JSON file.
///
/// Use one file for one workbench: each workbench saves everything that it knows, and so would undo what another one
/// saved. The file is complete at any time even then. A new file can be read by its owner only.
///
/// ```
/// use drawloom_workbench::{Capability, FilePermissionStore, Workbench};
///
/// # let dir = std::env::temp_dir().join(format!("drawloom-doc-{}", std::process::id()));
/// # std::fs::create_dir_all(&dir)?;
/// # let path = dir.join("permissions.json");
/// let workbench = Workbench::builder()
///     .grant("copilot", [Capability::Automation])
///     .permission_store(FilePermissionStore::open(&path)?)
///     .build()?;
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
    /// Opens the store in this file. The file need not exist yet, but its folder must.
    ///
    /// # Errors
    /// [`StoreError::Read`] if the file cannot be read. [`StoreError::Damaged`] if the content is not what a store
    /// writes. The file is then moved beside its old name, so that its content is not lost, and opening again starts
    /// empty. The product, or the person, decides whether to continue without it.
    pub fn open(path: impl Into<PathBuf>) -> Result<Self, StoreError> {
        let path = path.into();
        // A link stays a link: the file that it points to is replaced.
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
        Ok(_) => {
            return Err(Unread::Io(io::Error::new(io::ErrorKind::InvalidInput, "the path is not a file")));
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => return absent(path, error),
        Err(error) => return Err(Unread::Io(error)),
    }
    let file = File::open(path).map_err(Unread::Io)?;
    let mut bytes = Vec::new();
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(Unread::Io)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(Unread::Damaged(format!("the file is larger than {MAX_BYTES} bytes")));
    }
    // serde would read a list as the fields of the object in order.
    if bytes.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'[') {
        return Err(Unread::Damaged("the content is a list, not an object".to_owned()));
    }
    serde_json::from_slice::<Contents>(&bytes)
        .map(|contents| contents.revoked)
        .map_err(|error| Unread::Damaged(error.to_string()))
}

/// A missing file means that nothing is revoked, but only if the file could be created. If its folder is missing, or the
/// path is a link to nothing, a disk may be missing, and with it what the person revoked.
fn absent(path: &Path, error: io::Error) -> Result<Revocations, Unread> {
    let has_name = path.file_name().is_some();
    if has_name && folder(path).is_dir() && fs::symlink_metadata(path).is_err() {
        return Ok(Revocations::default());
    }
    Err(Unread::Io(error))
}

/// Writes a file beside it and renames that over it, so that a reader, also after a crash, finds one of the two whole.
fn write(path: &Path, revocations: &Revocations) -> io::Result<()> {
    let mut bytes = serde_json::to_vec(&Contents { revoked: revocations.clone() })?;
    bytes.push(b'\n');
    if bytes.len() as u64 > MAX_BYTES {
        return Err(io::Error::other(format!("the revocations take more than {MAX_BYTES} bytes")));
    }
    // The name is new for each write: other stores may write to the same file, also in this process.
    let mut beside =
        tempfile::Builder::new().prefix(".permissions-").suffix(".new").tempfile_in(folder(path))?;
    // Whoever could not read the previous file cannot read this one.
    if let Ok(before) = fs::metadata(path) {
        beside.as_file().set_permissions(before.permissions())?;
    }
    beside.write_all(&bytes)?;
    beside.as_file().sync_all()?;
    beside.persist(path)?;
    Ok(())
}

fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Moves a damaged file to the first free name beside it.
fn set_aside(path: &Path) -> io::Result<PathBuf> {
    for number in 1..=1000 {
        let aside = with_suffix(path, &format!(".damaged-{number}"));
        // The name is created first, so that no earlier damaged file is replaced.
        match File::create_new(&aside) {
            Ok(_) => return fs::rename(path, &aside).map(|()| aside),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other("there are already 1,000 damaged files beside it; remove some"))
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}
