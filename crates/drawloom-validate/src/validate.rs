//! A directory from its files to the report.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::thread;

use drawloom_tools::MAX_TOOLS;

use crate::finding::{Finding, FindingStatus, Location, Problem};
use crate::judge::{Candidate, judge};
use crate::limits::ValidationLimits;
use crate::report::Report;
use crate::resolve::{Resolved, Sources};
use crate::rule::Rule;
use crate::source;
use crate::translations::Translations;
use crate::walk::{FileKind, SourceFile, walk};

/// The stack for reading sources. Only what a deep source needs of it is ever used.
const STACK: usize = 256 << 20;
/// The most commands that are judged.
const COMMANDS: usize = 100_000;

/// Why a directory was not judged at all.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ValidateError {
    /// The directory cannot be read.
    #[error("the directory \"{}\" cannot be read: {source}", .path.display())]
    Directory {
        /// The directory.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// The directory of translations cannot be read.
    #[error("the translations \"{}\" cannot be read: {source}", .path.display())]
    Translations {
        /// The directory.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// No thread could be started to read the sources on.
    #[error("no thread can be started to read the sources: {0}")]
    Thread(io::Error),
    /// The check itself failed.
    #[error("the check failed; this is a defect of drawloom-validate")]
    Defect,
}

impl ValidateError {
    /// A stable name for this kind of error.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Directory { .. } => "unreadable-directory",
            Self::Translations { .. } => "unreadable-translations",
            Self::Thread(_) => "no-thread",
            Self::Defect => "defect",
        }
    }
}

/// A check of the commands in a directory.
///
/// ```
/// use drawloom_validate::{FindingStatus, Validation};
///
/// # let directory = std::env::temp_dir().join(format!("drawloom-validate-{}", std::process::id()));
/// # std::fs::create_dir_all(&directory)?;
/// std::fs::write(directory.join("notes.rs"), r#"
///     fn commands() -> Vec<Command> {
///         vec![Command::new("notes.open", "Open note").callable()]
///     }
/// "#)?;
/// let report = Validation::of_directory(&directory).run()?;
/// let finding = &report.findings[0];
/// assert_eq!(finding.command.as_deref(), Some("notes.open"));
/// assert!(matches!(finding.status, FindingStatus::AgentGuesses(_)));
/// # std::fs::remove_dir_all(&directory)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "a check does nothing until it is run"]
pub struct Validation {
    directory: PathBuf,
    translations: Option<PathBuf>,
    limits: ValidationLimits,
}

impl Validation {
    /// A check of this directory.
    pub fn of_directory(directory: impl Into<PathBuf>) -> Self {
        Self { directory: directory.into(), translations: None, limits: ValidationLimits::default() }
    }

    /// Sets a directory of translations: a JSON file for each language, such as `de.json`, with an object of keys and
    /// texts.
    pub fn translations(mut self, directory: impl Into<PathBuf>) -> Self {
        self.translations = Some(directory.into());
        self
    }

    /// Sets how much of the directory is read.
    pub fn limits(mut self, limits: ValidationLimits) -> Self {
        self.limits = limits;
        self
    }

    /// Reads the directory and judges its commands. Nothing of it is built or run, and no file outside it is opened.
    ///
    /// # Errors
    /// [`ValidateError`] if the directory itself, or the directory of translations, cannot be read. What is wrong with a
    /// file is in the report.
    pub fn run(self) -> Result<Report, ValidateError> {
        let thread = thread::Builder::new().name("drawloom-validate".to_owned()).stack_size(STACK);
        let running = thread.spawn(move || run(&self)).map_err(ValidateError::Thread)?;
        running.join().unwrap_or(Err(ValidateError::Defect))
    }
}

/// A candidate and the translations of the file that it stands in.
type WithTranslations = (Candidate, Option<usize>);

