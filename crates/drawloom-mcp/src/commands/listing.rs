//! The list of the tools: each command as a tool of the protocol, in pages.

use std::sync::Arc;

use drawloom_command::InvocableCommand;
use drawloom_tools::{ToolAnnotations, ToolDefinition, tool_definition};
use rmcp::model::{CacheScope, ErrorData, ListToolsResult, MetaObject, Tool};
use serde_json::Value;

use super::result::Objects;

/// What a cursor starts with. The rest is the id of the last command of the page before.
const CURSOR: &str = "after:";

/// The page of the list that begins after `cursor`.
///
/// # Errors
/// If no list of this server gave this cursor.
pub(crate) fn page(
    commands: &[InvocableCommand],
    cursor: Option<&str>,
    size: usize,
    objects: Objects,
) -> Result<ListToolsResult, ErrorData> {
    let last = match cursor {
        None => None,
        Some(cursor) => Some(cursor.strip_prefix(CURSOR).ok_or_else(|| {
            ErrorData::invalid_params(
                "the cursor is not one that this server gave; list the tools without it",
                None,
            )
        })?),
    };
    // The commands are ordered by id, so a page is right even if the list has changed since the page before.
    let first = last.map_or(0, |last| commands.partition_point(|command| command.id.as_str() <= last));
    let rest = commands.get(first..).unwrap_or_default();
    let shown = rest.get(..size).unwrap_or(rest);
    let mut list =
        ListToolsResult::with_all_items(shown.iter().map(|command| tool(command, objects)).collect());
    if let (true, Some(last)) = (shown.len() < rest.len(), shown.last()) {
        list.next_cursor = Some(format!("{CURSOR}{}", last.id));
    }
    // The list is that of one person at one moment.
    Ok(list.with_ttl_ms(0).with_cache_scope(CacheScope::Private))
}

fn tool(command: &InvocableCommand, objects: Objects) -> Tool {
    let definition: ToolDefinition = tool_definition(command);
    let (metadata, annotations) = (definition.metadata(), definition.annotations());
    // The schema of a command's arguments is an object.
    let schema = definition.parameters.as_object().cloned().unwrap_or_default();
    let output = objects.schema(&definition);
    let description = command.tool_description_beside_title().map(Into::into);
    let mut tool = Tool::new_with_raw(definition.name, description, Arc::new(schema))
        .with_title(definition.title.to_string());
    if let Some(Value::Object(schema)) = output {
        tool = tool.with_raw_output_schema(Arc::new(schema));
    }
    if let Some(hints) = annotations {
        let ToolAnnotations { read_only, destructive, idempotent, open_world, .. } = hints;
        let annotations = rmcp::model::ToolAnnotations::from_raw(
            None,
            Some(read_only),
            destructive,
            idempotent,
            Some(open_world),
        );
        tool = tool.with_annotations(annotations);
    }
    if let Some(metadata) = metadata {
        tool = tool.with_meta(MetaObject(metadata));
    }
    tool
}
