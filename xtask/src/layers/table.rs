//! Who may know whom, as data. The direction of these edges is the design: see "Layout" in
//! `docs/ARCHITECTURE.md`.

/// What one crate of the workspace may depend on among the others. Dev-dependencies are free.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) knows: &'static [&'static str],
    /// Known too, but only as optional dependencies: features of the crate.
    pub(crate) behind_features: &'static [&'static str],
}

const fn row(name: &'static str, knows: &'static [&'static str]) -> Row {
    Row { name, knows, behind_features: &[] }
}

/// A crate may have a row before it exists; a crate without a row is a difference.
pub(crate) const TABLE: &[Row] = &[
    // The model stands on nothing: everything else is said in its terms.
    row("drawloom-command", &[]),
    // The seam implements what the model asks for, and has never heard of a protocol or a policy.
    row("drawloom-workbench", &["drawloom-command"]),
    // The protocol reaches commands through the model's `CommandAccess`, so that any seam will do.
    row("drawloom-ag-ui", &["drawloom-command"]),
    // The policy sees a pending call and nothing of where it came from or what will run it.
    row("drawloom-consent", &["drawloom-command"]),
    // The derives generate declarations, which are the model's.
    row("drawloom-derive", &["drawloom-command"]),
    // A live agent is the assembler's other end, and what it asks the person goes the way of the policy's questions;
    // it needs no workbench.
    row("drawloom-client", &["drawloom-command", "drawloom-ag-ui", "drawloom-consent"]),
    // Plugins in a sandbox are plugins of the workbench.
    row("drawloom-sandbox", &["drawloom-command", "drawloom-workbench"]),
    // An MCP server offers whatever a `CommandAccess` offers, as the AG-UI adapter does.
    row("drawloom-mcp", &["drawloom-command"]),
    // The translation port is the workbench's.
    row("drawloom-fluent", &["drawloom-command", "drawloom-workbench"]),
    // The facade re-exports the four, and an outer crate only where a feature asks for it.
    Row {
        name: "drawloom",
        knows: &["drawloom-command", "drawloom-workbench", "drawloom-ag-ui", "drawloom-consent"],
        behind_features: &[
            "drawloom-derive",
            "drawloom-client",
            "drawloom-sandbox",
            "drawloom-mcp",
            "drawloom-fluent",
        ],
    },
    // Replay is the facade's first customer: what it cannot do with that, nobody can.
    row("drawloom-replay", &["drawloom"]),
    // The binary plays recorded runs, and live ones.
    row("drawloom-cli", &["drawloom-replay", "drawloom", "drawloom-client"]),
    // The tests may look at everything that ships, and nothing may look at them.
    row(
        "drawloom-tests",
        &[
            "drawloom-command",
            "drawloom-workbench",
            "drawloom-ag-ui",
            "drawloom-consent",
            "drawloom-derive",
            "drawloom-client",
            "drawloom-sandbox",
            "drawloom-mcp",
            "drawloom-fluent",
            "drawloom",
            "drawloom-replay",
        ],
    ),
    // The checks build without what they check, so that they can say why it does not build.
    row("xtask", &[]),
];

/// The crates an application takes in whatever it is made of.
pub(crate) const INNER: [&str; 5] =
    ["drawloom-command", "drawloom-workbench", "drawloom-ag-ui", "drawloom-consent", "drawloom"];

/// What the inner crates may not reach, through anything.
pub(crate) const FORBIDDEN: [&str; 6] = [
    // The application picks its executor.
    "tokio",
    "async-std",
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
            for known in row.knows.iter().chain(row.behind_features) {
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