fn run(validation: &Validation) -> Result<Report, ValidateError> {
    let Validation { directory, translations, limits } = validation;
    let unreadable = |source| ValidateError::Directory { path: directory.clone(), source };
    let walk = walk(directory, limits).map_err(unreadable)?;
    let mut problems = walk.problems;
    let translations = match translations {
        None => None,
        Some(path) => Some(
            Translations::read(path, limits, &mut problems)
                .map_err(|source| ValidateError::Translations { path: path.clone(), source })?,
        ),
    };
    let mut sources = Sources::default();
    let mut findings = Vec::new();
    let mut candidates: Vec<WithTranslations> = Vec::new();
    #[cfg(feature = "workbench-files")]
    let mut of_files: Vec<Translations> = Vec::new();
    #[cfg(not(feature = "workbench-files"))]
    let of_files: Vec<Translations> = Vec::new();
    let mut files = 0;
    for file in walk.files {
        match read(&file, limits) {
            Ok(Some(Read::Rust(facts))) => {
                files += 1;
                sources.add(file.name, *facts);
            }
            #[cfg(feature = "workbench-files")]
            Ok(Some(Read::Workbench(read))) => {
                files += 1;
                let own = of_files.len();
                of_files.push(read.translations);
                candidates.extend(read.candidates.into_iter().map(|candidate| (candidate, Some(own))));
            }
            Ok(None) => {}
            Err(problem) => problems.push(problem),
        }
    }
    source::forget();
    sources.leave_out_tests(module_of);
    let in_tests = sources.in_tests();
    for resolved in sources.resolve() {
        match resolved {
            Resolved::Candidate(candidate) => candidates.push((*candidate, None)),
            Resolved::Unreadable { id, location, reason } => findings.push(unread(id, location, reason)),
        }
    }
    if candidates.len() > COMMANDS {
        let message = format!("the directory has more than {COMMANDS} commands; the rest was not judged");
        problems.push(Problem::new(Rule::NotJudged, None, message));
        candidates.truncate(COMMANDS);
    }
    for (candidate, own) in candidates {
        let own: Option<&Translations> = own.and_then(|own| of_files.get(own));
        let missing = translations.as_ref().map(|translations| translations.missing(&candidate, own));
        let mut finding = judge(candidate);
        finding.problems.extend(missing.into_iter().flatten());
        findings.push(finding);
    }
    findings.sort_by(|one, other| one.location.cmp(&other.location));
    duplicates(&mut findings);
    problems.extend(too_many(&findings));
    Ok(Report::new(Some(directory_name(directory)), findings, problems, files, in_tests, walk.passed_over))
}

/// What a file was read as.
enum Read {
    Rust(Box<source::facts::Facts>),
    #[cfg(feature = "workbench-files")]
    Workbench(crate::workbench_file::WorkbenchFile),
}

fn read(file: &SourceFile, limits: &ValidationLimits) -> Result<Option<Read>, Problem> {
    let whole = |rule, message: String| Problem::new(rule, Some(Location::of_file(&*file.name)), message);
    if file.kind == FileKind::Json && !cfg!(feature = "workbench-files") {
        return Ok(None);
    }
    let text = file.read(limits).map_err(|(rule, message)| whole(rule, message))?;
    match file.kind {
        FileKind::Rust => {
            let read = source::read(&text, module_of(&file.name), file.is_test).map_err(|not_read| {
                let location = not_read.position.map_or_else(
                    || Location::of_file(&*file.name),
                    |position| Location::new(&*file.name, position.line, position.column),
                );
                Problem::new(not_read.rule, Some(location), not_read.message)
            });
            source::forget();
            read.map(|facts| Some(Read::Rust(Box::new(facts))))
        }
        #[cfg(feature = "workbench-files")]
        FileKind::Json => Ok(crate::workbench_file::read(&file.name, &text)?.map(Read::Workbench)),
        #[cfg(not(feature = "workbench-files"))]
        FileKind::Json => Ok(None),
    }
}

/// The modules that a file is, as far as its name shows them.
fn module_of(name: &str) -> Vec<String> {
    let name = name.strip_suffix(".rs").unwrap_or(name);
    let mut parts: Vec<String> = name.split('/').map(|part| part.replace('-', "_")).collect();
    if parts.last().is_some_and(|last| ["mod", "lib", "main"].contains(&last.as_str())) {
        parts.pop();
    }
    parts.retain(|part| part != "src");
    parts
}

fn unread(id: Option<String>, location: Location, reason: String) -> Finding {
    let problem = Problem::new(Rule::UnreadableCommand, Some(location.clone()), reason.clone());
    Finding {
        command: id,
        location: Some(location),
        status: FindingStatus::Unreadable { reason },
        problems: vec![problem],
        notes: Vec::new(),
    }
}

/// Ids that are declared again, in the order of their places.
fn duplicates(findings: &mut [Finding]) {
    let mut first: HashMap<String, Location> = HashMap::new();
    for finding in findings {
        let (Some(id), Some(location)) = (&finding.command, &finding.location) else { continue };
        match first.get(id) {
            None => {
                first.insert(id.clone(), location.clone());
            }
            Some(other) => {
                let message = format!(
                    "\"{id}\" is also declared at {other}; a workbench refuses the second registration of an id"
                );
                let problem = Problem::new(Rule::DuplicateId, Some(location.clone()), message);
                finding.problems.push(problem);
            }
        }
    }
}

/// More commands than a model API takes as tools.
pub(crate) fn too_many(findings: &[Finding]) -> Option<Problem> {
    let is_offered = |finding: &&Finding| {
        matches!(finding.status, FindingStatus::Offered(_) | FindingStatus::AgentGuesses(_))
    };
    let offered = findings.iter().filter(is_offered).count();
    (offered > MAX_TOOLS).then(|| {
        let message = format!(
            "{offered} commands are offered, and OpenAI's API refuses a request with more than {MAX_TOOLS} tools"
        );
        Problem::new(Rule::TooManyTools, None, message)
    })
}

fn directory_name(directory: &Path) -> String {
    directory.to_string_lossy().into_owned()
}
