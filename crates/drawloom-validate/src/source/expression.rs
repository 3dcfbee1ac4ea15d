//! What an expression or a type says, as far as the source shows it.

use proc_macro2::{Span, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Expr, GenericArgument, Lit, Macro, PathArguments, RangeLimits, Token, Type, UnOp};

use super::facts::{Said, TypeSaid};
use super::imports::Imports;
use super::scope::{Local, Scope};

/// Methods that give the same text, number or list in another type.
const SAME: [&str; 16] = [
    "as_ref",
    "as_slice",
    "as_str",
    "borrow",
    "cloned",
    "clone",
    "copied",
    "into",
    "into_boxed_str",
    "into_iter",
    "iter",
    "to_owned",
    "to_string",
    "to_vec",
    "into_string",
    "trim_ascii",
];
/// Functions that give the same text or number in another type.
const CONVERSIONS: [&str; 3] = ["from", "new", "Borrowed"];
/// Types that hold a text, for those functions.
const TEXTS: [&str; 8] = ["String", "CommandId", "Role", "Arc", "Rc", "Box", "Cow", "PluginId"];
const NUMBERS: [&str; 12] =
    ["u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize"];

/// What an expression says.
pub(crate) fn said(expression: &Expr, scope: &Scope) -> Said {
    match expression {
        Expr::Lit(literal) => literal_said(&literal.lit),
        Expr::Paren(inner) => said(&inner.expr, scope),
        Expr::Group(inner) => said(&inner.expr, scope),
        Expr::Reference(inner) => said(&inner.expr, scope),
        Expr::Cast(inner) => said(&inner.expr, scope),
        Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => match said(&unary.expr, scope) {
            Said::Integer(number) => number.checked_neg().map_or_else(at_run_time, Said::Integer),
            Said::Float(number) => Said::Float(-number),
            other => at_run_time_of(other),
        },
        Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => said(&unary.expr, scope),
        Expr::Array(array) => Said::List(array.elems.iter().map(|item| said(item, scope)).collect()),
        Expr::Repeat(repeat) => match said(&repeat.len, scope) {
            Said::Integer(0) => Said::List(Vec::new()),
            _ => at_run_time(),
        },
        Expr::Macro(call) => macro_said(&call.mac, scope),
        Expr::MethodCall(call) if call.args.is_empty() && SAME.iter().any(|same| call.method == same) => {
            said(&call.receiver, scope)
        }
        Expr::Call(call) => match (&*call.func, call.args.first()) {
            (Expr::Path(function), Some(only)) if call.args.len() == 1 && converts(&function.path) => {
                said(only, scope)
            }
            _ => Said::AtRunTime("what a function returns".to_owned()),
        },
        Expr::Block(block) => match block.block.stmts.as_slice() {
            [syn::Stmt::Expr(only, None)] => said(only, scope),
            _ => at_run_time(),
        },
        Expr::Path(path) => path_said(path, scope),
        _ => at_run_time(),
    }
}

fn at_run_time() -> Said {
    Said::AtRunTime("what an expression gives".to_owned())
}

fn at_run_time_of(said: Said) -> Said {
    match said {
        Said::AtRunTime(_) => said,
        _ => at_run_time(),
    }
}

fn literal_said(literal: &Lit) -> Said {
    match literal {
        Lit::Str(text) => Said::Text(text.value()),
        Lit::Int(number) => number.base10_parse().map_or_else(|_| at_run_time(), Said::Integer),
        Lit::Float(number) => number.base10_parse().map_or_else(|_| at_run_time(), Said::Float),
        Lit::Char(letter) => Said::Text(letter.value().to_string()),
        Lit::Bool(value) => Said::Boolean(value.value),
        _ => at_run_time(),
    }
}

