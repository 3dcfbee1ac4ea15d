//! `#[derive(CommandArguments)]`: implements `TypedArguments` for a struct.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::{Data, DataStruct, DeriveInput, Fields, Ident, Path, Type};

use crate::attributes::{Choices, Container, Fallback, Field as Said};
use crate::description;
use crate::naming::Case;
use crate::serde_attributes::{SerdeContainer, SerdeField};
use crate::unique::{self, Named};

pub(crate) fn derive(input: &DeriveInput) -> syn::Result<TokenStream> {
    let fields = named_fields(input)?;
    // The name of the field is used unchanged by default.
    let container = Container::read("argument", &input.attrs, Case::Snake)?;
    let serde = SerdeContainer::read(&input.attrs)?;
    let fields = unique::each(fields, |field| Argument::read(field, &container, &serde))?;

    let model = &container.model;
    let given = Ident::new("given", Span::mixed_site());
    let slots: Vec<Ident> =
        (0..fields.len()).map(|index| Ident::new(&format!("given{index}"), Span::mixed_site())).collect();
    let names = fields.iter().map(|field| &field.name);
    let declared = fields.iter().map(|field| field.declared(model));
    let made = fields.iter().zip(&slots).map(|(field, slot)| field.made(model, slot));
    let name = &input.ident;
    let (generics, arguments, bounds) = input.generics.split_for_impl();
    Ok(quote! {
        #[automatically_derived]
        impl #generics #model::TypedArguments for #name #arguments #bounds {
            fn declare() -> ::std::vec::Vec<#model::Argument> {
                ::std::vec![#(#declared),*]
            }

            fn take_from(
                #given: &mut #model::CommandArguments,
            ) -> ::std::result::Result<Self, #model::ArgumentProblem> {
                #(let mut #slots = ::std::option::Option::None;)*
                #model::CommandArguments::take_each(#given, |name, value| match name {
                    #(#names => {
                        #slots = ::std::option::Option::Some(value);
                        ::std::option::Option::None
                    })*
                    _ => ::std::option::Option::Some(value),
                });
                ::std::result::Result::Ok(Self { #(#made),* })
            }
        }
    })
}

fn named_fields(input: &DeriveInput) -> syn::Result<Vec<&syn::Field>> {
    let what = match &input.data {
        Data::Struct(DataStruct { fields: Fields::Named(fields), .. }) => {
            return Ok(fields.named.iter().collect());
        }
        Data::Struct(DataStruct { fields: Fields::Unit, .. }) => return Ok(Vec::new()),
        Data::Struct(_) => "the fields of this struct have no names",
        Data::Enum(_) => "this is an enum",
        Data::Union(_) => "this is a union",
    };
    let message = format!("`CommandArguments` needs a struct with named fields, and {what}");
    Err(syn::Error::new_spanned(&input.ident, message))
}

struct Argument<'a> {
    field: &'a Ident,
    /// The type that declares and reads the argument.
    declared_as: Declared<'a>,
    name: String,
    said: Said,
    description: Option<String>,
}

enum Declared<'a> {
    As(&'a Type),
    /// Declared as an `Option` of the type: a call may omit it, and the field gets its default.
    Optional(&'a Type, Fallback),
}

impl Named for Argument<'_> {
    const WHAT: &'static str = "argument";

    fn name(&self) -> &str {
        &self.name
    }
}

