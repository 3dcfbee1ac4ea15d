//! The walk through the expressions of a source: scopes, conditions and macros.

use proc_macro2::TokenStream;
use syn::ext::IdentExt;
use syn::visit::{self, Visit};
use syn::{Block, Expr, Macro, Stmt};

use super::arguments::place;
use super::builder::Chain;
use super::commands::Reader;
use super::expression::{declares_command, expressions, unwrapped};
use super::facts::{CommandSaid, MacroCall, Position, Said};
use super::position;
use super::scope::Local;

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

impl Reader {
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
            category: None,
            icon: None,
            effects: None,
            agent_consent: None,
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
