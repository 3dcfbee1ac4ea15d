//! The seam: one registry of commands, and the one decision whether a caller may run them.
