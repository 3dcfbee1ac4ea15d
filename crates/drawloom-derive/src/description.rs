//! Reads a description from a doc comment.

use syn::{Attribute, Expr, ExprLit, Lit, Meta};

/// The first paragraph of the doc comment, its lines joined by a space. `None` if there is no text.
///
/// The text after the first blank line is only for readers of the code.
pub(crate) fn from_docs(attributes: &[Attribute]) -> Option<String> {
    let comment: Vec<String> = attributes.iter().filter_map(text).collect();
    let lines = comment.iter().flat_map(|text| text.lines()).map(str::trim);
    let paragraph: Vec<&str> =
        lines.skip_while(|line| line.is_empty()).take_while(|line| !line.is_empty()).collect();
    (!paragraph.is_empty()).then(|| paragraph.join(" "))
}

/// The text of one doc attribute: one line of a `///` comment, or a whole block.
fn text(attribute: &Attribute) -> Option<String> {
    match &attribute.meta {
        Meta::NameValue(meta) if meta.path.is_ident("doc") => match &meta.value {
            // An empty line is part of the text: it ends a paragraph.
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) if text.value().is_empty() => {
                Some("\n".to_owned())
            }
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use syn::parse_quote;

    use super::*;

    #[test]
    fn the_first_paragraph_is_the_description() {
        let attributes: [Attribute; 6] = [
            parse_quote!(#[doc = ""]),
            parse_quote!(#[doc = " The note's path,"]),
            parse_quote!(#[argument(default)]),
            parse_quote!(#[doc = " as \"inbox/today\". "]),
            parse_quote!(#[doc = ""]),
            parse_quote!(#[doc = " For the reader."]),
        ];
        assert_eq!(from_docs(&attributes).unwrap(), "The note's path, as \"inbox/today\".");
    }

    #[test]
    fn a_block_comment_is_split_into_its_lines() {
        assert_eq!(from_docs(&[parse_quote!(#[doc = "\n One\n two.\n\n Three.\n"])]).unwrap(), "One two.");
    }

    #[test]
    fn nothing_said_is_no_description() {
        assert_eq!(from_docs(&[]), None);
        assert_eq!(from_docs(&[parse_quote!(#[doc = "  "]), parse_quote!(#[doc(hidden)])]), None);
    }
}
