//! The derives `CommandArguments` and `Choice`, read from the source of the type.

use syn::ext::IdentExt;
use syn::meta::ParseNestedMeta;
use syn::{Attribute, Expr, ExprLit, Fields, ItemEnum, ItemStruct, Lit, LitStr, Meta, Token};

use super::expression::{ends, said, type_said};
use super::facts::{FieldSaid, Form, Said, SettingSaid, TypeFact};
use super::naming::Case;
use super::position;
use super::scope::Scope;

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
pub(crate) fn arguments(item: &ItemStruct, scope: &Scope) -> Option<TypeFact> {
    if !derives(&item.attrs, "CommandArguments") {
        return None;
    }
    let read = || -> syn::Result<Vec<FieldSaid>> {
        let case = Attributes::read("argument", &item.attrs, scope)?.case(Case::Snake)?;
        let fields = match &item.fields {
            Fields::Named(fields) => fields.named.iter().collect(),
            _ => Vec::new(),
        };
        fields
            .into_iter()
            .filter_map(|field| field.ident.as_ref().map(|ident| (field, ident)))
            .map(|(field, ident)| {
                let said = Attributes::read("argument", &field.attrs, scope)?;
                Ok(FieldSaid {
                    position: position(ident.span()),
                    name: said.rename.unwrap_or_else(|| case.of_field(&ident.unraw().to_string())),
                    description: said.description.or_else(|| from_docs(&field.attrs)),
                    kind: type_said(&field.ty, &scope.imports),
                    default: said.default,
                    choices: said.choices,
                    settings: said.settings,
                })
            })
            .collect()
    };
    Some(read().map_or_else(|error| TypeFact::Faulty(error.to_string()), TypeFact::Arguments))
}

/// An enum as the texts of a choice, if it derives that.
pub(crate) fn choice(item: &ItemEnum, scope: &Scope) -> Option<TypeFact> {
    if !derives(&item.attrs, "Choice") {
        return None;
    }
    let read = || -> syn::Result<Vec<(String, Option<String>)>> {
        let case = Attributes::read("choice", &item.attrs, scope)?.case(Case::Kebab)?;
        let variants = item.variants.iter().map(|variant| {
            let said = Attributes::read("choice", &variant.attrs, scope)?;
            let text = said.rename.unwrap_or_else(|| case.of_variant(&variant.ident.unraw().to_string()));
            Ok((text, said.label))
        });
        variants.collect()
    };
    Some(read().map_or_else(|error| TypeFact::Faulty(error.to_string()), TypeFact::Choice))
}

/// What is said in `#[argument(…)]` or `#[choice(…)]`, as far as it concerns what an agent sees.
#[derive(Default)]
struct Attributes {
    rename: Option<String>,
    rename_all: Option<LitStr>,
    description: Option<String>,
    label: Option<String>,
    /// `None` inside it is the default of the type.
    default: Option<Option<Said>>,
    choices: Option<Form>,
    settings: Vec<SettingSaid>,
}

impl Attributes {
    fn read(attribute: &str, attributes: &[Attribute], scope: &Scope) -> syn::Result<Self> {
        let mut read = Self::default();
        for attribute in attributes.iter().filter(|found| found.path().is_ident(attribute)) {
            attribute.parse_nested_meta(|meta| {
                let name = meta.path.get_ident().map(ToString::to_string).unwrap_or_default();
                match name.as_str() {
                    "rename" => read.rename = Some(text(&meta)?.value()),
                    "rename_all" => read.rename_all = Some(text(&meta)?),
                    "description" => read.description = Some(text(&meta)?.value()),
                    "label" => read.label = Some(text(&meta)?.value()),
                    "default" if meta.input.peek(Token![=]) => {
                        read.default = Some(Some(said(&meta.value()?.parse()?, scope)));
                    }
                    "default" => read.default = Some(None),
                    "secret" => read.settings.push(SettingSaid::Secret),
                    "length" => {
                        let (least, greatest) = ends(&meta.value()?.parse()?, scope);
                        read.settings.push(SettingSaid::Length(least, greatest));
                    }
                    "range" => {
                        let (least, greatest) = ends(&meta.value()?.parse()?, scope);
                        read.settings.push(SettingSaid::Range(least, greatest));
                    }
                    "choices_from" | "choices_in" => {
                        read.choices = Some(Form::ChoiceFrom);
                        pass_over(&meta)?;
                    }
                    "choices_given" => {
                        let inside;
                        syn::parenthesized!(inside in meta.input);
                        read.choices = Some(Form::ChoiceGiven(said(&inside.parse()?, scope)));
                        inside.parse::<proc_macro2::TokenStream>()?;
                    }
                    _ => pass_over(&meta)?,
                }
                Ok(())
            })?;
        }
        Ok(read)
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
