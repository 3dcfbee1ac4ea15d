//! Recorded and streamed runs: JSON lines, server-sent events, and JSON arrays of events.
