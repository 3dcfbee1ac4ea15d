//! The derives `CommandArguments` and `Choice`, read from the source of the type.

use syn::ext::IdentExt;
use syn::meta::ParseNestedMeta;
use syn::{Attribute, Expr, ExprLit, Fields, ItemEnum, ItemStruct, Lit, LitStr, Meta, Token};

use super::expression::type_said;
use super::facts::{FieldSaid, TypeFact};
use super::imports::Imports;
use super::naming::Case;
use super::position;

/// Whether the attributes derive this.
pub(crate) fn derives(attributes: &[Attribute], name: &str) -> bool {
    attributes.iter().filter(|attribute| attribute.path().is_ident("derive")).any(|attribute| {
        let mut found = false;
        // What is not a list of paths derives nothing that is looked for.
        let _ = attribute.parse_nested_meta(|meta| {
            found |= meta.path.segments.last().is_some_and(|last| last.ident == name);
            Ok(())
        });
        found
    })
}

/// A struct as arguments, if it derives them.
pub(crate) fn arguments(item: &ItemStruct, imports: &Imports) -> Option<TypeFact> {
    if !derives(&item.attrs, "CommandArguments") {
        return None;
    }
    let read = || -> syn::Result<Vec<FieldSaid>> {
        let case = Said::read("argument", &item.attrs)?.case(Case::Snake)?;
        let fields = match &item.fields {
            Fields::Named(fields) => fields.named.iter().collect(),
            _ => Vec::new(),
        };
        fields
            .into_iter()
            .filter_map(|field| field.ident.as_ref().map(|ident| (field, ident)))
            .map(|(field, ident)| {
                let said = Said::read("argument", &field.attrs)?;
                Ok(FieldSaid {
                    position: position(ident.span()),
                    name: said.rename.unwrap_or_else(|| case.of_field(&ident.unraw().to_string())),
                    description: said.description.or_else(|| from_docs(&field.attrs)),
                    kind: type_said(&field.ty, imports),
                    has_default: said.has_default,
                })
            })
            .collect()
    };
    Some(read().map_or_else(|error| TypeFact::Faulty(error.to_string()), TypeFact::Arguments))
}

/// An enum as the texts of a choice, if it derives that.
pub(crate) fn choice(item: &ItemEnum) -> Option<TypeFact> {
    if !derives(&item.attrs, "Choice") {
        return None;
    }
    let read = || -> syn::Result<Vec<String>> {
        let case = Said::read("choice", &item.attrs)?.case(Case::Kebab)?;
        let variants = item.variants.iter().map(|variant| {
            let said = Said::read("choice", &variant.attrs)?;
            Ok(said.rename.unwrap_or_else(|| case.of_variant(&variant.ident.unraw().to_string())))
        });
        variants.collect()
    };
    Some(read().map_or_else(|error| TypeFact::Faulty(error.to_string()), TypeFact::Choice))
}

/// What is said in `#[argument(…)]` or `#[choice(…)]`, as far as it concerns what an agent sees.
#[derive(Default)]
struct Said {
    rename: Option<String>,
    rename_all: Option<LitStr>,
    description: Option<String>,
    has_default: bool,
}

impl Said {
    fn read(attribute: &str, attributes: &[Attribute]) -> syn::Result<Self> {
        let mut said = Self::default();
        for attribute in attributes.iter().filter(|found| found.path().is_ident(attribute)) {
            attribute.parse_nested_meta(|meta| {
                let name = meta.path.get_ident().map(ToString::to_string).unwrap_or_default();
                match name.as_str() {
                    "rename" => said.rename = Some(text(&meta)?.value()),
                    "rename_all" => said.rename_all = Some(text(&meta)?),
                    "description" => said.description = Some(text(&meta)?.value()),
                    "default" => {
                        said.has_default = true;
                        pass_over(&meta)?;
                    }
                    _ => pass_over(&meta)?,
                }
                Ok(())
            })?;
        }
        Ok(said)
    }

    fn case(&self, usual: Case) -> syn::Result<Case> {
        let Some(name) = &self.rename_all else { return Ok(usual) };
        Case::read(&name.value())
            .ok_or_else(|| syn::Error::new(name.span(), format!("there is no case \"{}\"", name.value())))
    }
}

fn text(meta: &ParseNestedMeta<'_>) -> syn::Result<LitStr> {
    meta.value()?.parse()
}

/// Reads over the value of something that concerns no agent.
fn pass_over(meta: &ParseNestedMeta<'_>) -> syn::Result<()> {
    if meta.input.peek(Token![=]) {
        meta.value()?.parse::<Expr>()?;
    } else if meta.input.peek(syn::token::Paren) {
        let inside;
        syn::parenthesized!(inside in meta.input);
        inside.parse::<proc_macro2::TokenStream>()?;
    }
    Ok(())
}

/// The first paragraph of a doc comment, its lines joined by a space.
fn from_docs(attributes: &[Attribute]) -> Option<String> {
    let comment: Vec<String> = attributes.iter().filter_map(doc).collect();
    let lines = comment.iter().flat_map(|text| text.lines()).map(str::trim);
    let paragraph: Vec<&str> =
        lines.skip_while(|line| line.is_empty()).take_while(|line| !line.is_empty()).collect();
    (!paragraph.is_empty()).then(|| paragraph.join(" "))
}

fn doc(attribute: &Attribute) -> Option<String> {
    let Meta::NameValue(meta) = &attribute.meta else { return None };
    if !meta.path.is_ident("doc") {
        return None;
    }
    match &meta.value {
        // An empty line ends a paragraph.
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) if text.value().is_empty() => Some("\n".to_owned()),
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
        _ => None,
    }
}
