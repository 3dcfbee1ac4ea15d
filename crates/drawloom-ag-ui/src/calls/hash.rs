//! Ids as 8-byte keyed hashes, and maps and sets of them.
//!
//! The key is random and no agent knows it, so no agent can choose two ids with the same hash. That a new id of a run
//! is taken for one of a million others has a chance of one in 2⁴⁴.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// The keyed hash of an id.
pub(super) type IdHash = u64;
/// A map by the hash of an id.
pub(super) type IdMap<T> = HashMap<IdHash, T, BuildHasherDefault<AlreadyHashed>>;
/// A set of hashes of ids.
pub(super) type IdSet = HashSet<IdHash, BuildHasherDefault<AlreadyHashed>>;

/// The hash of something that is a hash.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct AlreadyHashed(u64);

impl Hasher for AlreadyHashed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}
