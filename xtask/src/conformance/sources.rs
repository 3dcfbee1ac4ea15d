//! Finds the tests of the scenarios and their modules in the sources: where each stands and what its doc comment says.
//! Follows `mod` declarations as rustc does, and looks into every one of them whatever its `#[cfg]`: which
//! tests exist is the harness's word. A test that a macro writes is not found; see `refused`.

use std::path::{Path, PathBuf};

use syn::{Attribute, Expr, ExprLit, Item, ItemFn, ItemMod, Lit, Meta};

use super::refused::{ASYNC_TEST, refused, spelled};
use super::slug::without_raw;
use crate::report::{CouldNotRun, Difference, Place, read};

/// A test or a module.
#[derive(Debug, PartialEq)]
pub(crate) struct Source {
    /// Its path as slugs spell it.
    pub(crate) path: String,
    pub(crate) place: Place,
    pub(crate) doc: String,
}

/// What the sources of test binaries hold.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Sources {
    pub(crate) tests: Vec<Source>,
    pub(crate) modules: Vec<Source>,
    /// What may not be in them.
    pub(crate) refused: Vec<Difference>,
}

impl Sources {
    /// Adds those of the crate whose root is `main`, a path from `root`.
    pub(crate) fn add(&mut self, root: &Path, main: &Path) -> Result<(), CouldNotRun> {
        let scope =
            Scope { file: main.to_path_buf(), directory: parent(main), inline: false, modules: Vec::new() };
        Walk { root, found: self }.file(&scope, &[])
    }
}

struct Walk<'a> {
    root: &'a Path,
    found: &'a mut Sources,
}

/// Where in the crate the walk is.
#[derive(Clone)]
struct Scope {
    file: PathBuf,
    /// Where the modules declared here have their files.
    directory: PathBuf,
    /// Whether this is a `mod x { … }` within the file.
    inline: bool,
    modules: Vec<String>,
}

