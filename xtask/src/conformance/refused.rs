//! What the sources of the scenarios may not contain, because with it a test could exist that this check does not see as it
//! is, or pass without proving its scenario: tests that macros write, expected panics, and bullets that belong to no test.

use proc_macro2::Span;
use syn::visit::{self, Visit};
use syn::{Attribute, File, ItemFn, ItemMacro, ItemMod, ItemUse, UseTree};

use super::markdown::steps;
use super::sources::{is_test, text_of};
use crate::report::{Difference, Place};

/// Attributes that write no test, do not take one away, and do not change what its result means. `cfg` is not needed by a
/// test that has no twin, and a twin is seen where all tests are known.
const HARMLESS: [&str; 14] = [
    "allow",
    "cfg",
    "deny",
    "derive",
    "doc",
    "expect",
    "ignore",
    "inline",
    "must_use",
    "path",
    "rustfmt::skip",
    "test",
    "track_caller",
    "warn",
];
/// The attributes of a runtime that make a test of an asynchronous function.
pub(super) const ASYNC_TEST: &str = "tokio::test";
/// The macros that write no test.
const HARMLESS_MACROS: [&str; 2] = ["std::thread_local", "thread_local"];

/// What is refused in a file, which is named by a place in it.
pub(super) fn refused(file: &File, place: &Place) -> Vec<Difference> {
    let mut refused = Refused { place, test: None, differences: Vec::new() };
    refused.attributes(&file.attrs);
    refused.visit_file(file);
    refused.differences
}

struct Refused<'a> {
    place: &'a Place,
    /// Where the bullets of the test that is being visited may stand: what is between its documentation and its name.
    test: Option<Span>,
    differences: Vec<Difference>,
}

impl Refused<'_> {
    fn differs(&mut self, span: Span, what: impl Into<String>) {
        self.differences.push(Difference::at(&self.place.at_line(span.start().line), what));
    }

    fn attributes(&mut self, attributes: &[Attribute]) {
        for attribute in attributes {
            let name = spelled(attribute.path());
            if name == "should_panic" {
                self.differs(
                    attribute.pound_token.span,
                    "should_panic passes for any panic; catch the panic and look at it",
                );
            } else if !HARMLESS.contains(&&*name) && name != ASYNC_TEST {
                let what = format!(
                    "the attribute \"{name}\" can write, change or leave out tests; write them out with #[test]"
                );
                self.differs(attribute.pound_token.span, what);
            }
        }
    }
}

impl<'ast> Visit<'ast> for Refused<'_> {
    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        if introduces_test(&item.tree) {
            self.differs(
                item.use_token.span,
                "this gives \"test\" another meaning; write the path where it is used",
            );
        }
    }

    fn visit_item_fn(&mut self, function: &'ast ItemFn) {
        self.attributes(&function.attrs);
        let outer = self.test.take();
        self.test = is_test(function).then(|| function.sig.ident.span());
        for attribute in &function.attrs {
            self.visit_attribute(attribute);
        }
        self.test = outer;
        // Not the signature: it has nothing that could be refused. What the body declares is no test.
        self.visit_block(&function.block);
    }

    fn visit_item_mod(&mut self, module: &'ast ItemMod) {
        self.attributes(&module.attrs);
        visit::visit_item_mod(self, module);
    }

    fn visit_item_macro(&mut self, item: &'ast ItemMacro) {
        let name = spelled(&item.mac.path);
        // A definition writes nothing until it is used.
        if item.ident.is_none() && !HARMLESS_MACROS.contains(&&*name) {
            self.differs(
                item.mac.bang_token.span,
                format!("the macro \"{name}!\" can write tests; write them out"),
            );
        }
        visit::visit_item_macro(self, item);
    }

    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        let Some(text) = text_of(attribute, "doc") else { return };
        // The comment of a test comes before its name; within its braces it is misplaced.
        let in_its_place = self.test.is_some_and(|name| {
            let (comment, name) = (attribute.pound_token.span.start(), name.start());
            (comment.line, comment.column) < (name.line, name.column)
        });
        let (steps, _) = steps(text.trim());
        if !in_its_place && steps.iter().any(|step| step.keyword().is_some()) {
            self.differs(
                attribute.pound_token.span,
                "a scenario's bullet that is in no comment of a test; move or remove it",
            );
        }
    }
}

