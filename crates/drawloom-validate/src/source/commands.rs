//! The commands of a source: each `Command::new(…)`, what is called on it, and what it is registered with.

use std::collections::HashMap;

use proc_macro2::TokenStream;
use syn::ext::IdentExt;
use syn::visit::{self, Visit};
use syn::{Block, Expr, ExprCall, ExprMethodCall, GenericArgument, Macro, Pat, Stmt};

use super::arguments::{self, list, one, place};
use super::expression::{declares_command, expressions, said, type_said, unwrapped};
use super::facts::{
    ArgumentsSaid, CommandSaid, Continued, Facts, Handler, MacroCall, Path, Position, RegistrationSaid, Said,
    TypeSaid,
};
use super::items::bound;
use super::scope::{Local, Scope};
use super::{position, returns};

/// Calls of the builder that change nothing that is judged.
const NEUTRAL: [&str; 22] = [
    "access",
    "agent_consent",
    "available_when",
    "category",
    "clone",
    "context_only",
    "destroys",
    "effects",
    "icon",
    "idempotent",
    "into",
    "keywords",
    "popout",
    "progress",
    "read_only",
    "reads_only",
    "to_owned",
    "undo",
    "untrusted",
    "acts_outside",
    "changes",
    "keyword",
];
/// Calls of the builder that the others of a command are judged with.
const BUILDER: [&str; 12] = [
    "all_roles",
    "answers",
    "any_role",
    "argument",
    "arguments",
    "arguments_from_schema",
    "arguments_from_schema_of",
    "callable",
    "description",
    "typed_answer",
    "answers_with",
    "agent_consent",
];
/// Calls that end the building.
const ENDS: [&str; 2] = ["declare", "build"];
/// Macros whose arguments are expressions that run as they are written.
const PLAIN_MACROS: [&str; 34] = [
    "assert",
    "assert_eq",
    "assert_matches",
    "assert_ne",
    "concat",
    "dbg",
    "debug",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "eprint",
    "eprintln",
    "error",
    "format",
    "format_args",
    "info",
    "join",
    "matches",
    "panic",
    "pin",
    "print",
    "println",
    "ready",
    "select",
    "todo",
    "trace",
    "try_join",
    "unimplemented",
    "unreachable",
    "vec",
    "warn",
    "write",
    "writeln",
    "bail",
];

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
    bound: HashMap<usize, usize>,
}

/// What a chain of calls is built on.
enum Chain {
    Building(usize),
    Done(usize),
}

impl Chain {
    fn index(&self) -> usize {
        match self {
            Self::Building(index) | Self::Done(index) => *index,
        }
    }
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

    fn command(&mut self, index: usize, change: impl FnOnce(&mut CommandSaid)) {
        if let Some(command) = self.facts.commands.get_mut(index) {
            change(command);
        }
    }

