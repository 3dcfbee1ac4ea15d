//! What is mutated, as data: the files that decide about a command, in parts that each fit into an hour of a quiet machine with
//! two cores.

/// The files of one part, and the tests that have to notice a change in them.
pub(super) struct Part {
    pub(super) name: &'static str,
    pub(super) package: &'static str,
    /// Globs, from the root of the workspace.
    pub(super) files: &'static [&'static str],
    /// The capability whose scenarios are about them.
    pub(super) capability: &'static str,
}

const WORKBENCH: &str = "drawloom-workbench";

pub(super) const PARTS: [Part; 8] = [
    Part {
        name: "authorize",
        package: WORKBENCH,
        files: &["crates/drawloom-workbench/src/authorize.rs", "crates/drawloom-workbench/src/dispatch.rs"],
        capability: "workbench",
    },
    Part {
        name: "registry",
        package: WORKBENCH,
        files: &["crates/drawloom-workbench/src/registry.rs", "crates/drawloom-workbench/src/registry/*.rs"],
        capability: "workbench",
    },
    Part {
        name: "permissions",
        package: WORKBENCH,
        files: &[
            "crates/drawloom-workbench/src/permissions.rs",
            "crates/drawloom-workbench/src/permissions/*.rs",
        ],
        capability: "workbench",
    },
    Part {
        name: "context",
        package: WORKBENCH,
        files: &["crates/drawloom-workbench/src/context.rs"],
        capability: "workbench",
    },
    Part {
        name: "policy",
        package: "drawloom-consent",
        files: &["crates/drawloom-consent/src/policy.rs", "crates/drawloom-consent/src/approvals.rs"],
        capability: "consent",
    },
    Part {
        name: "ledger",
        package: "drawloom-ag-ui",
        files: &["crates/drawloom-ag-ui/src/calls/ledger.rs"],
        capability: "ag_ui_tools",
    },
    Part {
        name: "ledger-rules",
        package: "drawloom-ag-ui",
        files: &["crates/drawloom-ag-ui/src/calls/ledger/*.rs"],
        capability: "ag_ui_tools",
    },
    Part {
        name: "execute",
        package: "drawloom-tools",
        files: &["crates/drawloom-tools/src/execute.rs", "crates/drawloom-tools/src/execute/*.rs"],
        capability: "ag_ui_tools",
    },
];
