//! Whether a handler returns a value, as far as the source shows it.

use syn::visit::{self, Visit};
use syn::{Block, Expr, GenericArgument, PathArguments, ReturnType, Stmt, Type, TypeParamBound};

use super::expression::unwrapped;
use crate::judge::Returns;

/// Methods that give a value, whatever they are called on.
const VALUES: [&str; 8] = ["clone", "into", "len", "to_owned", "to_string", "to_vec", "collect", "count"];
/// Macros that give a value.
const VALUE_MACROS: [&str; 6] = ["concat", "format", "json", "matches", "stringify", "vec"];
/// Macros that never return.
const ENDS: [&str; 4] = ["panic", "todo", "unimplemented", "unreachable"];

/// What a closure returns once its future is done.
pub(crate) fn of_closure(closure: &syn::ExprClosure) -> Returns {
    match &closure.output {
        ReturnType::Type(_, kind) => of_type(kind),
        ReturnType::Default => of_body(&closure.body),
    }
}

/// What a function returns, by its signature.
pub(crate) fn of_signature(output: &ReturnType) -> Returns {
    match output {
        ReturnType::Default => Returns::Nothing,
        ReturnType::Type(_, kind) => of_type(kind),
    }
}

/// `Result<T, E>`, `impl Future<Output = Result<T, E>>`, or a boxed one.
fn of_type(kind: &Type) -> Returns {
    match kind {
        Type::Paren(inner) => of_type(&inner.elem),
        Type::Group(inner) => of_type(&inner.elem),
        Type::Tuple(tuple) if tuple.elems.is_empty() => Returns::Nothing,
        Type::ImplTrait(bounds) => of_bounds(bounds.bounds.iter()),
        Type::TraitObject(bounds) => of_bounds(bounds.bounds.iter()),
        Type::Path(path) => {
            let Some(last) = path.path.segments.last() else { return Returns::Unknown };
            let PathArguments::AngleBracketed(arguments) = &last.arguments else { return Returns::Unknown };
            let first = arguments.args.iter().find_map(|argument| match argument {
                GenericArgument::Type(kind) => Some(kind),
                _ => None,
            });
            let Some(first) = first else { return Returns::Unknown };
            let name = last.ident.to_string();
            match name.as_str() {
                "Pin" | "Box" | "BoxFuture" | "LocalBoxFuture" => of_type(first),
                _ if name.ends_with("Result") => match first {
                    Type::Tuple(tuple) if tuple.elems.is_empty() => Returns::Nothing,
                    Type::Infer(_) | Type::Macro(_) => Returns::Unknown,
                    _ => Returns::Value,
                },
                _ => Returns::Unknown,
            }
        }
        _ => Returns::Unknown,
    }
}

fn of_bounds<'a>(bounds: impl Iterator<Item = &'a TypeParamBound>) -> Returns {
    for bound in bounds {
        let TypeParamBound::Trait(bound) = bound else { continue };
        let Some(last) = bound.path.segments.last() else { continue };
        let PathArguments::AngleBracketed(arguments) = &last.arguments else { continue };
        for argument in &arguments.args {
            if let GenericArgument::AssocType(output) = argument
                && output.ident == "Output"
            {
                return of_type(&output.ty);
            }
        }
    }
    Returns::Unknown
}

fn of_body(body: &Expr) -> Returns {
    let mut seen = Seen::default();
    seen.tail(body);
    seen.returns()
}

/// What was seen of the ways out of a body.
#[derive(Default)]
struct Seen {
    value: bool,
    nothing: bool,
    unknown: bool,
}

impl Seen {
    fn returns(&self) -> Returns {
        match (self.value, self.unknown) {
            (true, _) => Returns::Value,
            (false, true) => Returns::Unknown,
            (false, false) => Returns::Nothing,
        }
    }

