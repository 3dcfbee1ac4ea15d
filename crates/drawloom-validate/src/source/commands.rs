//! The commands of a source: what each one is registered with, and what happens to it on the way.

use std::collections::HashMap;

use syn::ext::IdentExt;
use syn::visit::Visit;
use syn::{Expr, ExprMethodCall, GenericArgument, Pat};

use super::arguments;
use super::builder::{Chain, JUDGED};
use super::expression::{said, type_said, unwrapped};
use super::facts::{ArgumentsSaid, CommandSaid, Continued, Facts, Handler, Path, RegistrationSaid, TypeSaid};
use super::items::bound;
use super::scope::{Local, Scope};
use super::{position, returns};

/// Reads the commands of a source as it walks through it.
pub(crate) struct Reader {
    pub(crate) facts: Facts,
    pub(crate) scope: Scope,
    /// The module, and the type within it, of what is read.
    pub(crate) module: Path,
    pub(crate) function: Option<Path>,
    /// How many conditions, loops and closures lead to what is read.
    pub(crate) conditions: usize,
    pub(crate) is_test: bool,
    /// Under how many conditions each command was bound to a name.
    pub(super) bound: HashMap<usize, usize>,
}
impl Reader {
    pub(crate) fn new(scope: Scope, module: Path) -> Self {
        Self {
            facts: Facts::default(),
            scope,
            module,
            function: None,
            conditions: 0,
            is_test: false,
            bound: HashMap::new(),
        }
    }

    /// Reads test code: its names are known to the other code, and its commands are only counted.
    pub(crate) fn in_test(&mut self, read: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.is_test, true);
        let before = (self.facts.commands.len(), self.facts.continued.len(), self.facts.macro_calls.len());
        read(self);
        self.facts.in_tests += self.facts.commands.len() - before.0;
        self.facts.commands.truncate(before.0);
        self.facts.continued.truncate(before.1);
        self.facts.macro_calls.truncate(before.2);
        self.is_test = outer;
    }

    pub(super) fn command(&mut self, index: usize, change: impl FnOnce(&mut CommandSaid)) {
        if let Some(command) = self.facts.commands.get_mut(index) {
            change(command);
        }
    }

    /// A function's command that is continued where the function is called.
    pub(super) fn continued(&mut self, receiver: &Expr, calls: &[&ExprMethodCall]) {
        let Some(first) = calls.last() else { return };
        if !JUDGED.iter().any(|judged| first.method == judged) {
            return;
        }
        if let Some(path) = self.called_function(receiver) {
            self.facts.continued.push(Continued::Builder(path, position(first.method.span())));
        }
    }

    /// The function that an expression calls.
    pub(super) fn called_function(&self, expression: &Expr) -> Option<Path> {
        match unwrapped(expression) {
            Expr::Try(inner) => self.called_function(&inner.expr),
            Expr::Call(call) => match unwrapped(&call.func) {
                Expr::Path(path) => Some(self.scope.imports.applied(&path.path)),
                _ => None,
            },
            Expr::MethodCall(call) => match unwrapped(&call.receiver) {
                Expr::Path(path) if path.path.is_ident("self") => {
                    let mut own = self.scope.imports.own_type.clone()?;
                    own.push(call.method.unraw().to_string());
                    Some(own)
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// The arguments of any call: a command among them is registered with what follows it.
    pub(super) fn passed<'a>(
        &mut self,
        function: Option<&Path>,
        method: Option<&ExprMethodCall>,
        given: impl Iterator<Item = &'a Expr>,
    ) {
        let mut given = given.peekable();
        while let Some(argument) = given.next() {
            let registration = given.peek().and_then(|next| self.registration(next, method));
            if let Some(chain) = self.chain(argument) {
                let index = chain.index();
                self.command(index, |command| {
                    command.registration = registration.or(command.registration.take());
                    command.passed_to.extend(function.cloned());
                });
                continue;
            }
            let registers = method.is_some_and(|method| method.method.to_string().starts_with("register"));
            if let (true, Some(registration), Some(path)) =
                (registers, registration, self.called_function(argument))
            {
                self.facts.continued.push(Continued::Registered(path, registration));
            }
            self.visit_expr(argument);
        }
    }

    /// What the argument behind a command says of its registration.
    fn registration(&self, handler: &Expr, method: Option<&ExprMethodCall>) -> Option<RegistrationSaid> {
        let is_typed = method.is_some_and(|method| method.method == "register_typed");
        let turbofish =
            method.and_then(|method| method.turbofish.as_ref()).and_then(|turbofish| turbofish.args.first());
        let arguments = match turbofish {
            Some(GenericArgument::Type(kind)) => Some(type_said(kind, &self.scope.imports)),
            _ => None,
        };
        let handler = match self.handler(handler) {
            None if is_typed => Handler::Unknown,
            handler => handler?,
        };
        Some(RegistrationSaid {
            handler,
            is_typed,
            arguments: arguments.filter(|kind| matches!(kind, TypeSaid::Path { .. })),
        })
    }

    /// What an expression is as a handler.
    fn handler(&self, expression: &Expr) -> Option<Handler> {
        Some(match unwrapped(expression) {
            Expr::Closure(closure) => {
                let types = closure.inputs.iter().map(|input| match input {
                    Pat::Type(typed) => type_said(&typed.ty, &self.scope.imports),
                    _ => TypeSaid::Other,
                });
                let parameters = types.collect();
                Handler::Closure { parameters, returns: returns::of_closure(closure) }
            }
            Expr::Path(path) => {
                match path.path.get_ident().and_then(|name| self.scope.local(&name.to_string())) {
                    Some(Local::Handler(handler)) => handler.clone(),
                    Some(_) => Handler::Unknown,
                    None => Handler::Named(self.scope.imports.applied(&path.path)),
                }
            }
            // A function that wraps a handler.
            Expr::Call(call) => {
                let inside =
                    call.args.iter().filter(|argument| matches!(unwrapped(argument), Expr::Closure(_)));
                inside.filter_map(|argument| self.handler(argument)).next().unwrap_or(Handler::Unknown)
            }
            _ => return None,
        })
    }

    /// A local name gets the value of an expression, which is read on the way.
    pub(super) fn bind(&mut self, pattern: &Pat, value: &Expr) {
        let name = bound(pattern);
        if let Some(chain) = self.chain(value) {
            let local = match chain {
                Chain::Building(index) => {
                    self.bound.insert(index, self.conditions);
                    Local::Command(index)
                }
                Chain::Done(_) => Local::AtRunTime,
            };
            if let Some((name, _)) = name {
                self.scope.bind(name, local);
            }
            return;
        }
        self.visit_expr(value);
        match name {
            Some((name, false)) => {
                let local = self.local(value);
                self.scope.bind(name, local);
            }
            _ => self.scope.bind_pattern(pattern),
        }
    }

    fn local(&self, value: &Expr) -> Local {
        if let Expr::Closure(_) = unwrapped(value) {
            return self.handler(value).map_or(Local::AtRunTime, Local::Handler);
        }
        let is_read = |arguments: &Vec<ArgumentsSaid>| {
            !arguments.is_empty()
                && arguments
                    .iter()
                    .all(|argument| matches!(argument, ArgumentsSaid::One(_) | ArgumentsSaid::OfType(..)))
        };
        match arguments::list_if_any(value, &self.scope).filter(is_read) {
            Some(arguments) => Local::Arguments(arguments),
            None => Local::Said(said(value, &self.scope)),
        }
    }
}
