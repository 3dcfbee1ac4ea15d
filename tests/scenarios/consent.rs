//! Scenarios: consent.
