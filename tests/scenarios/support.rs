//! Scenarios: support.
