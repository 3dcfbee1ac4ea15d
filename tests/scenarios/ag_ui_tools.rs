//! Scenarios: ag_ui_tools.
