//! Parses `#[argument(…)]` and `#[choice(…)]`. Unknown and repeated options are errors.

use syn::meta::ParseNestedMeta;
use syn::{Attribute, Expr, LitStr, Path, Token, parse_quote};

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

impl Field {
    pub(crate) fn read(attributes: &[Attribute]) -> syn::Result<Self> {
        let mut field = Self::default();
        each("argument", attributes, &["description", "rename", "default"], |name, meta| match name {
            "description" => once(&mut field.description, meta, filled(meta)?),
            "rename" => once(&mut field.rename, meta, filled(meta)?),
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
        each("choice", attributes, &["rename"], |_, meta| once(&mut variant.rename, meta, filled(meta)?))?;
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