    /// An expression whose value is the result of the body.
    fn tail(&mut self, expression: &Expr) {
        match unwrapped(expression) {
            Expr::Async(inner) => self.block(&inner.block),
            Expr::Block(inner) => self.block(&inner.block),
            Expr::Unsafe(inner) => self.block(&inner.block),
            Expr::If(inner) => {
                self.block(&inner.then_branch);
                match &inner.else_branch {
                    Some((_, otherwise)) => self.tail(otherwise),
                    None => self.nothing = true,
                }
            }
            Expr::Match(inner) => inner.arms.iter().for_each(|arm| self.tail(&arm.body)),
            Expr::Call(call) => match (named(&call.func).as_deref(), call.args.first()) {
                (Some("Ok"), Some(value)) => self.result(value),
                (Some("Err"), _) => {}
                (Some("pin" | "Box" | "ready" | "new"), Some(inner)) if call.args.len() == 1 => {
                    self.tail(inner)
                }
                _ => self.unknown = true,
            },
            Expr::Macro(call) => {
                let name = call.mac.path.segments.last().map(|last| last.ident.to_string());
                self.unknown |= !name.is_some_and(|name| ENDS.contains(&name.as_str()));
            }
            Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) => {}
            _ => self.unknown = true,
        }
    }

    fn block(&mut self, block: &Block) {
        self.visit_block(block);
        match block.stmts.last() {
            Some(Stmt::Expr(tail, None)) => self.tail(tail),
            // The other ways out end the block.
            Some(Stmt::Expr(Expr::Return(_), Some(_))) => {}
            Some(Stmt::Macro(call)) => {
                let name = call.mac.path.segments.last().map(|last| last.ident.to_string());
                self.unknown |= !name.is_some_and(|name| ENDS.contains(&name.as_str()));
            }
            _ => self.nothing = true,
        }
    }

    /// What stands in `Ok(…)`.
    fn result(&mut self, value: &Expr) {
        match unwrapped(value) {
            Expr::Tuple(tuple) if tuple.elems.is_empty() => self.nothing = true,
            Expr::Lit(_)
            | Expr::Array(_)
            | Expr::Tuple(_)
            | Expr::Struct(_)
            | Expr::Binary(_)
            | Expr::Cast(_) => {
                self.value = true;
            }
            Expr::Macro(call) => match call.mac.path.segments.last().map(|last| last.ident.to_string()) {
                Some(name) if VALUE_MACROS.contains(&name.as_str()) => self.value = true,
                _ => self.unknown = true,
            },
            Expr::MethodCall(call) if VALUES.iter().any(|value| call.method == value) => self.value = true,
            Expr::Call(call) if named(&call.func).as_deref() == Some("Some") => self.value = true,
            _ => self.unknown = true,
        }
    }
}

/// Finds each `return` of the body, and none of a function or a closure inside it.
impl<'ast> Visit<'ast> for Seen {
    fn visit_expr_return(&mut self, expression: &'ast syn::ExprReturn) {
        match &expression.expr {
            Some(value) => self.tail(value),
            None => self.nothing = true,
        }
    }

    fn visit_expr_closure(&mut self, _: &'ast syn::ExprClosure) {}

    fn visit_expr_async(&mut self, _: &'ast syn::ExprAsync) {}

    fn visit_item(&mut self, _: &'ast syn::Item) {}

    fn visit_expr(&mut self, expression: &'ast Expr) {
        visit::visit_expr(self, expression);
    }
}

fn named(function: &Expr) -> Option<String> {
    match function {
        Expr::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_closure_returns_is_told_as_far_as_it_is_shown() {
        for (closure, expected) in [
            ("|_| async { Ok(()) }", Returns::Nothing),
            ("|_| async { Err(\"no\".into()) }", Returns::Nothing),
            ("|_| async { if a { return Ok(()); } todo!() }", Returns::Nothing),
            ("|_| async { Ok(3) }", Returns::Value),
            ("|_| async { Ok(a.to_owned()) }", Returns::Value),
            ("|_| async { if a { return Ok([1]); } Err(b) }", Returns::Value),
            (
                "|_| { let a = a.clone(); async move { match a { B => Ok(()), _ => Ok(C { d }) } } }",
                Returns::Value,
            ),
            ("|_| Box::pin(async { Ok(vec![1]) })", Returns::Value),
            ("|_| -> BoxFuture<'static, Result<String, HandlerError>> { a() }", Returns::Value),
            ("|_| async { Ok(a) }", Returns::Unknown),
            ("|_| async { a().await }", Returns::Unknown),
            ("|_| a()", Returns::Unknown),
            // A closure within is another function.
            ("|_| async { let a = || { return Ok(3); }; Ok(()) }", Returns::Nothing),
        ] {
            assert_eq!(of_closure(&syn::parse_str(closure).unwrap()), expected, "{closure}");
        }
    }
}
