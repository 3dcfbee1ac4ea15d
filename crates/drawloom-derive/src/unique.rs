//! Reads several items with unique names, and reports all problems at once.

use std::collections::HashSet;

use proc_macro2::Span;

/// An item with a name that callers see.
pub(crate) trait Named {
    const WHAT: &'static str;

    fn name(&self) -> &str;
}

/// Reads each item and the span of its name.
pub(crate) fn each<S, T: Named>(
    sources: impl IntoIterator<Item = S>,
    mut read: impl FnMut(S) -> syn::Result<(T, Span)>,
) -> syn::Result<Vec<T>> {
    let (mut items, mut names, mut errors) = (Vec::new(), HashSet::new(), None);
    for source in sources {
        let read = read(source).and_then(|(item, span)| match names.insert(item.name().to_owned()) {
            true => Ok(item),
            false => Err(syn::Error::new(span, format!("a second {} named `{}`", T::WHAT, item.name()))),
        });
        match read {
            Ok(item) => items.push(item),
            Err(error) => match &mut errors {
                None => errors = Some(error),
                Some(errors) => errors.combine(error),
            },
        }
    }
    errors.map_or(Ok(items), Err)
}