fn path_said(expression: &syn::ExprPath, scope: &Scope) -> Said {
    if expression.qself.is_some() {
        return at_run_time();
    }
    if let Some(name) = expression.path.get_ident().map(|name| name.unraw().to_string()) {
        match scope.local(&name) {
            Some(Local::Said(said)) => return said.clone(),
            Some(_) => return Said::AtRunTime(format!("the value of `{name}`")),
            None => {}
        }
    }
    let path = scope.imports.applied(&expression.path);
    known_constant(&path).unwrap_or(Said::Constant(path))
}

/// The constants of the standard library that a range may name.
fn known_constant(path: &[String]) -> Option<Said> {
    let [.., kind, name] = path else { return None };
    let float = |value: f64| Some(Said::Float(value));
    match (kind.as_str(), name.as_str()) {
        ("f64" | "f32", "INFINITY") => float(f64::INFINITY),
        ("f64" | "f32", "NEG_INFINITY") => float(f64::NEG_INFINITY),
        ("f64", "MAX") => float(f64::MAX),
        ("f64", "MIN") => float(f64::MIN),
        ("f32", "MAX") => float(f32::MAX.into()),
        ("f32", "MIN") => float(f32::MIN.into()),
        _ => integer_bound(kind, name).map(Said::Integer),
    }
}

fn integer_bound(kind: &str, name: &str) -> Option<i128> {
    let bounds: (i128, i128) = match kind {
        "u8" => (u8::MIN.into(), u8::MAX.into()),
        "u16" => (u16::MIN.into(), u16::MAX.into()),
        "u32" => (u32::MIN.into(), u32::MAX.into()),
        "u64" | "usize" => (u64::MIN.into(), u64::MAX.into()),
        "i8" => (i8::MIN.into(), i8::MAX.into()),
        "i16" => (i16::MIN.into(), i16::MAX.into()),
        "i32" => (i32::MIN.into(), i32::MAX.into()),
        "i64" | "isize" => (i64::MIN.into(), i64::MAX.into()),
        "i128" => (i128::MIN, i128::MAX),
        _ => return None,
    };
    match name {
        "MIN" => Some(bounds.0),
        "MAX" => Some(bounds.1),
        _ => None,
    }
}

fn converts(path: &syn::Path) -> bool {
    let mut names = path.segments.iter().rev().map(|segment| segment.ident.to_string());
    let (Some(function), Some(kind)) = (names.next(), names.next()) else { return false };
    CONVERSIONS.contains(&function.as_str())
        && (TEXTS.contains(&kind.as_str()) || NUMBERS.contains(&kind.as_str()) || kind == "f64")
}

fn macro_said(call: &Macro, scope: &Scope) -> Said {
    let Some(name) = call.path.segments.last().map(|last| last.ident.to_string()) else {
        return at_run_time();
    };
    let items = || expressions(&call.tokens);
    match name.as_str() {
        "vec" => items().map_or_else(at_run_time, |items| {
            Said::List(items.iter().map(|item| said(item, scope)).collect())
        }),
        "concat" => items().map_or_else(at_run_time, |items| {
            let mut text = String::new();
            for item in &items {
                match said(item, scope) {
                    Said::Text(part) => text.push_str(&part),
                    Said::Integer(part) => text.push_str(&part.to_string()),
                    _ => return at_run_time(),
                }
            }
            Said::Text(text)
        }),
        "format" => Said::AtRunTime("what `format!` gives".to_owned()),
        other => Said::AtRunTime(format!("what `{other}!` gives")),
    }
}

/// The expressions between commas, if the tokens are that.
pub(crate) fn expressions(tokens: &TokenStream) -> Option<Vec<Expr>> {
    let parser = Punctuated::<Expr, Token![,]>::parse_terminated;
    parser.parse2(tokens.clone()).ok().map(|items| items.into_iter().collect())
}

