//! The files of a directory, in order: which are read, and which are reported instead. No link is followed out of the
//! directory, and nothing but a regular file is opened.

use std::collections::VecDeque;
use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::finding::{Location, Problem};
use crate::limits::ValidationLimits;
use crate::rule::Rule;

/// How many entries of directories are looked at for each file that the limits allow.
const ENTRIES_PER_FILE: usize = 10;
/// How deep directories may nest.
const DEPTH: usize = 128;
/// How many links, files and directories are reported by name.
const REPORTED: usize = 1_000;
/// Directories of tools, which hold no sources of the project.
const OF_TOOLS: [&str; 2] = ["target", "node_modules"];
/// Directories of test code beside a `Cargo.toml`.
const OF_TESTS: [&str; 2] = ["tests", "benches"];

/// What a file is read as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileKind {
    Rust,
    Json,
}

/// A file to read.
#[derive(Debug)]
pub(crate) struct SourceFile {
    pub(crate) kind: FileKind,
    /// Relative to the directory.
    pub(crate) name: String,
    /// Whether it is test code, by where it is.
    pub(crate) is_test: bool,
    path: PathBuf,
}

/// What was found in a directory.
#[derive(Debug, Default)]
pub(crate) struct Walk {
    pub(crate) files: Vec<SourceFile>,
    pub(crate) problems: Vec<Problem>,
    /// Directories that were not entered: of tools, and hidden ones.
    pub(crate) passed_over: Vec<String>,
    total: u64,
    unreported: usize,
}

/// Looks at a directory.
///
/// # Errors
/// The directory itself cannot be read.
pub(crate) fn walk(root: &Path, limits: &ValidationLimits) -> io::Result<Walk> {
    let mut walk = Walk::default();
    let mut entries_left = limits.files.saturating_mul(ENTRIES_PER_FILE).max(ENTRIES_PER_FILE);
    let mut files_seen = 0_usize;
    let mut pending = VecDeque::from([(root.to_owned(), String::new(), false, 0)]);
    let mut is_root = true;
    while let Some((directory, name, is_test, depth)) = pending.pop_front() {
        let entries = match read_directory(&directory, &mut entries_left) {
            Ok(entries) => entries,
            Err(error) if is_root => return Err(error),
            Err(error) => {
                let problem = format!("the directory cannot be read: {error}; nothing in it was judged");
                walk.report(Rule::UnreadableFile, &name, problem);
                continue;
            }
        };
        is_root = false;
        if entries.is_cut {
            walk.report(
                Rule::NotJudged,
                &name,
                "the directory tree has too many entries; the rest was not judged",
            );
        }
        let is_package = entries.names.iter().any(|entry| entry == "Cargo.toml");
        for entry in entries.names {
            let path = directory.join(&entry);
            let shown = entry.to_string_lossy();
            let name = if name.is_empty() { shown.into_owned() } else { format!("{name}/{shown}") };
            let metadata = match fs::symlink_metadata(&path) {
                Ok(metadata) => metadata,
                Err(error) => {
                    walk.report(Rule::UnreadableFile, &name, format!("it cannot be looked at: {error}"));
                    continue;
                }
            };
            if metadata.is_dir() {
                let entry = entry.to_string_lossy();
                if entry.starts_with('.') || OF_TOOLS.contains(&&*entry) {
                    if walk.passed_over.len() < REPORTED {
                        walk.passed_over.push(name);
                    }
                } else if depth >= DEPTH {
                    walk.report(
                        Rule::NotJudged,
                        &name,
                        "directories nest too deeply; nothing in it was judged",
                    );
                } else {
                    let is_test = is_test || (is_package && OF_TESTS.contains(&&*entry));
                    pending.push_back((path, name, is_test, depth + 1));
                }
                continue;
            }
            // Whatever it is called, a link to a directory leads to what may be commands.
            if metadata.is_symlink() && path.is_dir() {
                walk.report(
                    Rule::LinkNotFollowed,
                    &name,
                    "the link leads to a directory, which was not entered",
                );
                continue;
            }
            let Some(kind) = FileKind::of(&path) else { continue };
            files_seen += 1;
            if files_seen > limits.files {
                let message =
                    format!("the directory has more than {} files; this one was not judged", limits.files);
                walk.report(Rule::NotJudged, &name, message);
                continue;
            }
            walk.look_at(SourceFile { kind, name, is_test, path }, &metadata, root, limits);
        }
    }
    if walk.unreported > 0 {
        let message = format!("{} more files or directories were not judged", walk.unreported);
        walk.problems.push(Problem::new(Rule::NotJudged, None, message));
    }
    walk.files.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(walk)
}

