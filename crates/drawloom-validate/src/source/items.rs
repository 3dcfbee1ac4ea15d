//! The items of a source: its imports, constants, types and functions, and the commands within them.

use syn::ext::IdentExt;
use syn::visit::{self, Visit};
use syn::{Attribute, Expr, FnArg, Item, ItemImpl, Meta, Pat, Signature, Stmt, Type};

use super::arguments;
use super::commands::Reader;
use super::derives;
use super::expression::{said, type_said};
use super::facts::{Facts, FunctionSaid, Path, TypeFact};
use super::imports::Imports;
use super::returns;
use super::scope::Scope;

/// Reads the items of a file.
pub(crate) fn read(file: &syn::File, module: Vec<String>, is_test: bool) -> Facts {
    let mut imports = Uses(Imports::default());
    imports.visit_file(file);
    let mut reader = Reader::new(Scope::new(imports.0), module);
    if is_test || is_test_code(&file.attrs) {
        reader.in_test(|reader| reader.items(&file.items));
    } else {
        reader.items(&file.items);
    }
    reader.facts
}

/// Collects the imports of a file, wherever they stand.
struct Uses(Imports);

impl<'ast> Visit<'ast> for Uses {
    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        self.0.add(&item.tree);
    }
}

impl Reader {
    pub(crate) fn items(&mut self, items: &[Item]) {
        for item in items {
            self.item(item);
        }
    }

    pub(crate) fn item(&mut self, item: &Item) {
        if is_test_code(attributes(item)) && !self.is_test {
            self.in_test(|reader| reader.item_inside(item));
        } else {
            self.item_inside(item);
        }
    }

    fn item_inside(&mut self, item: &Item) {
        match item {
            Item::Mod(module) => {
                self.module.push(module.ident.unraw().to_string());
                match &module.content {
                    Some((_, items)) => self.items(items),
                    None if self.is_test => self.facts.test_modules.push(self.module.clone()),
                    None => {}
                }
                self.module.pop();
            }
            Item::Const(constant) => {
                let value = said(&constant.expr, &self.scope);
                self.constant(&constant.ident, value);
                self.visit_expr(&constant.expr);
            }
            Item::Static(constant) => {
                let value = said(&constant.expr, &self.scope);
                self.constant(&constant.ident, value);
                self.visit_expr(&constant.expr);
            }
            Item::Struct(item) => {
                if let Some(fact) = derives::arguments(item, &self.scope) {
                    self.type_fact(&item.ident, fact);
                }
            }
            Item::Enum(item) => {
                if let Some(fact) = derives::choice(item, &self.scope) {
                    self.type_fact(&item.ident, fact);
                }
            }
            Item::Type(alias) => {
                let kind = type_said(&alias.ty, &self.scope.imports);
                self.type_fact(&alias.ident, TypeFact::Alias(kind));
            }
            Item::Fn(function) => self.function(&function.sig, &function.block),
            Item::Impl(item) => self.implementation(item),
            Item::Trait(item) => {
                for item in &item.items {
                    if let syn::TraitItem::Fn(function) = item
                        && let Some(body) = &function.default
                    {
                        self.function(&function.sig, body);
                    }
                }
            }
            Item::Macro(item) => match &item.ident {
                Some(name) => self.macro_definition(name, &item.mac),
                None => self.visit_macro(&item.mac),
            },
            other => visit::visit_item(self, other),
        }
    }

    fn implementation(&mut self, item: &ItemImpl) {
        let own = match type_said(&item.self_ty, &self.scope.imports) {
            super::facts::TypeSaid::Path { path, .. } => path,
            _ => Vec::new(),
        };
        let name = own.last().cloned().unwrap_or_default();
        let of_trait = item
            .trait_
            .as_ref()
            .and_then(|(path, _)| path.segments.last())
            .map(|last| last.ident.to_string());
        let outer = self.scope.imports.own_type.replace(own);
        self.module.push(name.clone());
        for inner in &item.items {
            match inner {
                syn::ImplItem::Const(constant) => {
                    let value = said(&constant.expr, &self.scope);
                    self.constant(&constant.ident, value);
                }
                syn::ImplItem::Type(alias)
                    if of_trait.as_deref() == Some("ArgumentValue") && alias.ident == "Scalar" =>
                {
                    let scalar = type_said(&alias.ty, &self.scope.imports);
                    self.facts.types.push((self.module.clone(), TypeFact::Newtype(scalar)));
                }
                syn::ImplItem::Fn(function) if is_test_code(&function.attrs) && !self.is_test => {
                    self.in_test(|reader| reader.function(&function.sig, &function.block));
                }
                syn::ImplItem::Fn(function) => self.function(&function.sig, &function.block),
                syn::ImplItem::Macro(call) => self.visit_macro(&call.mac),
                _ => {}
            }
        }
        self.module.pop();
        self.scope.imports.own_type = outer;
    }