impl<'a> Argument<'a> {
    /// The argument, and the span of its name.
    fn read(
        field: &'a syn::Field,
        container: &Container,
        serde: &SerdeContainer,
    ) -> syn::Result<(Self, Span)> {
        let mut said = Said::read(&field.attrs)?;
        let Some(ident) = &field.ident else {
            return Err(syn::Error::new_spanned(field, "an argument needs a name"));
        };
        let (name, span) = match &said.rename {
            Some(rename) => (rename.value(), rename.span()),
            None => (container.rename_all.of_field(&ident.unraw().to_string()), ident.span()),
        };
        let has_default = said.default.is_some() || is_option(&field.ty);
        SerdeField::read(&field.attrs)?.check(ident, &name, has_default, serde)?;
        let description = match &said.description {
            Some(description) => Some(description.value()),
            None => description::from_docs(&field.attrs),
        };
        let declared_as = match said.default.take() {
            None => Declared::As(&field.ty),
            Some(_) if is_option(&field.ty) => {
                let message = "an `Option` is `None` if the call omits it; remove its `default`";
                return Err(syn::Error::new_spanned(&field.ty, message));
            }
            Some(fallback) => Declared::Optional(&field.ty, fallback),
        };
        Ok((Self { field: ident, declared_as, name, said, description }, span))
    }

    /// The type as a field.
    fn as_field(&self, model: &Path) -> TokenStream {
        let field = quote!(#model::ArgumentField);
        match &self.declared_as {
            Declared::As(kind) => qualified(kind, &quote!(#kind), &field),
            Declared::Optional(kind, _) => {
                let (first, last) = ends(kind);
                let open = quote_spanned!(first=> ::std::option::Option<);
                let close = quote_spanned!(last=> >);
                qualified(kind, &quote!(#open #kind #close), &field)
            }
        }
    }

    fn declared(&self, model: &Path) -> TokenStream {
        let (as_field, name) = (self.as_field(model), &self.name);
        let argument = quote!(#model::Argument);
        let mut declared = quote!(#as_field::declare(#name));
        if let Some(choices) = &self.said.choices {
            let choices = match choices {
                Choices::From(source) => quote!(choice_from(#name, #source)),
                Choices::In(set) => quote!(choice_in(#name, &#set)),
                Choices::Given(others, source) => quote!(choice_given(#name, #others, #source)),
            };
            declared = quote!(#argument::choosing(#declared, #argument::#choices));
        }
        let description = self.description.iter();
        declared.extend(quote!(#(.description(#description))*));
        let (range, length) = (self.said.range.iter(), self.said.length.iter());
        declared.extend(quote!(#(.range(#range))* #(.length(#length))*));
        if self.said.secret.is_some() {
            declared.extend(quote!(.secret()));
        }
        if let Declared::Optional(kind, fallback) = &self.declared_as {
            let value = fallback.value(kind);
            declared = quote!(#argument::default::<#kind>(#declared, #value));
        }
        declared
    }

    fn made(&self, model: &Path, slot: &Ident) -> TokenStream {
        let (as_field, name, field) = (self.as_field(model), &self.name, self.field);
        let made = quote!(#as_field::from_given(#name, #slot)?);
        match &self.declared_as {
            Declared::As(_) => quote!(#field: #made),
            Declared::Optional(kind, fallback) => {
                let value = fallback.value(kind);
                quote!(#field: ::std::option::Option::unwrap_or_else(#made, || #value))
            }
        }
    }
}

impl Fallback {
    /// The default of a field of this type.
    fn value(&self, kind: &Type) -> TokenStream {
        match self {
            Self::OfType => {
                let has_default = qualified(kind, &quote!(#kind), &quote!(::std::default::Default));
                quote!(#has_default::default())
            }
            Self::Of(value) => quote!(#value),
        }
    }
}

/// `<tokens as trait>`, with spans such that an error points at the whole type.
fn qualified(written: &Type, tokens: &TokenStream, with: &TokenStream) -> TokenStream {
    let (first, last) = ends(written);
    let open = quote_spanned!(first=> <);
    let close = quote_spanned!(last=> as #with>);
    quote!(#open #tokens #close)
}

/// The first and the last span of the type.
fn ends(kind: &Type) -> (Span, Span) {
    let mut tokens = kind.to_token_stream().into_iter().map(|token| token.span());
    let first = tokens.next().unwrap_or_else(Span::call_site);
    (first, tokens.last().unwrap_or(first))
}

/// Whether the type is written as `Option<…>`. For an alias, the trait bounds report the error.
fn is_option(kind: &Type) -> bool {
    matches!(kind, Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == "Option"))
}