impl Walk {
    fn look_at(&mut self, file: SourceFile, metadata: &Metadata, root: &Path, limits: &ValidationLimits) {
        let mut size = metadata.len();
        if metadata.is_symlink() {
            // A link to a file inside the directory leads to what is judged by its own name.
            let problem = match (fs::canonicalize(&file.path), fs::canonicalize(root)) {
                (Ok(target), Ok(root)) if target.starts_with(&root) => {
                    "the link leads to another place in the directory, which is judged by its own name"
                }
                (Ok(_), _) => "the link leads out of the directory; what it leads to was not judged",
                (Err(_), _) => "the link leads to nothing that can be opened",
            };
            return self.report(Rule::LinkNotFollowed, &file.name, problem);
        }
        if !metadata.is_file() {
            return self.report(
                Rule::UnreadableFile,
                &file.name,
                "it is not a regular file, so it was not opened",
            );
        }
        if size > limits.file_bytes {
            let message =
                format!("it has {size} bytes, more than the {} that are read of one file", limits.file_bytes);
            return self.report(Rule::NotJudged, &file.name, message);
        }
        // An empty file costs an entry, too.
        size = size.max(1);
        if self.total.saturating_add(size) > limits.total_bytes {
            let message =
                format!("the files before it have {} bytes together, the most that is read", self.total);
            return self.report(Rule::NotJudged, &file.name, message);
        }
        self.total += size;
        self.files.push(file);
    }

    fn report(&mut self, rule: Rule, name: &str, message: impl Into<String>) {
        if self.problems.len() >= REPORTED {
            self.unreported += 1;
            return;
        }
        let name = if name.is_empty() { "." } else { name };
        self.problems.push(Problem::new(rule, Some(Location::of_file(name)), message));
    }
}

impl FileKind {
    fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "rs" => Some(Self::Rust),
            "json" => Some(Self::Json),
            _ => None,
        }
    }
}

impl SourceFile {
    /// The text of the file.
    ///
    /// # Errors
    /// Why it is not judged.
    pub(crate) fn read(&self, limits: &ValidationLimits) -> Result<String, (Rule, String)> {
        let unreadable = |error: io::Error| (Rule::UnreadableFile, format!("it cannot be read: {error}"));
        let file = open(&self.path).map_err(unreadable)?;
        // It may have been replaced since it was looked at.
        if !file.metadata().map_err(unreadable)?.is_file() {
            return Err((Rule::UnreadableFile, "it is not a regular file, so it was not read".to_owned()));
        }
        let mut bytes = Vec::new();
        file.take(limits.file_bytes.saturating_add(1)).read_to_end(&mut bytes).map_err(unreadable)?;
        if bytes.len() as u64 > limits.file_bytes {
            return Err((Rule::NotJudged, "it grew beyond the limit while it was read".to_owned()));
        }
        String::from_utf8(bytes).map_err(|error| {
            let message = format!("it is not UTF-8 from byte {} on", error.utf8_error().valid_up_to());
            (Rule::UnreadableFile, message)
        })
    }
}

fn open(path: &Path) -> io::Result<File> {
    let mut options = fs::OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        // A pipe or a link that took the file's place must not hold the check up or lead it away.
        options.custom_flags(NO_FOLLOW_NO_WAIT);
    }
    options.open(path)
}

/// `O_NOFOLLOW | O_NONBLOCK`, whose values differ between systems.
#[cfg(any(target_os = "linux", target_os = "android"))]
const NO_FOLLOW_NO_WAIT: i32 =
    if cfg!(any(target_arch = "aarch64", target_arch = "arm", target_arch = "powerpc64")) {
        0o100_000
    } else {
        0o400_000
    } | 0o4_000;
#[cfg(all(unix, not(any(target_os = "linux", target_os = "android"))))]
const NO_FOLLOW_NO_WAIT: i32 = 0x100 | 0x4;

struct Entries {
    names: Vec<std::ffi::OsString>,
    is_cut: bool,
}

fn read_directory(directory: &Path, left: &mut usize) -> io::Result<Entries> {
    let mut entries = Entries { names: Vec::new(), is_cut: false };
    for entry in fs::read_dir(directory)? {
        if *left == 0 {
            entries.is_cut = true;
            break;
        }
        *left -= 1;
        entries.names.push(entry?.file_name());
    }
    entries.names.sort();
    Ok(entries)
}