    /// A function, and the commands in it.
    fn function(&mut self, signature: &Signature, body: &syn::Block) {
        let mut path = self.module.clone();
        path.push(signature.ident.unraw().to_string());
        let parameters = signature.inputs.iter().filter_map(|input| match input {
            FnArg::Typed(typed) => Some(type_said(&typed.ty, &self.scope.imports)),
            FnArg::Receiver(_) => None,
        });
        let fact = FunctionSaid {
            parameters: parameters.collect(),
            returns: returns::of_signature(&signature.output),
            returns_command: returns_command(&signature.output),
            arguments: only_expression(signature, body)
                .and_then(|tail| arguments::list_if_any(tail, &self.scope)),
        };
        self.facts.functions.push((path.clone(), fact));

        let locals = self.scope.hide();
        let outer = self.function.replace(path);
        let conditions = std::mem::take(&mut self.conditions);
        for input in &signature.inputs {
            if let FnArg::Typed(typed) = input {
                self.scope.bind_pattern(&typed.pat);
            }
        }
        self.visit_block(body);
        self.conditions = conditions;
        self.function = outer;
        self.scope.restore(locals);
    }

    fn constant(&mut self, name: &syn::Ident, value: super::facts::Said) {
        let path = self.path_of(name);
        self.facts.constants.push((path, value));
    }

    fn type_fact(&mut self, name: &syn::Ident, fact: TypeFact) {
        let path = self.path_of(name);
        self.facts.types.push((path, fact));
    }

    fn path_of(&self, name: &syn::Ident) -> Path {
        let mut path = self.module.clone();
        path.push(name.unraw().to_string());
        path
    }
}

/// The expression that a function without parameters gives, if its body is nothing else.
fn only_expression<'a>(signature: &Signature, body: &'a syn::Block) -> Option<&'a Expr> {
    match body.stmts.as_slice() {
        [Stmt::Expr(tail, None)] if signature.inputs.is_empty() => Some(tail),
        _ => None,
    }
}

/// Whether a function gives a `Command`, by its signature.
fn returns_command(output: &syn::ReturnType) -> bool {
    let syn::ReturnType::Type(_, kind) = output else { return false };
    match &**kind {
        Type::Path(path) => {
            path.path.segments.last().is_some_and(|last| last.ident == "Command" || last.ident == "Self")
        }
        _ => false,
    }
}

/// Whether the item is compiled for tests only.
fn is_test_code(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        Meta::Path(path) => path.segments.last().is_some_and(|last| last.ident == "test"),
        Meta::List(list) if list.path.is_ident("cfg") => {
            let mut tokens = list.tokens.clone().into_iter();
            match (tokens.next(), tokens.next(), tokens.next()) {
                (Some(only), None, _) => only.to_string() == "test",
                // `all(test, …)`
                (Some(all), Some(proc_macro2::TokenTree::Group(group)), None) if all.to_string() == "all" => {
                    group.stream().into_iter().any(|token| token.to_string() == "test")
                }
                _ => false,
            }
        }
        Meta::List(list) => list.path.segments.last().is_some_and(|last| last.ident == "test"),
        Meta::NameValue(_) => false,
    })
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        _ => &[],
    }
}

/// The name of a pattern that binds one value without conditions, and whether the value can change.
pub(crate) fn bound(pattern: &Pat) -> Option<(String, bool)> {
    match pattern {
        Pat::Ident(pattern) if pattern.subpat.is_none() && pattern.by_ref.is_none() => {
            Some((pattern.ident.unraw().to_string(), pattern.mutability.is_some()))
        }
        Pat::Type(typed) => bound(&typed.pat),
        Pat::Paren(inner) => bound(&inner.pat),
        _ => None,
    }
}
