//! Tests: cases.