/// The ends of a range, both included: for whole numbers if `whole`.
pub(crate) fn range(expression: &Expr, whole: bool, scope: &Scope) -> (Said, Said) {
    let Expr::Range(range) = unwrapped(expression) else { return (at_run_time(), at_run_time()) };
    let open = |end: Option<&Expr>, least: bool| match end {
        Some(end) => said(end, scope),
        None if whole => Said::Integer(if least { i128::MIN } else { i128::MAX }),
        None => Said::Float(if least { f64::NEG_INFINITY } else { f64::INFINITY }),
    };
    let end = match (&range.limits, open(range.end.as_deref(), false)) {
        (RangeLimits::HalfOpen(_), Said::Integer(end)) if range.end.is_some() => {
            Said::Integer(end.saturating_sub(1))
        }
        (_, end) => end,
    };
    (open(range.start.as_deref(), true), end)
}

/// The ends of a range as they are written; `None` for an end that is left open.
pub(crate) fn ends(expression: &Expr, scope: &Scope) -> (Option<Said>, Option<Said>) {
    let Expr::Range(range) = unwrapped(expression) else { return (Some(at_run_time()), Some(at_run_time())) };
    let end = |end: Option<&Expr>| end.map(|end| said(end, scope));
    (end(range.start.as_deref()), end(range.end.as_deref()))
}

/// The expression without brackets around it.
pub(crate) fn unwrapped(expression: &Expr) -> &Expr {
    match expression {
        Expr::Paren(inner) => unwrapped(&inner.expr),
        Expr::Group(inner) => unwrapped(&inner.expr),
        Expr::Reference(inner) => unwrapped(&inner.expr),
        other => other,
    }
}

/// What a type says.
pub(crate) fn type_said(kind: &Type, imports: &Imports) -> TypeSaid {
    match kind {
        Type::Paren(inner) => type_said(&inner.elem, imports),
        Type::Group(inner) => type_said(&inner.elem, imports),
        Type::Tuple(tuple) if tuple.elems.is_empty() => TypeSaid::Unit,
        Type::Path(path) if path.qself.is_none() => {
            let arguments = match path.path.segments.last().map(|last| &last.arguments) {
                Some(PathArguments::AngleBracketed(arguments)) => arguments
                    .args
                    .iter()
                    .filter_map(|argument| match argument {
                        GenericArgument::Type(kind) => Some(type_said(kind, imports)),
                        _ => None,
                    })
                    .collect(),
                _ => Vec::new(),
            };
            TypeSaid::Path { path: imports.applied(&path.path), arguments }
        }
        _ => TypeSaid::Other,
    }
}

/// Where tokens contain `Command::new(id, title)`, at any depth. The depth was checked before.
pub(crate) fn declares_command(tokens: &TokenStream) -> Option<Span> {
    let mut pending = vec![tokens.clone()];
    while let Some(tokens) = pending.pop() {
        let mut names: Vec<(String, Span)> = Vec::new();
        for token in tokens {
            match token {
                // A path goes on.
                TokenTree::Punct(punct) if punct.as_char() == ':' => {}
                TokenTree::Ident(ident) => names.push((ident.to_string(), ident.span())),
                TokenTree::Group(group) => {
                    if let Some(span) = constructor(&names).filter(|_| has_two_parts(&group.stream())) {
                        return Some(span);
                    }
                    pending.push(group.stream());
                    names.clear();
                }
                TokenTree::Punct(_) | TokenTree::Literal(_) => names.clear(),
            }
        }
    }
    None
}

/// The place of `Command` if the names end in `Command::new` and not in that of another library.
fn constructor(names: &[(String, Span)]) -> Option<Span> {
    let [before @ .., (kind, span), (function, _)] = names else { return None };
    let is_foreign = before.last().is_some_and(|(root, _)| ["process", "clap"].contains(&root.as_str()));
    (kind == "Command" && function == "new" && !is_foreign).then_some(*span)
}

fn has_two_parts(tokens: &TokenStream) -> bool {
    let mut tokens = tokens.clone().into_iter();
    let has_comma = tokens.any(|token| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ','));
    has_comma && tokens.next().is_some()
}
