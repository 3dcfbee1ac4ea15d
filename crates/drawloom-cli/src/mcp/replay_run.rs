//! The tool `replay_run`.

use std::time::Duration;

use drawloom::ag_ui::recording::RecordingReader;
use drawloom_mcp::{ServerTool, ToolFailure};
use drawloom_replay::{FileWorkbench, Transcript};
use serde_json::{Value, json};
use tokio::runtime::Handle;
use tokio::time::timeout;

use super::root::Root;
use super::{blocking, nothing_else, take_text};
use crate::input::WORKBENCH_BYTES;
use crate::replay::line_of;

/// How many bytes of a recording are read.
const EVENT_BYTES: u64 = 64 << 20;
/// How many lines a transcript may have.
const LINES: usize = 100_000;
/// How long a run may take. The behaviour of a command may be a delay.
const TIME: Duration = Duration::from_secs(60);

pub(super) fn tool(root: Root) -> ServerTool {
    ServerTool::new(
        "replay_run",
        "Plays a recorded AG-UI run against a workbench that is described in a file, and returns the transcript: what the \
         user was asked, which commands ran, and what the agent was answered.",
        move |mut arguments| {
            let root = root.clone();
            async move {
                let missing = |name: &str| ToolFailure::new(format!("\"{name}\" is missing"));
                let workbench = take_text(&mut arguments, "workbench")?.ok_or_else(|| missing("workbench"))?;
                let events = take_text(&mut arguments, "events")?.ok_or_else(|| missing("events"))?;
                nothing_else(&arguments)?;
                let runtime = Handle::current();
                blocking(move || {
                    let text = String::from_utf8(root.read(&workbench, WORKBENCH_BYTES)?)
                        .map_err(|_| ToolFailure::new(format!("\"{workbench}\" is not UTF-8")))?;
                    let recording = root.read(&events, EVENT_BYTES)?;
                    let transcript = Transcript::new();
                    let file = FileWorkbench::load(&text, transcript.clone())
                        .map_err(|error| ToolFailure::new(format!("\"{workbench}\": {error}")))?;
                    let played = runtime.block_on(timeout(TIME, play(&file, &recording, &transcript)));
                    let too_long = |_| {
                        ToolFailure::new(format!("the run took longer than {} seconds, the most it may", TIME.as_secs()))
                    };
                    played.map_err(too_long)?
                })
                .await
            }
        },
    )
    .title("Replay a run")
    .input_schema(json!({
        "type": "object",
        "properties": {
            "workbench": {
                "type": "string",
                "description": "The workbench file, relative to the root of the server.",
            },
            "events": {
                "type": "string",
                "description": "The recorded run, as JSON lines or server-sent events, relative to the root of the server.",
            },
        },
        "required": ["workbench", "events"],
        "additionalProperties": false,
    }))
    .output_schema(json!({
        "type": "object",
        "properties": {
            "transcript": {
                "type": "array",
                "description": "The lines in order, each with one member: asked, ran, notified or answered.",
                "items": { "type": "object" },
            },
            "problems": {
                "type": "array",
                "description": "What was lost of the recording or had no effect, with the line.",
                "items": { "type": "string" },
            },
        },
        "required": ["transcript", "problems"],
    }))
    .read_only()
}

async fn play(file: &FileWorkbench, bytes: &[u8], transcript: &Transcript) -> Result<Value, ToolFailure> {
    let mut player = file.player();
    let mut recording = RecordingReader::new(bytes);
    let (mut lines, mut problems) = (Vec::new(), Vec::new());
    loop {
        let item = recording
            .read()
            .map_err(|error| ToolFailure::new(format!("the recording cannot be read: {error}")))?;
        let line = item.as_ref().and_then(line_of);
        match &item {
            Some(item) => player.play_item(item).await,
            None => player.finish().await,
        }
        while let Some(report) = player.next_report() {
            problems.push(match line {
                Some(line) => format!("line {line}: {report}"),
                None => report.to_string(),
            });
        }
        for line in transcript.take() {
            lines.push(serde_json::to_value(&line).map_err(|error| ToolFailure::new(error.to_string()))?);
        }
        if lines.len() + problems.len() > LINES {
            return Err(ToolFailure::new(format!(
                "the transcript has more than {LINES} lines, the most it may have"
            )));
        }
        if item.is_none() {
            return Ok(json!({ "transcript": lines, "problems": problems }));
        }
    }
}
