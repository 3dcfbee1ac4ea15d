//! Declared arguments: the calls on `Argument`.

use proc_macro2::Span;
use syn::{Expr, ExprCall, ExprMethodCall, Macro};

use super::expression::{ends, expressions, range, said, type_said, unwrapped};
use super::facts::{ArgumentSaid, ArgumentsSaid, Form, Position, SettingSaid, TypeSaid};
use super::position;
use super::scope::{Local, Scope};

/// Calls on an argument that change nothing that is judged.
const NEUTRAL: [&str; 2] = ["clone", "into"];

/// The arguments that an expression declares.
pub(crate) fn list(expression: &Expr, scope: &Scope) -> Vec<ArgumentsSaid> {
    list_if_any(expression, scope).unwrap_or_else(|| {
        let what = "its arguments are put together by an expression that only the running program evaluates";
        vec![ArgumentsSaid::Unreadable(what.to_owned(), place(expression).map(position).unwrap_or_default())]
    })
}

/// The arguments that an expression declares, if it shows them.
pub(crate) fn list_if_any(expression: &Expr, scope: &Scope) -> Option<Vec<ArgumentsSaid>> {
    match unwrapped(expression) {
        Expr::Array(array) => Some(array.elems.iter().map(|item| one(item, scope)).collect()),
        Expr::Macro(call) if is_vec(&call.mac) => {
            Some(expressions(&call.mac.tokens)?.iter().map(|item| one(item, scope)).collect())
        }
        Expr::MethodCall(call)
            if call.args.is_empty() && ["into", "to_vec", "clone"].iter().any(|same| call.method == same) =>
        {
            list_if_any(&call.receiver, scope)
        }
        Expr::Path(path) => match scope.local(&path.path.get_ident()?.to_string())? {
            Local::Arguments(arguments) => Some(arguments.clone()),
            _ => None,
        },
        Expr::Call(call) => match declared_type(call, scope) {
            Some(kind) if call.args.is_empty() => {
                Some(vec![ArgumentsSaid::OfType(kind, place(expression).map(position)?)])
            }
            _ => chain(expression, scope).map(|one| vec![one]),
        },
        _ => chain(expression, scope).map(|one| vec![one]),
    }
}

/// One argument.
pub(crate) fn one(expression: &Expr, scope: &Scope) -> ArgumentsSaid {
    let here = || place(expression).map(position).unwrap_or_default();
    if let Some(said) = chain(expression, scope) {
        return said;
    }
    match unwrapped(expression) {
        Expr::Path(path) => match path.path.get_ident().and_then(|name| scope.local(&name.to_string())) {
            Some(Local::Arguments(arguments)) if arguments.len() == 1 => {
                arguments.first().cloned().unwrap_or_else(|| unreadable(here()))
            }
            _ => unreadable(here()),
        },
        Expr::Call(call) if call.args.is_empty() => match &*call.func {
            Expr::Path(path) => ArgumentsSaid::OfFunction(scope.imports.applied(&path.path), here()),
            _ => unreadable(here()),
        },
        _ => unreadable(here()),
    }
}

fn unreadable(position: Position) -> ArgumentsSaid {
    let what = "one of its arguments is made by an expression that only the running program evaluates";
    ArgumentsSaid::Unreadable(what.to_owned(), position)
}

/// `Argument::text(…)`, and what is called on it.
fn chain(expression: &Expr, scope: &Scope) -> Option<ArgumentsSaid> {
    match unwrapped(expression) {
        Expr::Call(call) => constructed(call, scope).map(ArgumentsSaid::One),
        Expr::MethodCall(call) => {
            let argument = match chain(&call.receiver, scope)? {
                ArgumentsSaid::One(argument) => argument,
                other => return Some(other),
            };
            Some(called(argument, call, scope))
        }
        _ => None,
    }
}

