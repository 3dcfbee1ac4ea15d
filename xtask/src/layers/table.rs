//! Which crate may depend on which, as data. The direction of these edges is the design: see "The layers" in
//! `docs/ARCHITECTURE.md`.

/// What one crate of the workspace may depend on among the others. Dev-dependencies are free.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) knows: &'static [&'static str],
    /// Known too, as optional dependencies that the default features may turn on.
    pub(crate) by_default: &'static [&'static str],
    /// Known too, but only as optional dependencies that no default feature turns on.
    pub(crate) behind_features: &'static [&'static str],
}

const fn row(name: &'static str, knows: &'static [&'static str]) -> Row {
    Row { name, knows, by_default: &[], behind_features: &[] }
}

/// A crate may have a row before it exists; a crate without a row is a difference.
pub(crate) const TABLE: &[Row] = &[
    // The model depends on no other layer: everything else is stated in its terms.
    row("drawloom-command", &[]),
    // The registry implements what the model asks for, and knows no protocol and no policy.
    row("drawloom-workbench", &["drawloom-command"]),
    // What every protocol needs reaches commands through the model's `CommandAccess`, so that any registry will do.
    row("drawloom-tools", &["drawloom-command"]),
    // The policy sees a pending call, and not where it came from or what will run it.
    row("drawloom-consent", &["drawloom-command"]),
    // The derives generate declarations, which are the model's.
    row("drawloom-derive", &["drawloom-command"]),
    // The protocols offer whatever a `CommandAccess` offers.
    row("drawloom-ag-ui", &["drawloom-command", "drawloom-tools"]),
    // A client of this protocol also asks the person, so the server is one of the policy's ways to ask.
    row("drawloom-mcp", &["drawloom-command", "drawloom-tools", "drawloom-consent"]),
    // A live agent. Its questions to the person take the same way as the policy's; it needs no workbench.
    row("drawloom-client", &["drawloom-command", "drawloom-tools", "drawloom-ag-ui", "drawloom-consent"]),
    // Plugins in a sandbox are plugins of the workbench.
    row("drawloom-sandbox", &["drawloom-command", "drawloom-workbench"]),
    // The translation port is the workbench's.
    row("drawloom-fluent", &["drawloom-command", "drawloom-workbench"]),
    // It keeps permissions, conversations and remembered answers.
    row("drawloom-store", &["drawloom-command", "drawloom-workbench", "drawloom-client", "drawloom-consent"]),
    // The facade re-exports the inner crates and the derives, and an outer crate only where a feature asks for it.
    Row {
        name: "drawloom",
        knows: &[
            "drawloom-command",
            "drawloom-workbench",
            "drawloom-tools",
            "drawloom-ag-ui",
            "drawloom-consent",
        ],
        by_default: &["drawloom-derive"],
        behind_features: &[
            "drawloom-client",
            "drawloom-sandbox",
            "drawloom-mcp",
            "drawloom-store",
            "drawloom-fluent",
        ],
    },
    // Replay uses the facade as an application does.
    row("drawloom-replay", &["drawloom"]),
    // It reads declarations from sources, so that no workbench has to run. The crate that owns the format of workbench files
    // reads those, where a feature asks for it.
    Row {
        name: "drawloom-validate",
        knows: &["drawloom-command", "drawloom-tools"],
        by_default: &[],
        behind_features: &["drawloom-replay"],
    },
    // The notebook, a product.
    row(
        "drawloom-demo",
        &["drawloom", "drawloom-client", "drawloom-mcp", "drawloom-store", "drawloom-fluent"],
    ),
    // The binary. What takes long to build is left out unless it is asked for.
    Row {
        name: "drawloom-cli",
        knows: &["drawloom", "drawloom-client", "drawloom-replay", "drawloom-mcp", "drawloom-validate"],
        by_default: &[],
        behind_features: &["drawloom-demo", "drawloom-sandbox", "drawloom-store", "drawloom-fluent"],
    },
    // The tests may depend on everything that is published, and nothing may depend on them.
    row(
        "drawloom-tests",
        &[
            "drawloom-command",
            "drawloom-workbench",
            "drawloom-tools",
            "drawloom-ag-ui",
            "drawloom-consent",
            "drawloom-derive",
            "drawloom-client",
            "drawloom-sandbox",
            "drawloom-store",
            "drawloom-validate",
            "drawloom-mcp",
            "drawloom-fluent",
            "drawloom",
            "drawloom-replay",
            "drawloom-demo",
        ],
    ),
    // The checks build without what they check, so that they can say why it does not build.
    row("xtask", &[]),
];

/// The crates that an application takes in whatever it is made of.
pub(crate) const INNER: [&str; 6] = [
    "drawloom-command",
    "drawloom-workbench",
    "drawloom-tools",
    "drawloom-ag-ui",
    "drawloom-consent",
    "drawloom",
];

/// The features of the inner crates that bring in an outer crate, or what only tests need. No other may bring in one. For cargo
/// hack too, which passes over one that there is not.
pub(crate) const OUTER_FEATURES: &str = "client,http,sandbox,mcp,store,fluent,proptest";

/// What the inner crates may not reach, through anything.
pub(crate) const FORBIDDEN: [&str; 8] = [
    // The application picks its executor.
    "tokio",
    "async-std",
    "async-executor",
    "futures-executor",
    "smol",
    // Transports belong to the outer crates.
    "reqwest",
    "axum",
    // Errors are typed.
    "anyhow",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_crate_has_one_row_and_stands_above_what_it_knows() {
        for (index, row) in TABLE.iter().enumerate() {
            assert_eq!(
                TABLE.iter().filter(|other| other.name == row.name).count(),
                1,
                "rows of {}",
                row.name
            );
            for known in row.knows.iter().chain(row.by_default).chain(row.behind_features) {
                assert!(
                    TABLE[..index].iter().any(|below| below.name == *known),
                    "{} knows {known}",
                    row.name
                );
            }
        }
        assert!(INNER.iter().all(|inner| TABLE.iter().any(|row| row.name == *inner)));
    }
}
