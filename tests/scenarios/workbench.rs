//! Scenarios: workbench.
