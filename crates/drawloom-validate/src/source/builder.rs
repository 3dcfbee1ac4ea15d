//! The calls of the builder: `Command::new(…)` and what is called on it.

use syn::ext::IdentExt;
use syn::visit::Visit;
use syn::{Expr, ExprCall, ExprMethodCall};

use super::arguments::{list, one, place};
use super::commands::Reader;
use super::effects::{consent_said, effects_said};
use super::expression::{said, unwrapped};
use super::facts::{ArgumentsSaid, CommandSaid, Said};
use super::position;
use super::scope::Local;

/// Calls of the builder that change nothing that is judged.
const NEUTRAL: [&str; 8] =
    ["access", "available_when", "clone", "context_only", "into", "keywords", "on_when", "popout"];
/// Calls of the builder that say what is judged.
pub(super) const JUDGED: [&str; 15] = [
    "agent_consent",
    "all_roles",
    "answer_schema",
    "answers",
    "answers_as",
    "any_role",
    "argument",
    "arguments",
    "arguments_from_schema",
    "arguments_from_schema_of",
    "callable",
    "category",
    "description",
    "effects",
    "icon",
];
/// The call that ends the building.
const END: &str = "declare";

/// What a chain of calls is built on.
pub(super) enum Chain {
    Building(usize),
    Done(usize),
}

impl Chain {
    pub(super) fn index(&self) -> usize {
        match self {
            Self::Building(index) | Self::Done(index) => *index,
        }
    }
}

impl Reader {
    /// The command that an expression is, if it is one. What stands in the arguments of the calls is read on the way.
    pub(super) fn chain(&mut self, expression: &Expr) -> Option<Chain> {
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
    pub(super) fn constructed(&mut self, call: &ExprCall) -> Option<usize> {
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
            category: None,
            icon: None,
            effects: None,
            agent_consent: None,
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
            && JUDGED.contains(&method.as_str())
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
            // The schema or the type describes the answer, unless the command does.
            ("answer_schema" | "answers_as", _) => self.command(index, |command| {
                let described = || Said::AtRunTime("the description of its schema".to_owned());
                command.answers.get_or_insert_with(described);
            }),
            ("category", Some(text)) => {
                let text = said(text, &self.scope);
                self.command(index, |command| command.category = Some(text));
            }
            ("icon", Some(text)) => {
                let text = said(text, &self.scope);
                self.command(index, |command| command.icon = Some(text));
            }
            ("effects", Some(effects)) => {
                let effects = effects_said(effects, &self.scope);
                self.command(index, |command| command.effects = effects);
            }
            ("agent_consent", Some(consent)) => {
                let consent = consent_said(consent, &self.scope);
                self.command(index, |command| command.agent_consent = consent);
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
            (END, _) => return Chain::Done(index),
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