fn introduces_test(tree: &UseTree) -> bool {
    match tree {
        UseTree::Path(path) => introduces_test(&path.tree),
        UseTree::Name(name) => name.ident == "test",
        UseTree::Rename(rename) => rename.rename == "test",
        UseTree::Group(group) => group.items.iter().any(introduces_test),
        UseTree::Glob(_) => false,
    }
}

/// A path as it is usually written.
pub(super) fn spelled(path: &syn::Path) -> String {
    path.segments.iter().map(|segment| segment.ident.to_string()).collect::<Vec<_>>().join("::")
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn told(source: &str) -> Vec<String> {
        let file = syn::parse_file(source).unwrap();
        let differences = refused(&file, &Place::file(Path::new("a.rs")));
        differences.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn tests_that_are_written_out_are_not_refused() {
        let source = "//! Why.
            #![allow(clippy::panic, reason = \"a test\")]
            use std::{test_all, thread};
            macro_rules! both { () => { #[test] fn a() {} } }
            thread_local! { static A: u8 = 1; }
            /// - **WHEN** a
            #[tokio::test(flavor = \"multi_thread\")]
            /// - **THEN** b
            async fn runs() { both! {} }
            /// Prose.
            #[derive(Debug)] struct A { #[serde(default)] a: u8 }";
        assert_eq!(told(source), [""; 0]);
    }

    #[test]
    fn an_expected_panic_is_refused() {
        let what = "should_panic passes for any panic; catch the panic and look at it";
        assert_eq!(
            told("#[test]\n#[should_panic(expected = \"a\")]\nfn a() {}"),
            [format!("a.rs:2: {what}")]
        );
        assert_eq!(told("mod a { #[should_panic]\n#[test] fn a() {} }"), [format!("a.rs:1: {what}")]);
    }

    #[test]
    fn what_can_write_tests_is_refused() {
        let what = |line, name| {
            format!(
                "a.rs:{line}: the attribute \"{name}\" can write, change or leave out tests; write them out with #[test]"
            )
        };
        assert_eq!(told("#[rstest]\nfn a() {}"), [what(1, "rstest")]);
        assert_eq!(told("#[test]\n#[cfg_attr(unix, ignore)]\nfn a() {}"), [what(2, "cfg_attr")]);
        assert_eq!(told("#[other::test] fn a() {}"), [what(1, "other::test")]);
        assert_eq!(told("mod a {\n#[cases] mod b {} }"), [what(2, "cases")]);
        assert_eq!(told("#![cfg_attr(unix, x)]"), [what(1, "cfg_attr")]);
        let what = |name| format!("a.rs:1: the macro \"{name}!\" can write tests; write them out");
        assert_eq!(told("both! {}"), [what("both")]);
        assert_eq!(told("mod a { include!(\"tests.rs\"); }"), [what("include")]);
    }

    #[test]
    fn another_meaning_of_test_is_refused() {
        let what = "a.rs:1: this gives \"test\" another meaning; write the path where it is used";
        for source in ["use a::test;", "use a::{b, c as test};", "mod a { pub use b::test; }"] {
            assert_eq!(told(source), [what], "{source}");
        }
    }

    #[test]
    fn bullets_that_belong_to_no_test_are_refused() {
        let what = |line| {
            format!("a.rs:{line}: a scenario's bullet that is in no comment of a test; move or remove it")
        };
        assert_eq!(told("//! - **WHEN** a"), [what(1)]);
        assert_eq!(told("/// Why.\n/// - **WHEN** a\nfn helper() {}"), [what(2)]);
        assert_eq!(told("#[test] fn a() {\n//! **THEN** a\n}"), [what(2)]);
        assert_eq!(told("#[test] fn a() {\n/// - **and** a\nlet b = 1; }"), [what(2)]);
        assert_eq!(told("struct A {\n/// - **THEN** a\nb: u8 }"), [what(2)]);
    }
}
