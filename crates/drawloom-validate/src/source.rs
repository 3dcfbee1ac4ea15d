//! One Rust source, read into facts. Nothing of it is built or run.

mod arguments;
mod builder;
mod commands;
mod derives;
mod effects;
mod expression;
pub(crate) mod facts;
mod imports;
mod items;
mod naming;
mod nesting;
mod returns;
mod scope;
mod walk;

use proc_macro2::{Span, TokenStream};
use syn::parse::Parser;

use crate::rule::Rule;
use facts::{Facts, Position};

/// Why a source is not judged, and where, if there is a place.
#[derive(Debug)]
pub(crate) struct NotRead {
    pub(crate) rule: Rule,
    pub(crate) position: Option<Position>,
    pub(crate) message: String,
}

/// Reads a source. It must run where the stack has room for a syntax tree of the depth that `nesting` lets through.
pub(crate) fn read(text: &str, module: Vec<String>, is_test: bool) -> Result<Facts, NotRead> {
    let tokens: TokenStream =
        without_prelude(text).parse().map_err(|error: proc_macro2::LexError| NotRead {
            rule: Rule::UnreadableFile,
            position: Some(position(error.span())),
            message: format!("it is not Rust: {error}"),
        })?;
    if let Err(deep) = nesting::check(&tokens) {
        return Err(NotRead { rule: Rule::NotJudged, position: None, message: deep.message() });
    }
    let file = <syn::File as syn::parse::Parse>::parse.parse2(tokens).map_err(|error| NotRead {
        rule: Rule::UnreadableFile,
        position: Some(position(error.span())),
        message: format!("it is not Rust: {error}"),
    })?;
    Ok(items::read(&file, module, is_test))
}

/// The source without the mark of its encoding and with an empty line in place of `#!/usr/bin/env …`.
fn without_prelude(text: &str) -> &str {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let is_interpreter =
        text.starts_with("#!") && !text.trim_start_matches("#!").trim_start().starts_with('[');
    match text.find('\n') {
        Some(end) if is_interpreter => text.get(end..).unwrap_or_default(),
        None if is_interpreter => "",
        _ => text,
    }
}

/// Forgets the text of the sources that this thread has read, which places are looked up in.
pub(crate) fn forget() {
    proc_macro2::extra::invalidate_current_thread_spans();
}

fn position(span: Span) -> Position {
    let start = span.start();
    Position { line: start.line, column: start.column + 1 }
}
