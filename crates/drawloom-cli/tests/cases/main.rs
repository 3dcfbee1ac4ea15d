//! Black-box cases: each plays a run on a workbench with the binary `drawloom`, and compares what it prints.
//!
//! A case is a file under `tests/fixtures`, and its name is the name of a test here. The expected lines were written from
//! what drawloom guarantees, never from what it printed.
#![allow(
    clippy::disallowed_methods,
    reason = "a test reads its own files, and these lints are for the binary"
)]
#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a case that cannot be read or played fails"
)]

#[path = "../support/binary.rs"]
mod binary;
mod drive;
mod guide;
mod replay;

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

/// A folder of cases.
fn folder(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)
}

/// Asserts that a folder has exactly these cases.
fn assert_cases(name: &str, tests: &[&str]) {
    let tests: BTreeSet<_> = tests.iter().map(|name| file_name(name)).collect();
    let files =
        fs::read_dir(folder(name)).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
    assert_eq!(tests, files.collect());
}

/// The file of the case that this test plays.
fn file_name(test: &str) -> String {
    format!("{}.json", test.replace('_', "-"))
}

/// Defines one test for each case of a folder, and one test that none is missing.
macro_rules! cases {
    ($folder:literal, $play:path, $($name:ident,)*) => {
        $(
            #[test]
            fn $name() {
                $play(&$crate::folder($folder).join($crate::file_name(stringify!($name))));
            }
        )*

        #[test]
        fn every_file_is_a_test() {
            $crate::assert_cases($folder, &[$(stringify!($name)),*]);
        }
    };
}
use cases;
