//! Names of scenarios as names of tests: `Ask again for each run` is the function `ask_again_for_each_run`.
//!
//! Crates that convert case (heck, convert_case) find words within words: `toolCallId` would be `tool_call_id`. The rule here is
//! the simpler one that `openspec/README.md` states.

/// The identifier a name becomes: lowercase, with one `_` for every run of what is neither an ASCII letter
/// nor a digit.
///
/// Two names that Rust cannot take as they are get a `_`: `3 calls` is `_3_calls`, and `self`, which no `r#`
/// helps, is `self_`. Other keywords stay as they are here and are written with `r#` in the source. Empty
/// where the name has neither letter nor digit.
pub(crate) fn segment(name: &str) -> String {
    let words: Vec<_> =
        name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let mut segment = words.join("_").to_ascii_lowercase();
    if segment.starts_with(|c: char| c.is_ascii_digit()) {
        segment.insert(0, '_');
    }
    if matches!(segment.as_str(), "self" | "super" | "crate") {
        segment.push('_');
    }
    segment
}

/// The path of the test that proves a scenario.
pub(crate) fn slug(capability: &str, requirement: &str, scenario: &str) -> String {
    [capability, requirement, scenario].map(segment).join("::")
}

/// A test's path as slugs spell it: without the `r#` of segments that are keywords.
pub(crate) fn without_raw(path: &str) -> String {
    path.split("::")
        .map(|segment| segment.strip_prefix("r#").unwrap_or(segment))
        .collect::<Vec<_>>()
        .join("::")
}

/// A segment as it is written in a source: with `r#` where it is a keyword.
pub(crate) fn identifier(segment: &str) -> String {
    // syn's list stops before the 2024 edition.
    let keyword = segment == "gen" || syn::parse_str::<syn::Ident>(segment).is_err();
    format!("{}{segment}", if keyword { "r#" } else { "" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_of_other_characters_is_one_underscore() {
        assert_eq!(segment("  A caller's – *own* word! "), "a_caller_s_own_word");
        assert_eq!(slug("ag-ui-tools", "One answer", "It ran"), "ag_ui_tools::one_answer::it_ran");
    }

    #[test]
    fn a_name_rust_cannot_take_gets_an_underscore() {
        assert_eq!(segment("3 calls"), "_3_calls");
        assert_eq!(segment("Self"), "self_");
        assert_eq!(segment("– ! –"), "");
    }

    #[test]
    fn keywords_are_raw_in_the_source_and_plain_in_the_slug() {
        assert_eq!(identifier("move"), "r#move");
        assert_eq!(identifier("gen"), "r#gen");
        assert_eq!(identifier("moved"), "moved");
        assert_eq!(without_raw("r#move::r#gen::r_x"), "move::gen::r_x");
    }
}
