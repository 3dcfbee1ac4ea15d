//! The port that keeps revocations beyond the process, and why a change was not kept.

use std::path::PathBuf;

use crate::contain::{contained, logging};
use crate::permissions::capability::Capability;
use crate::permissions::revocations::{RevocationChanges, Revocations};

/// Keeps revocations beyond the process.
pub trait PermissionStore: Send + Sync {
    /// What was kept. It is called each time a workbench is built on the store.
    ///
    /// # Errors
    /// If the revocations cannot be read. An error is never taken to mean that nothing was revoked.
    fn load(&self) -> Result<Revocations, StoreError>;

    /// Keeps these in place of what was kept before. No two saves of one workbench overlap.
    ///
    /// # Errors
    /// If they cannot be kept. What was kept before is then unchanged.
    fn save(&self, revocations: &Revocations) -> Result<(), StoreError>;

    /// Keeps the changes since the last save. `revocations` is everything that this workbench knows after them.
    ///
    /// A store that several processes, or several workbenches, share makes these changes to what it holds, so that nothing
    /// that another one saved is lost. The default keeps `revocations` in place of what was kept before.
    ///
    /// # Errors
    /// If they cannot be kept. What was kept before is then unchanged.
    fn save_changes(&self, changes: &RevocationChanges, revocations: &Revocations) -> Result<(), StoreError> {
        let _ = changes;
        self.save(revocations)
    }
}

/// Why a store did not load or keep revocations.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The file could not be read.
    #[error("the permissions in \"{}\" cannot be read: {source}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// The file could not be written. The previous file is unchanged.
    #[error("the permissions cannot be written to \"{}\": {source}", .path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// The file is damaged. It stays where it is, and every start is refused until a person decides: somebody repairs the
    /// file, or [`FilePermissionStore::set_damaged_aside`](crate::FilePermissionStore::set_damaged_aside) is called.
    #[error(
        "the permissions in \"{}\" are damaged ({reason}); repair the file, or set it aside to continue with nothing \
         revoked",
        .path.display()
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The file is not damaged, so it is not set aside.
    #[error("the permissions in \"{}\" are not damaged; the file was not set aside", .path.display())]
    NotDamaged {
        /// The file.
        path: PathBuf,
    },
    /// The store panicked.
    #[error("the permission store panicked")]
    Panicked,
    /// An error of a store that the product supplies.
    #[error("{0}")]
    Other(String),
}

impl StoreError {
    /// A stable name for this kind of error.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Read { .. } => "store-read",
            Self::Write { .. } => "store-write",
            Self::Damaged { .. } => "store-damaged",
            Self::NotDamaged { .. } => "store-not-damaged",
            Self::Panicked => "store-panicked",
            Self::Other(_) => "store-other",
        }
    }
}

/// Why a permission was not changed, or the change was not kept.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PermissionError {
    /// The person cannot revoke this capability.
    #[error("\"{capability}\" cannot be revoked")]
    NotRevocable {
        /// The capability.
        capability: Capability,
    },
    /// The change is in force until the process ends, but was not kept.
    #[error("the change is in force until the process ends, but was not kept: {0}")]
    NotKept(#[from] StoreError),
}

impl PermissionError {
    /// A stable name for this kind of error.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotRevocable { .. } => "not-revocable",
            Self::NotKept(error) => error.code(),
        }
    }
}

/// Loads what a store keeps, without what nobody can revoke.
pub(crate) fn load(store: &dyn PermissionStore) -> Result<Revocations, StoreError> {
    let loaded = contained("permission store", || store.load());
    let mut revocations = loaded.unwrap_or(Err(StoreError::Panicked))?;
    if revocations.drop_irrevocable() {
        logging(|| {
            tracing::warn!("a stored revocation of \"contributions\" was dropped: it cannot be revoked")
        });
    }
    Ok(revocations)
}

pub(crate) fn save(
    store: &dyn PermissionStore,
    changes: &RevocationChanges,
    revocations: &Revocations,
) -> Result<(), StoreError> {
    contained("permission store", || store.save_changes(changes, revocations))
        .unwrap_or(Err(StoreError::Panicked))
}