    /// The command that an expression is, if it is one. What stands in the arguments of the calls is read on the way.
    fn chain(&mut self, expression: &Expr) -> Option<Chain> {
        match expression {
            Expr::Paren(inner) => self.chain(&inner.expr),
            Expr::Group(inner) => self.chain(&inner.expr),
            Expr::Reference(inner) => self.chain(&inner.expr),
            Expr::Try(inner) => self.chain(&inner.expr),
            Expr::Call(call) => self.constructed(call).map(Chain::Building),
            Expr::MethodCall(call) => {
                // A long chain is walked through and not recursed into.
                let mut calls = vec![call];
                let mut receiver = &*call.receiver;
                while let Expr::MethodCall(inner) = receiver {
                    calls.push(inner);
                    receiver = &inner.receiver;
                }
                let mut chain = match self.chain(receiver) {
                    Some(chain) => chain,
                    None => {
                        self.continued(receiver, &calls);
                        return None;
                    }
                };
                for call in calls.into_iter().rev() {
                    chain = self.called(chain, call);
                }
                Some(chain)
            }
            Expr::Path(path) => {
                let name = path.path.get_ident()?.unraw().to_string();
                match self.scope.local(&name)? {
                    Local::Command(index) => Some(Chain::Building(*index)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// `Command::new(id, title)`.
    fn constructed(&mut self, call: &ExprCall) -> Option<usize> {
        let Expr::Path(function) = unwrapped(&call.func) else { return None };
        let path = self.scope.imports.applied(&function.path);
        let (constructor, kind) = path.split_last()?;
        let mut given = call.args.iter();
        let (id, title) = (given.next()?, given.next()?);
        if constructor != "new"
            || call.args.len() != 2
            || !self.scope.imports.names_model(&kind.to_vec(), "Command")
        {
            return None;
        }
        let command = CommandSaid {
            position: place(&call.func).map(position).unwrap_or_default(),
            id: said(id, &self.scope),
            title: said(title, &self.scope),
            description: None,
            answers: None,
            callable: false,
            roles: None,
            arguments: Vec::new(),
            registration: None,
            unreadable: None,
            passed_to: Vec::new(),
            function: self.function.clone(),
        };
        self.facts.commands.push(command);
        for argument in &call.args {
            self.visit_expr(argument);
        }
        Some(self.facts.commands.len() - 1)
    }

    /// One call on a command.
    fn called(&mut self, chain: Chain, call: &ExprMethodCall) -> Chain {
        let index = chain.index();
        let method = call.method.to_string();
        let here = position(call.method.span());
        let first = call.args.first();
        if let Chain::Done(_) = chain {
            call.args.iter().for_each(|argument| self.visit_expr(argument));
            return chain;
        }
        let bound_at = self.bound.get(&index);
        if bound_at.is_some_and(|conditions| *conditions < self.conditions)
            && BUILDER.contains(&method.as_str())
        {
            let what = format!(
                "`{method}` is called on it under a condition or in a loop, so it is assembled at run time"
            );
            self.command(index, |command| {
                command.unreadable.get_or_insert((what, here));
            });
        }
        match (method.as_str(), first) {
            ("description", Some(text)) => {
                let text = said(text, &self.scope);
                self.command(index, |command| command.description = Some(text));
            }
            ("answers", Some(text)) => {
                let text = said(text, &self.scope);
                self.command(index, |command| command.answers = Some(text));
            }
            ("callable", _) => self.command(index, |command| command.callable = true),
            ("argument", Some(argument)) => {
                let argument = one(argument, &self.scope);
                self.command(index, |command| command.arguments.push(argument));
            }
            ("arguments", Some(given)) => {
                let arguments = list(given, &self.scope);
                self.command(index, |command| command.arguments.extend(arguments));
            }
            ("any_role" | "all_roles", Some(roles)) => {
                let roles = said(roles, &self.scope);
                self.command(index, |command| command.roles = Some(roles));
            }
            ("arguments_from_schema", Some(schema)) => {
                let schema = schema_said(schema).map_or_else(
                    || {
                        let what = "its arguments come from a JSON Schema that only the running program has";
                        ArgumentsSaid::Unreadable(what.to_owned(), here)
                    },
                    ArgumentsSaid::Schema,
                );
                self.command(index, |command| command.arguments.push(schema));
            }
            ("arguments_from_schema_of", _) => {
                let what =
                    "its arguments come from the JSON Schema of a type, which only the compiled program has";
                let schema = ArgumentsSaid::Unreadable(what.to_owned(), here);
                self.command(index, |command| command.arguments.push(schema));
            }
            (other, _) if NEUTRAL.contains(&other) => {}
            (other, _) if ENDS.contains(&other) => return Chain::Done(index),
            (other, _) => {
                let what =
                    format!("`{other}` is called on it, which is not part of the builder and may change it");
                self.command(index, |command| {
                    command.unreadable.get_or_insert((what, here));
                });
            }
        }
        // Handlers and sources of choices may declare commands of their own.
        call.args.iter().for_each(|argument| self.visit_expr(argument));
        Chain::Building(index)
    }

    /// A function's command that is continued where the function is called.
    fn continued(&mut self, receiver: &Expr, calls: &[&ExprMethodCall]) {
        let Some(first) = calls.last() else { return };
        if !BUILDER.iter().any(|builder| first.method == builder) {
            return;
        }
        if let Some(path) = self.called_function(receiver) {
            self.facts.continued.push(Continued::Builder(path, position(first.method.span())));
        }
    }

    /// The function that an expression calls.
    fn called_function(&self, expression: &Expr) -> Option<Path> {
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
    fn passed<'a>(
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
    fn bind(&mut self, pattern: &Pat, value: &Expr) {
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

    fn conditionally(&mut self, read: impl FnOnce(&mut Self)) {
        self.conditions += 1;
        self.scope.enter();
        read(self);
        self.scope.leave();
        self.conditions -= 1;
    }

    fn unreadable(&mut self, position: Position, reason: String) {
        self.facts.commands.push(CommandSaid {
            position,
            id: Said::AtRunTime(String::new()),
            title: Said::AtRunTime(String::new()),
            description: None,
            answers: None,
            callable: false,
            roles: None,
            arguments: Vec::new(),
            registration: None,
            unreadable: Some((reason, position)),
            passed_to: Vec::new(),
            function: self.function.clone(),
        });
    }

    /// `macro_rules! name { … }`.
    pub(crate) fn macro_definition(&mut self, name: &syn::Ident, definition: &Macro) {
        if declares_command(&definition.tokens).is_some() && !self.is_test {
            self.facts.macros.push((name.unraw().to_string(), position(name.span())));
        }
    }

    fn tokens(&mut self, name: String, here: Position, tokens: &TokenStream) {
        match declares_command(tokens) {
            Some(span) => self.unreadable(
                position(span),
                format!("it is declared inside the macro `{name}!`, which only the compiler expands"),
            ),
            None => self.facts.macro_calls.push(MacroCall { name, position: here }),
        }
    }
}

impl<'ast> Visit<'ast> for Reader {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        self.item(item);
    }

    fn visit_block(&mut self, block: &'ast Block) {
        self.scope.enter();
        // Items of a block count in all of it.
        for statement in &block.stmts {
            if let Stmt::Item(item) = statement {
                self.item(item);
            }
        }
        for statement in &block.stmts {
            match statement {
                Stmt::Item(_) => {}
                Stmt::Local(local) => match &local.init {
                    Some(init) => {
                        self.bind(&local.pat, &init.expr);
                        if let Some((_, otherwise)) = &init.diverge {
                            self.conditionally(|reader| reader.visit_expr(otherwise));
                        }
                    }
                    None => self.scope.bind_pattern(&local.pat),
                },
                Stmt::Expr(expression, _) => self.visit_expr(expression),
                Stmt::Macro(call) => self.visit_macro(&call.mac),
            }
        }
        self.scope.leave();
    }

    fn visit_expr(&mut self, expression: &'ast Expr) {
        match expression {
            Expr::Call(call) => {
                if self.constructed(call).is_some() {
                    return;
                }
                self.visit_expr(&call.func);
                let function = self.called_function(expression);
                self.passed(function.as_ref(), None, call.args.iter());
            }
            Expr::MethodCall(call) => {
                if self.chain(expression).is_some() {
                    return;
                }
                // The chain was walked through: its receiver is read once, and then the arguments of each call.
                let mut calls = vec![call];
                let mut receiver = &*call.receiver;
                while let Expr::MethodCall(inner) = receiver {
                    calls.push(inner);
                    receiver = &inner.receiver;
                }
                self.visit_expr(receiver);
                for call in calls.into_iter().rev() {
                    self.passed(None, Some(call), call.args.iter());
                }
            }
            Expr::Assign(assign) => self.assign(&assign.left, &assign.right),
            Expr::Closure(closure) => self.conditionally(|reader| {
                closure.inputs.iter().for_each(|input| reader.scope.bind_pattern(input));
                reader.visit_expr(&closure.body);
            }),
            Expr::Async(inner) => self.conditionally(|reader| reader.visit_block(&inner.block)),
            Expr::If(inner) => self.conditionally(|reader| {
                reader.visit_expr(&inner.cond);
                reader.visit_block(&inner.then_branch);
                if let Some((_, otherwise)) = &inner.else_branch {
                    reader.visit_expr(otherwise);
                }
            }),
            Expr::Let(inner) => {
                self.visit_expr(&inner.expr);
                self.scope.bind_pattern(&inner.pat);
            }
            Expr::Match(inner) => {
                self.visit_expr(&inner.expr);
                for arm in &inner.arms {
                    self.conditionally(|reader| {
                        reader.scope.bind_pattern(&arm.pat);
                        reader.visit_pat(&arm.pat);
                        reader.visit_expr(&arm.body);
                    });
                }
            }
            Expr::ForLoop(inner) => {
                self.visit_expr(&inner.expr);
                self.conditionally(|reader| {
                    reader.scope.bind_pattern(&inner.pat);
                    reader.visit_block(&inner.body);
                });
            }
            Expr::While(inner) => self.conditionally(|reader| {
                reader.visit_expr(&inner.cond);
                reader.visit_block(&inner.body);
            }),
            Expr::Loop(inner) => self.conditionally(|reader| reader.visit_block(&inner.body)),
            other => visit::visit_expr(self, other),
        }
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        let Some(last) = call.path.segments.last() else { return };
        let (name, here) = (last.ident.unraw().to_string(), position(last.ident.span()));
        if PLAIN_MACROS.contains(&name.as_str())
            && let Some(inside) = expressions(&call.tokens)
        {
            // What the macro was given is not a part of the tree that is walked.
            for expression in &inside {
                Reader::visit_expr(self, expression);
            }
            return;
        }
        self.tokens(name, here, &call.tokens);
    }
}

impl Reader {
    /// `name = value`.
    fn assign(&mut self, left: &Expr, value: &Expr) {
        let name = match unwrapped(left) {
            Expr::Path(path) => path.path.get_ident().map(|name| name.unraw().to_string()),
            _ => None,
        };
        let before = name.as_deref().and_then(|name| self.scope.local(name)).cloned();
        let chain = self.chain(value);
        if chain.is_none() {
            self.visit_expr(value);
        }
        let Some(name) = name else { return };
        match (before, chain) {
            (Some(Local::Command(before)), Some(Chain::Building(after))) if before == after => {}
            (Some(Local::Command(before)), _) => {
                let here = place(left).map(position).unwrap_or_default();
                self.command(before, |command| {
                    let what = format!("`{name}` is assigned again, so it is assembled at run time");
                    command.unreadable.get_or_insert((what, here));
                });
                self.scope.rebind(&name, Local::AtRunTime);
            }
            (Some(_), _) => self.scope.rebind(&name, Local::AtRunTime),
            (None, _) => {}
        }
    }
}

/// A JSON Schema that is written out: `json!({ … })`.
fn schema_said(expression: &Expr) -> Option<serde_json::Value> {
    match unwrapped(expression) {
        Expr::Macro(call) if call.mac.path.segments.last()?.ident == "json" => {
            serde_json::from_str(&call.mac.tokens.to_string()).ok()
        }
        _ => None,
    }
}
