//! Scenarios: replay.
