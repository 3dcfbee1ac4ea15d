//! `#[derive(Choice)]`: an enum's unit variants as the texts of a choice.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::ext::IdentExt;
use syn::{Data, DeriveInput, Fields, Ident};

use crate::attributes::{Container, Variant as Said};
use crate::naming::Case;
use crate::serde_attributes::{SerdeContainer, SerdeField};
use crate::unique::{self, Named};

pub(crate) fn derive(input: &DeriveInput) -> syn::Result<TokenStream> {
    let Data::Enum(data) = &input.data else {
        return Err(syn::Error::new_spanned(
            &input.ident,
            "`Choice` needs an enum whose variants have no fields",
        ));
    };
    if data.variants.is_empty() {
        return Err(syn::Error::new_spanned(&input.ident, "a choice needs at least one variant"));
    }
    let container = Container::read("choice", &input.attrs, Case::Kebab)?;
    let serde = SerdeContainer::read(&input.attrs)?;
    let variants = unique::each(&data.variants, |variant| Text::read(variant, &container, &serde))?;

    let model = &container.model;
    let texts: Vec<&str> = variants.iter().map(|variant| &*variant.text).collect();
    let labels = variants.iter().filter_map(|variant| {
        let (text, label) = (&variant.text, variant.label.as_ref()?);
        Some(quote!((#text, #label)))
    });
    let labels: Vec<_> = labels.collect();
    // Without labels, the default of the trait says the same.
    let labels = (!labels.is_empty())
        .then(|| quote!(const LABELS: &'static [(&'static str, &'static str)] = &[#(#labels),*];));
    let variants: Vec<&Ident> = variants.iter().map(|variant| variant.variant).collect();
    let name = &input.ident;
    let (generics, arguments, bounds) = input.generics.split_for_impl();
    Ok(quote! {
        #[automatically_derived]
        impl #generics #model::Choice for #name #arguments #bounds {
            const CHOICES: &'static [&'static str] = &[#(#texts),*];
            #labels

            fn from_choice(choice: &str) -> ::std::option::Option<Self> {
                match choice {
                    #(#texts => ::std::option::Option::Some(Self::#variants),)*
                    _ => ::std::option::Option::None,
                }
            }

            fn as_choice(&self) -> &'static str {
                match self {
                    #(Self::#variants => #texts),*
                }
            }
        }

        #[automatically_derived]
        impl #generics #model::ArgumentValue for #name #arguments #bounds {
            type Scalar = Self;

            fn from_scalar(scalar: Self) -> Self {
                scalar
            }
        }
    })
}

struct Text<'a> {
    variant: &'a Ident,
    text: String,
    label: Option<String>,
}

impl Named for Text<'_> {
    const WHAT: &'static str = "choice";

    fn name(&self) -> &str {
        &self.text
    }
}

impl<'a> Text<'a> {
    /// The variant, and the span of its text.
    fn read(
        variant: &'a syn::Variant,
        container: &Container,
        serde: &SerdeContainer,
    ) -> syn::Result<(Self, Span)> {
        let said = Said::read(&variant.attrs)?;
        if !matches!(variant.fields, Fields::Unit) {
            let message = "a variant of a choice has no fields; remove them";
            return Err(syn::Error::new_spanned(&variant.fields, message));
        }
        let ident = &variant.ident;
        let (text, span) = match &said.rename {
            Some(rename) => (rename.value(), rename.span()),
            None => (container.rename_all.of_variant(&ident.unraw().to_string()), ident.span()),
        };
        SerdeField::read(&variant.attrs)?.check_variant(ident, &text, serde)?;
        let label = said.label.map(|label| label.value());
        Ok((Self { variant: ident, text, label }, span))
    }
}
