//! The local names at one place of a source.

use std::collections::HashMap;

use syn::Pat;
use syn::ext::IdentExt;
use syn::visit::{self, Visit};

use super::facts::{ArgumentsSaid, Handler, Said};
use super::imports::Imports;

/// What a local name stands for.
#[derive(Clone, Debug)]
pub(crate) enum Local {
    Said(Said),
    /// A command that is being declared.
    Command(usize),
    Arguments(Vec<ArgumentsSaid>),
    Handler(Handler),
    /// A parameter, a variable of a loop, something that changes.
    AtRunTime,
}

/// The names that are visible at one place.
#[derive(Debug, Default)]
pub(crate) struct Scope {
    pub(crate) imports: Imports,
    frames: Vec<HashMap<String, Local>>,
}

impl Scope {
    pub(crate) fn new(imports: Imports) -> Self {
        Self { imports, frames: vec![HashMap::new()] }
    }

    pub(crate) fn enter(&mut self) {
        self.frames.push(HashMap::new());
    }

    pub(crate) fn leave(&mut self) {
        self.frames.pop();
    }

    /// Hides the local names, for an item within a function. Gives them back to restore them.
    pub(crate) fn hide(&mut self) -> Vec<HashMap<String, Local>> {
        std::mem::replace(&mut self.frames, vec![HashMap::new()])
    }

    pub(crate) fn restore(&mut self, frames: Vec<HashMap<String, Local>>) {
        self.frames = frames;
    }

    pub(crate) fn bind(&mut self, name: String, local: Local) {
        if let Some(frame) = self.frames.last_mut() {
            frame.insert(name, local);
        }
    }

    /// Gives a name that is bound already another meaning.
    pub(crate) fn rebind(&mut self, name: &str, local: Local) {
        if let Some(bound) = self.frames.iter_mut().rev().find_map(|frame| frame.get_mut(name)) {
            *bound = local;
        }
    }

    pub(crate) fn local(&self, name: &str) -> Option<&Local> {
        self.frames.iter().rev().find_map(|frame| frame.get(name))
    }

    /// Binds every name of a pattern to something that only the running program knows.
    pub(crate) fn bind_pattern(&mut self, pattern: &Pat) {
        let mut names = Names(Vec::new());
        names.visit_pat(pattern);
        for name in names.0 {
            // A name in capitals is a constant that is compared with.
            if !name.starts_with(char::is_uppercase) {
                self.bind(name, Local::AtRunTime);
            }
        }
    }
}

/// The names that a pattern binds.
struct Names(Vec<String>);

impl<'ast> Visit<'ast> for Names {
    fn visit_pat_ident(&mut self, pattern: &'ast syn::PatIdent) {
        self.0.push(pattern.ident.unraw().to_string());
        visit::visit_pat_ident(self, pattern);
    }
}
