//! Scenarios: commands.
