//! Parses `#[argument(…)]` and `#[choice(…)]`. Unknown and repeated options are errors.

use syn::meta::ParseNestedMeta;
use syn::{Attribute, Expr, LitStr, Path, Token, parenthesized, parse_quote};

use crate::naming::Case;

/// The options of a struct or an enum.
pub(crate) struct Container {
    pub(crate) rename_all: Case,
    /// The path of the command model.
    pub(crate) model: Path,
}

/// The options of a field.
#[derive(Default)]
pub(crate) struct Field {
    pub(crate) rename: Option<LitStr>,
    pub(crate) description: Option<LitStr>,
    pub(crate) default: Option<Fallback>,
    pub(crate) range: Option<Expr>,
    pub(crate) length: Option<Expr>,
    pub(crate) secret: Option<()>,
    pub(crate) choices: Option<Choices>,
}

/// Where the choices of a field come from, if its type is not an enum.
pub(crate) enum Choices {
    /// `choices_from = source`.
    From(Box<Expr>),
    /// `choices_in = set`.
    In(Box<Expr>),
    /// `choices_given(["other"], source)`.
    Given(Box<Expr>, Box<Expr>),
}

/// The default of a field that a call omits.
pub(crate) enum Fallback {
    OfType,
    Of(Box<Expr>),
}

/// The options of a variant.
#[derive(Default)]
pub(crate) struct Variant {
    pub(crate) rename: Option<LitStr>,
    pub(crate) label: Option<LitStr>,
}

impl Container {
    pub(crate) fn read(attribute: &str, attributes: &[Attribute], usual: Case) -> syn::Result<Self> {
        let (mut rename_all, mut model) = (None, None);
        each(attribute, attributes, &["rename_all", "crate"], |name, meta| match name {
            "rename_all" => once(&mut rename_all, meta, Case::read(&text(meta)?)?),
            _ => once(&mut model, meta, text(meta)?.parse()?),
        })?;
        Ok(Self {
            rename_all: rename_all.unwrap_or(usual),
            model: model.unwrap_or_else(|| parse_quote!(::drawloom::command)),
        })
    }
}

const FIELD: [&str; 9] = [
    "description",
    "rename",
    "default",
    "range",
    "length",
    "secret",
    "choices_from",
    "choices_in",
    "choices_given",
];

impl Field {
    pub(crate) fn read(attributes: &[Attribute]) -> syn::Result<Self> {
        let mut field = Self::default();
        each("argument", attributes, &FIELD, |name, meta| match name {
            "description" => once(&mut field.description, meta, filled(meta)?),
            "rename" => once(&mut field.rename, meta, filled(meta)?),
            "range" => once(&mut field.range, meta, meta.value()?.parse()?),
            "length" => once(&mut field.length, meta, meta.value()?.parse()?),
            "secret" => once(&mut field.secret, meta, ()),
            "choices_from" => once(&mut field.choices, meta, Choices::From(meta.value()?.parse()?)),
            "choices_in" => once(&mut field.choices, meta, Choices::In(meta.value()?.parse()?)),
            "choices_given" => {
                let given;
                parenthesized!(given in meta.input);
                let others = given.parse()?;
                given.parse::<Token![,]>()?;
                let source = given.parse()?;
                given.parse::<Option<Token![,]>>()?;
                once(&mut field.choices, meta, Choices::Given(others, source))
            }
            _ => {
                let fallback = match meta.input.peek(Token![=]) {
                    true => Fallback::Of(meta.value()?.parse()?),
                    false => Fallback::OfType,
                };
                once(&mut field.default, meta, fallback)
            }
        })?;
        Ok(field)
    }
}

impl Variant {
    pub(crate) fn read(attributes: &[Attribute]) -> syn::Result<Self> {
        let mut variant = Self::default();
        each("choice", attributes, &["rename", "label"], |name, meta| match name {
            "rename" => once(&mut variant.rename, meta, filled(meta)?),
            _ => once(&mut variant.label, meta, filled(meta)?),
        })?;
        Ok(variant)
    }
}

/// Passes each option in `#[attribute(…)]` to `take`, if its name is known.
fn each(
    attribute: &str,
    attributes: &[Attribute],
    known: &[&'static str],
    mut take: impl FnMut(&'static str, &ParseNestedMeta<'_>) -> syn::Result<()>,
) -> syn::Result<()> {
    for said in attributes.iter().filter(|said| said.path().is_ident(attribute)) {
        said.parse_nested_meta(|meta| match known.iter().find(|name| meta.path.is_ident(name)) {
            Some(name) => take(name, &meta),
            None => {
                let known = known.join("`, `");
                Err(meta.error(format!("unknown attribute; `{attribute}` takes `{known}`")))
            }
        })?;
    }
    Ok(())
}

fn once<T>(slot: &mut Option<T>, meta: &ParseNestedMeta<'_>, value: T) -> syn::Result<()> {
    match slot.replace(value) {
        None => Ok(()),
        Some(_) => Err(meta.error("this is repeated")),
    }
}

fn text(meta: &ParseNestedMeta<'_>) -> syn::Result<LitStr> {
    meta.value()?.parse()
}

fn filled(meta: &ParseNestedMeta<'_>) -> syn::Result<LitStr> {
    let text = text(meta)?;
    match text.value().is_empty() {
        true => Err(syn::Error::new_spanned(text, "may not be empty")),
        false => Ok(text),
    }
}