impl Walk<'_> {
    /// Reads a file, whose module has these attributes where it is declared.
    fn file(&mut self, scope: &Scope, declared: &[Attribute]) -> Result<(), CouldNotRun> {
        let text = read(self.root, &scope.file)?;
        let file = syn::parse_file(&text).map_err(|error| CouldNotRun::Unparsable {
            place: Place::new(&scope.file, error.span().start().line),
            detail: error.to_string(),
        })?;
        let place = Place::new(&scope.file, 1);
        self.found.refused.extend(refused(&file, &place));
        self.found.modules.push(Source {
            path: scope.modules.join("::"),
            place,
            doc: doc(declared.iter().chain(&file.attrs)),
        });
        self.items(&file.items, scope)
    }

    fn items(&mut self, items: &[Item], scope: &Scope) -> Result<(), CouldNotRun> {
        for item in items {
            match item {
                Item::Fn(function) if is_test(function) => self.found.tests.push(test(function, scope)),
                Item::Mod(module) => self.module(module, scope)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn module(&mut self, module: &ItemMod, outer: &Scope) -> Result<(), CouldNotRun> {
        let name = without_raw(&module.ident.to_string());
        let mut scope = outer.clone();
        scope.modules.push(name.clone());
        scope.directory.push(&name);
        if let Some((_, items)) = &module.content {
            scope.inline = true;
            let path = scope.modules.join("::");
            let place = Place::new(&scope.file, module.ident.span().start().line);
            self.found.modules.push(Source { path, place, doc: doc(&module.attrs) });
            return self.items(items, &scope);
        }
        scope.inline = false;
        if let Some(path) = module.attrs.iter().find_map(|attribute| text_of(attribute, "path")) {
            scope.file =
                if outer.inline { outer.directory.join(path) } else { parent(&outer.file).join(path) };
            scope.directory = parent(&scope.file);
        } else {
            let beside = outer.directory.join(format!("{name}.rs"));
            let within = outer.directory.join(&name).join("mod.rs");
            scope.file = if self.root.join(&within).exists() { within } else { beside };
        }
        self.file(&scope, &module.attrs)
    }
}

fn parent(file: &Path) -> PathBuf {
    file.parent().map(Path::to_path_buf).unwrap_or_default()
}

/// Whether an attribute makes it a test: `#[test]`, or that of the one runtime that is known. No other counts.
pub(super) fn is_test(function: &ItemFn) -> bool {
    let mut attributes = function.attrs.iter();
    attributes.any(|attribute| attribute.path().is_ident("test") || spelled(attribute.path()) == ASYNC_TEST)
}

fn test(function: &ItemFn, scope: &Scope) -> Source {
    let name = function.sig.ident.to_string();
    let path = scope.modules.iter().map(String::as_str).chain([name.as_str()]).collect::<Vec<_>>().join("::");
    Source {
        path: without_raw(&path),
        place: Place::new(&scope.file, function.sig.ident.span().start().line),
        doc: doc(&function.attrs),
    }
}

/// The doc comment that attributes make up.
fn doc<'a>(attributes: impl IntoIterator<Item = &'a Attribute>) -> String {
    let lines = attributes.into_iter().filter_map(|attribute| text_of(attribute, "doc"));
    unindented(&lines.collect::<Vec<_>>().join("\n"))
}

/// The text of `#[name = "text"]`. A doc comment is a `#[doc = "text"]` per line.
pub(super) fn text_of(attribute: &Attribute, name: &str) -> Option<String> {
    match &attribute.meta {
        Meta::NameValue(meta) if meta.path.is_ident(name) => match &meta.value {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
            _ => None,
        },
        _ => None,
    }
}

/// Takes the space after `///` away where every line has it, as rustdoc does.
fn unindented(doc: &str) -> String {
    let lines = || doc.lines().filter(|line| !line.trim().is_empty());
    if !lines().all(|line| line.starts_with(' ')) {
        return doc.to_owned();
    }
    doc.lines().map(|line| line.strip_prefix(' ').unwrap_or(line)).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A crate of these files; its tests, or why they could not be read.
    fn found(files: &[(&str, &str)]) -> Result<Sources, CouldNotRun> {
        let root = tempfile::tempdir().unwrap();
        for (file, text) in files {
            let path = root.path().join("scenarios").join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let mut found = Sources::default();
        found.add(root.path(), Path::new("scenarios/main.rs"))?;
        Ok(found)
    }

    fn paths(files: &[(&str, &str)]) -> Vec<(String, String)> {
        found(files).unwrap().tests.into_iter().map(|test| (test.path, test.place.to_string())).collect()
    }

    fn pair(path: &str, place: &str) -> (String, String) {
        (path.to_owned(), place.to_owned())
    }

    #[test]
    fn modules_are_followed_into_their_files() {
        let files = [
            ("main.rs", "mod a;\nmod b;\nmod c { mod d; #[cfg(test)] mod e {\n#[test] fn t() {} } }"),
            ("a.rs", "mod inner;"),
            ("a/inner.rs", "#[test] fn t() {}"),
            ("b/mod.rs", "mod inner;"),
            ("b/inner/mod.rs", "#[test]\nfn t() {}"),
            ("c/d.rs", "#[test] fn t() {}"),
            ("unknown.rs", "#[test] fn lost() {}"),
        ];
        assert_eq!(
            paths(&files),
            [
                pair("a::inner::t", "scenarios/a/inner.rs:1"),
                pair("b::inner::t", "scenarios/b/inner/mod.rs:2"),
                pair("c::d::t", "scenarios/c/d.rs:1"),
                pair("c::e::t", "scenarios/main.rs:4"),
            ]
        );
    }

    #[test]
    fn a_module_can_name_its_file() {
        let files = [
            ("main.rs", "#[path = \"x/support.rs\"] mod a; mod b { #[path = \"c.rs\"] mod d; }"),
            ("x/support.rs", "mod inner;"),
            ("x/inner.rs", "#[test] fn t() {}"),
            ("b/c.rs", "#[test] fn t() {}"),
        ];
        let expected = [pair("a::inner::t", "scenarios/x/inner.rs:1"), pair("b::d::t", "scenarios/b/c.rs:1")];
        assert_eq!(paths(&files), expected);
    }

    #[test]
    fn raw_names_are_plain() {
        let files =
            [("main.rs", "mod r#move;"), ("move.rs", "#[tokio::test] async fn r#match() {} fn helper() {}")];
        assert_eq!(paths(&files), [pair("move::match", "scenarios/move.rs:1")]);
    }

    #[test]
    fn a_doc_comment_is_its_lines_without_their_first_space() {
        let text = "/// - **WHEN** a\n///   b\n///\n#[test]\n/// - **THEN** c\n\
                    #[ignore = \"slow\"]\nfn t() {}\n#[doc = \"x\"]\n#[test] fn u() {}";
        let docs: Vec<_> =
            found(&[("main.rs", text)]).unwrap().tests.into_iter().map(|test| test.doc).collect();
        assert_eq!(docs, ["- **WHEN** a\n  b\n\n- **THEN** c", "x"]);
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        let error = found(&[("main.rs", "mod gone;")]).unwrap_err();
        assert!(error.to_string().ends_with("gone.rs\": No such file or directory (os error 2)"), "{error}");

        let error = found(&[("main.rs", "fn a() {}\nfn b( {}")]).unwrap_err();
        assert!(error.to_string().starts_with("cannot parse scenarios/main.rs:2: "), "{error}");
    }

    #[test]
    fn only_test_functions_count() {
        let text =
            "#[test] fn a() {} #[tokio::test] async fn b() {} #[other::test] fn c() {} #[rstest] fn d() {}";
        assert_eq!(
            paths(&[("main.rs", text)]),
            [pair("a", "scenarios/main.rs:1"), pair("b", "scenarios/main.rs:1")]
        );
    }

    #[test]
    fn a_module_has_the_doc_comments_of_its_declaration_and_its_file() {
        let files = [
            ("main.rs", "//! m\n/// a\nmod a;\n/// b\nmod b {\n//! c\n}"),
            ("a.rs", "//! d\n#[should_panic]\nfn f() {}"),
        ];
        let found = found(&files).unwrap();
        let modules: Vec<_> =
            found.modules.iter().map(|it| (&*it.path, it.place.to_string(), &*it.doc)).collect();
        let main = |line| format!("scenarios/main.rs:{line}");
        let expected =
            [("", main(1), "m"), ("a", "scenarios/a.rs:1".to_owned(), "a\nd"), ("b", main(5), "b\nc")];
        assert_eq!(modules, expected);
        assert_eq!(found.refused.len(), 1);
        assert!(found.refused[0].to_string().starts_with("scenarios/a.rs:2: should_panic"), "{found:?}");
    }
}
