//! Refuses `#[serde(…)]` where it would say something else than the derive: a type may derive both, and nothing that its
//! author wrote is ignored silently.
//!
//! What concerns only the serialization of a value, or says the same as the derive, is accepted.

use proc_macro2::Span;
use syn::ext::IdentExt;
use syn::meta::ParseNestedMeta;
use syn::{Attribute, Expr, Ident, LitStr, Token};

use crate::naming::Case;

/// What serde is told of a struct or an enum.
#[derive(Default)]
pub(crate) struct SerdeContainer {
    rename_all: Option<(Case, Span)>,
}

/// What serde is told of a field or a variant.
#[derive(Default)]
pub(crate) struct SerdeField {
    rename: Option<(String, Span)>,
    default: Option<Span>,
    /// An attribute that nothing here corresponds to.
    other: Option<(String, Span)>,
}

/// Attributes that concern only serialization, or only the code that serde writes.
const HARMLESS: [&str; 11] = [
    "borrow",
    "bound",
    "crate",
    "deny_unknown_fields",
    "expecting",
    "getter",
    "into",
    "serialize_with",
    "skip_serializing",
    "skip_serializing_if",
    "remote",
];

impl SerdeContainer {
    pub(crate) fn read(attributes: &[Attribute]) -> syn::Result<Self> {
        let mut container = Self::default();
        each(attributes, |name, meta| {
            match name {
                "rename_all" => {
                    if let Some(case) = deserialized(meta)? {
                        container.rename_all = Some((Case::read(&case)?, case.span()));
                    }
                }
                harmless if HARMLESS.contains(&harmless) => skip(meta)?,
                other => return Err(meta.error(no_effect("this type", other))),
            }
            Ok(())
        })?;
        Ok(container)
    }
}

impl SerdeField {
    pub(crate) fn read(attributes: &[Attribute]) -> syn::Result<Self> {
        let mut field = Self::default();
        each(attributes, |name, meta| {
            let span = meta.path.get_ident().map_or_else(Span::call_site, Ident::span);
            match name {
                "rename" => {
                    if let Some(name) = deserialized(meta)? {
                        field.rename = Some((name.value(), name.span()));
                    }
                }
                "default" => {
                    field.default = Some(span);
                    skip(meta)?;
                }
                harmless if HARMLESS.contains(&harmless) => skip(meta)?,
                other => {
                    field.other.get_or_insert((other.to_owned(), span));
                    skip(meta)?;
                }
            }
            Ok(())
        })?;
        Ok(field)
    }

    /// Compares with what the derive of arguments does with the field.
    pub(crate) fn check(
        self,
        field: &Ident,
        name: &str,
        has_default: bool,
        container: &SerdeContainer,
    ) -> syn::Result<()> {
        let what = format!("field `{}`", field.unraw());
        if let (Some(span), false) = (self.default, has_default) {
            let message = format!("{}; use `#[argument(default)]`", no_effect(&what, "default"));
            return Err(syn::Error::new(span, message));
        }
        let of_case = |case: Case| case.of_field(&field.unraw().to_string());
        self.check_name(&what, "argument", name, container, of_case)
    }

    /// Compares with what the derive of choices does with the variant.
    pub(crate) fn check_variant(
        self,
        variant: &Ident,
        name: &str,
        container: &SerdeContainer,
    ) -> syn::Result<()> {
        let what = format!("variant `{}`", variant.unraw());
        if let Some(span) = self.default {
            return Err(syn::Error::new(span, no_effect(&what, "default")));
        }
        let of_case = |case: Case| case.of_variant(&variant.unraw().to_string());
        self.check_name(&what, "choice", name, container, of_case)
    }

    fn check_name(
        self,
        what: &str,
        attribute: &str,
        name: &str,
        container: &SerdeContainer,
        of_case: impl Fn(Case) -> String,
    ) -> syn::Result<()> {
        if let Some((other, span)) = self.other {
            return Err(syn::Error::new(span, no_effect(what, &other)));
        }
        let of_container = container.rename_all.map(|(case, span)| (of_case(case), span));
        match self.rename.or(of_container) {
            Some((renamed, span)) if renamed != name => {
                let message = format!(
                    "`#[serde(…)]` names the {what} `{renamed}`, and the {attribute} is named `{name}`; write \
                     `#[{attribute}(rename = \"{renamed}\")]`, or `rename_all` for all of them"
                );
                Err(syn::Error::new(span, message))
            }
            _ => Ok(()),
        }
    }
}

fn no_effect(what: &str, attribute: &str) -> String {
    format!("{what}: `#[serde({attribute})]` has no effect on how a call is read; remove it")
}

fn each(
    attributes: &[Attribute],
    mut take: impl FnMut(&str, &ParseNestedMeta<'_>) -> syn::Result<()>,
) -> syn::Result<()> {
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("serde")) {
        attribute.parse_nested_meta(|meta| {
            let name = meta.path.get_ident().map(ToString::to_string).unwrap_or_default();
            take(&name, &meta)
        })?;
    }
    Ok(())
}

/// The name for deserializing: `= "…"` or `(serialize = "…", deserialize = "…")`.
fn deserialized(meta: &ParseNestedMeta<'_>) -> syn::Result<Option<LitStr>> {
    if meta.input.peek(Token![=]) {
        return meta.value()?.parse().map(Some);
    }
    let mut name = None;
    meta.parse_nested_meta(|inner| {
        let text: LitStr = inner.value()?.parse()?;
        if inner.path.is_ident("deserialize") {
            name = Some(text);
        }
        Ok(())
    })?;
    Ok(name)
}

/// Reads over the value of an attribute.
fn skip(meta: &ParseNestedMeta<'_>) -> syn::Result<()> {
    if meta.input.peek(Token![=]) {
        meta.value()?.parse::<Expr>()?;
    } else if meta.input.peek(syn::token::Paren) {
        let inside;
        syn::parenthesized!(inside in meta.input);
        inside.parse::<proc_macro2::TokenStream>()?;
    }
    Ok(())
}