fn called(mut argument: ArgumentSaid, call: &ExprMethodCall, scope: &Scope) -> ArgumentsSaid {
    let method = call.method.to_string();
    match (method.as_str(), call.args.first()) {
        ("description", Some(text)) => argument.description = Some(said(text, scope)),
        ("required", _) => argument.required = true,
        ("list", _) => argument.list = true,
        ("secret", _) => argument.settings.push(SettingSaid::Secret),
        ("default", Some(value)) => argument.settings.push(SettingSaid::Default(said(value, scope))),
        ("label", Some(choice)) => {
            let label = call.args.iter().nth(1).unwrap_or(choice);
            argument.settings.push(SettingSaid::Label(said(choice, scope), said(label, scope)));
        }
        ("choosing", Some(choices)) => match chain(choices, scope) {
            Some(ArgumentsSaid::One(choices)) => argument.form = choices.form,
            _ => return unreadable(position(call.method.span())),
        },
        ("length", Some(length)) => {
            let (least, greatest) = ends(length, scope);
            argument.settings.push(SettingSaid::Length(least, greatest));
        }
        ("range", Some(bounds)) => {
            let (least, greatest) = ends(bounds, scope);
            argument.settings.push(SettingSaid::Range(least, greatest));
        }
        (other, _) if NEUTRAL.contains(&other) => {}
        (other, _) => {
            let what = format!("one of its arguments calls `{other}`, which is not part of the builder");
            return ArgumentsSaid::Unreadable(what, position(call.method.span()));
        }
    }
    ArgumentsSaid::One(argument)
}

fn constructed(call: &ExprCall, scope: &Scope) -> Option<ArgumentSaid> {
    let Expr::Path(function) = &*call.func else { return None };
    let path = scope.imports.applied(&function.path);
    let (constructor, kind) = path.split_last()?;
    if !scope.imports.names_model(&kind.to_vec(), "Argument") {
        return None;
    }
    let mut given = call.args.iter();
    let name = given.next().map(|name| said(name, scope))?;
    let second = given.next();
    let form = match (constructor.as_str(), second) {
        ("text", _) => Form::Text,
        ("number", _) => Form::Number,
        ("boolean", _) => Form::Boolean,
        ("integer", Some(bounds)) => {
            let (least, greatest) = range(bounds, true, scope);
            Form::Integer(least, greatest)
        }
        ("number_within", Some(bounds)) => {
            let (least, greatest) = range(bounds, false, scope);
            Form::Within(least, greatest)
        }
        ("choice", Some(choices)) => Form::Choice(said(choices, scope)),
        ("choice_from" | "choice_in", _) => Form::ChoiceFrom,
        ("choice_given", Some(others)) => Form::ChoiceGiven(said(others, scope)),
        _ => return None,
    };
    let position = place(&call.func).map(position).unwrap_or_default();
    Some(ArgumentSaid {
        position,
        name,
        form,
        description: None,
        required: false,
        list: false,
        settings: Vec::new(),
    })
}

/// The type of `OpenNote::declare()` or `<OpenNote as TypedArguments>::declare()`.
fn declared_type(call: &ExprCall, scope: &Scope) -> Option<TypeSaid> {
    let Expr::Path(function) = &*call.func else { return None };
    if function.path.segments.last()?.ident != "declare" {
        return None;
    }
    if let Some(own) = &function.qself {
        return Some(type_said(&own.ty, &scope.imports));
    }
    let mut path = scope.imports.applied(&function.path);
    path.pop();
    (!path.is_empty()).then_some(TypeSaid::Path { path, arguments: Vec::new() })
}

fn is_vec(call: &Macro) -> bool {
    call.path.segments.last().is_some_and(|last| last.ident == "vec")
}

/// A place in an expression that has one without printing its tokens.
pub(crate) fn place(expression: &Expr) -> Option<Span> {
    match expression {
        Expr::Path(path) => path.path.segments.first().map(|first| first.ident.span()),
        Expr::Call(call) => place(&call.func),
        Expr::MethodCall(call) => place(&call.receiver).or_else(|| Some(call.method.span())),
        Expr::Macro(call) => call.mac.path.segments.first().map(|first| first.ident.span()),
        Expr::Lit(literal) => Some(literal.lit.span()),
        Expr::Paren(inner) => place(&inner.expr),
        Expr::Group(inner) => place(&inner.expr),
        Expr::Reference(inner) => place(&inner.expr),
        Expr::Try(inner) => place(&inner.expr),
        Expr::Field(inner) => place(&inner.base),
        Expr::Index(inner) => place(&inner.expr),
        Expr::Array(array) => Some(array.bracket_token.span.open()),
        Expr::Block(block) => Some(block.block.brace_token.span.open()),
        Expr::If(inner) => Some(inner.if_token.span),
        Expr::Match(inner) => Some(inner.match_token.span),
        _ => None,
    }
}
