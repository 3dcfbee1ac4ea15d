//! A permission store in a file. The file is written completely or not at all, a damaged file is never read as empty, and
//! processes that share the file do not lose each other's changes.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::permissions::revocations::{RevocationChanges, Revocations};
use crate::permissions::store::{PermissionStore, StoreError};

/// The largest permissions file that is read or written, in bytes: about a thousand times the usual size.
const MAX_BYTES: u64 = 1024 * 1024;

/// How often a save tries to take the lock file, and how long it waits in between: 5 seconds in all.
const LOCK_TRIES: u32 = 500;
const LOCK_PAUSE: Duration = Duration::from_millis(10);

/// Keeps revocations in a JSON file.
///
/// Several processes, and several workbenches of one process, may use one file: a save takes the lock file beside it (the
/// same name with `.lock`), reads what the file holds now, and makes only its own changes to that. What another process
/// revoked is in force here after the next start.
///
/// The file is complete at any time, also after a crash during a save. A new file can be read by its owner only.
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
    /// [`StoreError::Read`] if the file cannot be read. [`StoreError::Damaged`] if the content is not what a store writes.
    /// The file is left as it is, so that every start is refused until a person decides: somebody repairs the file, or the
    /// product calls [`FilePermissionStore::set_damaged_aside`].
    pub fn open(path: impl Into<PathBuf>) -> Result<Self, StoreError> {
        let path = path.into();
        // A link stays a link: the file that it points to is replaced.
        let path = fs::canonicalize(&path).unwrap_or(path);
        let store = Self { path };
        store.load().map(|_| store)
    }

    /// Moves a damaged file to the first free name beside it and returns that name. Opening then starts with nothing
    /// revoked.
    ///
    /// Call it only because a person decided to: everything that was revoked is granted again.
    ///
    /// # Errors
    /// [`StoreError::NotDamaged`] if the file is not damaged, [`StoreError::Read`] if it cannot be read, and
    /// [`StoreError::Write`] if it cannot be moved.
    pub fn set_damaged_aside(path: impl Into<PathBuf>) -> Result<PathBuf, StoreError> {
        let path = path.into();
        let path = fs::canonicalize(&path).unwrap_or(path);
        let cannot_write = |source| StoreError::Write { path: path.clone(), source };
        // Nobody may write a new file between the check and the move.
        let _locked = lock(&path).map_err(cannot_write)?;
        match read(&path) {
            Ok(_) => Err(StoreError::NotDamaged { path }),
            Err(Unread::Io(source)) => Err(StoreError::Read { path, source }),
            Err(Unread::Damaged(_)) => set_aside(&path).map_err(cannot_write),
        }
    }

    /// Makes changes to what the file holds now.
    fn update(&self, change: impl FnOnce(&mut Revocations)) -> Result<(), StoreError> {
        let cannot_write = |source| StoreError::Write { path: self.path.clone(), source };
        let _locked = lock(&self.path).map_err(cannot_write)?;
        let mut revocations = self.load()?;
        change(&mut revocations);
        write(&self.path, &revocations).map_err(cannot_write)
    }
}

impl PermissionStore for FilePermissionStore {
    fn load(&self) -> Result<Revocations, StoreError> {
        let path = || self.path.clone();
        read(&self.path).map_err(|error| match error {
            Unread::Io(source) => StoreError::Read { path: path(), source },
            Unread::Damaged(reason) => StoreError::Damaged { path: path(), reason },
        })
    }

    fn save(&self, revocations: &Revocations) -> Result<(), StoreError> {
        self.update(|kept| *kept = revocations.clone())
    }

    fn save_changes(&self, changes: &RevocationChanges, _: &Revocations) -> Result<(), StoreError> {
        self.update(|kept| changes.apply_to(kept))
    }
}

/// Takes the lock file of a permissions file, until the returned file is closed. The operating system releases it if the
/// process ends.
fn lock(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.create(true).truncate(false).write(true);
    // Whoever could open the file could take the lock and keep it.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(with_suffix(path, ".lock"))?;
    for _ in 0..LOCK_TRIES {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) => thread::sleep(LOCK_PAUSE),
            Err(TryLockError::Error(error)) => return Err(error),
        }
    }
    Err(io::Error::new(io::ErrorKind::TimedOut, "another process holds the lock file; stop it or try again"))
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
    // The name is random, and the file is created exclusively: nobody can create it in advance, for example as a link.
    let prefix = beside_prefix(path)?;
    remove_left_over(folder(path), &prefix);
    let mut beside = tempfile::Builder::new()
        .prefix(&prefix)
        .rand_bytes(RANDOM_LETTERS)
        .suffix(BESIDE_SUFFIX)
        .tempfile_in(folder(path))?;
    // Whoever could not read the previous file cannot read this one.
    if let Ok(before) = fs::metadata(path) {
        beside.as_file().set_permissions(before.permissions())?;
    }
    beside.write_all(&bytes)?;
    beside.as_file().sync_all()?;
    beside.persist(path)?;
    sync_folder(folder(path))
}

/// The new file is `.`, the name of the permissions file, `.`, random letters and `.new`.
const RANDOM_LETTERS: usize = 12;
const BESIDE_SUFFIX: &str = ".new";

fn beside_prefix(path: &Path) -> io::Result<OsString> {
    let name = path
        .file_name()
        .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "the path names no file"))?;
    let mut prefix = OsString::from(".");
    prefix.push(name);
    prefix.push(".");
    Ok(prefix)
}

/// Removes what a process that was killed during a save left behind. The lock is held, so nobody is writing now. What
/// cannot be removed stays; it does no harm.
fn remove_left_over(folder: &Path, prefix: &OsStr) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let letters = name
            .as_encoded_bytes()
            .strip_prefix(prefix.as_encoded_bytes())
            .and_then(|rest| rest.strip_suffix(BESIDE_SUFFIX.as_bytes()));
        if letters.is_some_and(|letters| {
            letters.len() == RANDOM_LETTERS && letters.iter().all(u8::is_ascii_alphanumeric)
        }) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Makes a rename in a folder permanent. Without it, the old file could be back after a power failure.
#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    match File::open(folder)?.sync_all() {
        // Some file systems cannot do it, and say so in one of these ways.
        Err(error) if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) => {
            Ok(())
        }
        result => result,
    }
}

/// Other systems offer no way to do it.
#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
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
            Ok(_) => {
                fs::rename(path, &aside)?;
                return sync_folder(folder(path)).map(|()| aside);
            }
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
