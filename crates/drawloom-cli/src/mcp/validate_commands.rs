//! The tool `validate_commands`.

use drawloom_mcp::{ServerTool, ToolFailure};
use drawloom_validate::Validation;
use serde_json::json;

use super::root::Root;
use super::{blocking, nothing_else, take_text};

pub(super) fn tool(root: Root) -> ServerTool {
    ServerTool::new(
        "validate_commands",
        "Reports what an agent will see of the commands in a directory, from their source, without building it: which are \
         offered, which leave an agent guessing, which are not offered and why, and which could not be read.",
        move |mut arguments| {
            let root = root.clone();
            async move {
                let name = take_text(&mut arguments, "dir")?.unwrap_or_else(|| ".".to_owned());
                let translations = take_text(&mut arguments, "translations")?;
                nothing_else(&arguments)?;
                blocking(move || {
                    let mut validation = Validation::of_directory(root.directory(&name)?);
                    if let Some(translations) = translations {
                        validation = validation.translations(root.directory(&translations)?);
                    }
                    let mut report =
                        validation.run().map_err(|error| ToolFailure::new(error.to_string()))?;
                    // The caller knows the directory by the name that it gave.
                    report.directory = Some(name);
                    Ok(report.to_json())
                })
                .await
            }
        },
    )
    .title("Validate commands")
    .input_schema(json!({
        "type": "object",
        "properties": {
            "dir": {
                "type": "string",
                "description": "The directory, relative to the root of the server. The root itself unless it is given.",
            },
            "translations": {
                "type": "string",
                "description": "A directory of translations, with a JSON file for each language. Each key that does not \
                                resolve is reported.",
            },
        },
        "additionalProperties": false,
    }))
    .output_schema(json!({
        "type": "object",
        "properties": {
            "formatVersion": { "type": "integer" },
            "directory": { "type": ["string", "null"] },
            "totals": {
                "type": "object",
                "properties": {
                    "commands": { "type": "integer" },
                    "offered": { "type": "integer" },
                    "agentGuesses": { "type": "integer" },
                    "notOffered": { "type": "integer" },
                    "unreadable": { "type": "integer" },
                },
            },
            "findings": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "command": { "type": ["string", "null"] },
                        "location": { "type": ["object", "null"] },
                        "status": { "enum": ["offered", "agent-guesses", "not-offered", "unreadable"] },
                        "summary": { "type": "string" },
                        "problems": { "type": "array", "items": { "type": "object" } },
                        "notes": { "type": "array", "items": { "type": "string" } },
                    },
                    "required": ["command", "location", "status", "summary", "problems", "notes"],
                },
            },
            "problems": { "type": "array", "items": { "type": "object" } },
            "notJudged": { "type": "string" },
        },
        "required": ["totals", "findings", "problems", "notJudged"],
    }))
    .read_only()
}
