// An agent on node's http server that takes nothing but what `@ag-ui/core` accepts, and sends nothing else.
//
// It says what it is asked as serve.py does, and follows the same script. It has a clock of its own, and a deletion that
// it interrupts to ask about; the answer may change the arguments. What it knows of a conversation is what it is sent.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

import { schemas } from "./packages.mjs";

const script = JSON.parse(readFileSync(new URL("../agents/script.json", import.meta.url)));

const tell = (what, value) => process.stdout.write(`${JSON.stringify({ [what]: value })}\n`);

const callsFor = (prompt) => Object.entries(script).find(([word]) => prompt.includes(word))?.[1] ?? [];

/** What the model is shown, in the form that the tests read: one part after the other. */
function shown(messages) {
  return messages.flatMap((message) => {
    if (message.role === "tool") return [{ result: { id: message.toolCallId, text: message.content } }];
    const text = message.content ? [{ [message.role === "user" ? "user" : "says"]: message.content }] : [];
    const calls = (message.toolCalls ?? []).map(({ id, function: { name, arguments: text } }) => ({
      call: { id, tool: name, arguments: JSON.parse(text) },
    }));
    return [...text, ...calls];
  });
}

function answer(parts) {
  const lastCall = parts.findLastIndex((part) => part.call);
  const results = parts.slice(lastCall + 1).flatMap((part) => (part.result ? [part.result.text] : []));
  return `I was told: ${results.join(" / ") || "nothing"}.`;
}

/** The result of the deletion that an answer is about. */
function resumed(entry, parts) {
  const { call } = parts.find(({ call }) => call && entry.interruptId === `interrupt-${call.id}`);
  const said = entry.payload ?? {};
  if (entry.status === "cancelled") return { id: call.id, text: "nobody answered" };
  if (said.approved !== true) return { id: call.id, text: `not allowed: ${said.reason ?? "no reason given"}` };
  return { id: call.id, text: `deleted ${(said.editedArgs ?? call.arguments).id}` };
}

/** The events of one run. */
function* run(input) {
  const { threadId, runId } = input;
  yield { type: "RUN_STARTED", threadId, runId, protocolVersion: "1.0" };
  const parts = shown(input.messages);
  const results = (input.resume ?? []).map((entry) => resumed(entry, parts));
  for (const { id, text } of results) yield result(id, text);
  parts.push(...results.map((result) => ({ result })));
  tell("model", parts);
  if (parts.at(-1)?.user?.includes("unreachable")) {
    yield { type: "RUN_ERROR", message: "the model is gone" };
    return;
  }

  const calls = callsFor(parts.at(-1)?.user ?? "");
  yield* says(`text-${runId}`, calls.length > 0 ? "One moment. " : answer(parts));
  const pending = [];
  for (const [index, [toolCallName, args]] of calls.entries()) {
    const toolCallId = `call-${index}-${runId}`;
    yield { type: "TOOL_CALL_START", toolCallId, toolCallName, parentMessageId: `text-${runId}` };
    for (const delta of JSON.stringify(args).match(/.{1,6}/gu)) yield { type: "TOOL_CALL_ARGS", toolCallId, delta };
    yield { type: "TOOL_CALL_END", toolCallId };
    if (toolCallName === "delete_note") {
      const outcome = { type: "interrupt", interrupts: [question(toolCallId, args)] };
      yield { type: "RUN_FINISHED", threadId, runId, outcome };
      return;
    }
    if (toolCallName === "server_clock") yield result(toolCallId, "12:00");
    else pending.push(toolCallId);
  }
  yield { type: "RUN_FINISHED", threadId, runId, outcome: { type: "success", pendingToolCallIds: pending } };
}

function* says(messageId, delta) {
  yield { type: "TEXT_MESSAGE_START", messageId, role: "assistant" };
  yield { type: "TEXT_MESSAGE_CONTENT", messageId, delta };
  yield { type: "TEXT_MESSAGE_END", messageId };
}

function result(toolCallId, content) {
  return { type: "TOOL_CALL_RESULT", messageId: `result-${toolCallId}`, toolCallId, content, role: "tool" };
}

function question(toolCallId, args) {
  const properties = { approved: { type: "boolean" }, editedArgs: { type: "object" }, reason: { type: "string" } };
  return {
    id: `interrupt-${toolCallId}`,
    reason: "tool_call",
    message: `Delete ${args.id}?`,
    toolCallId,
    responseSchema: { type: "object", properties, required: ["approved"] },
  };
}

const server = createServer(async (request, response) => {
  let body = "";
  for await (const piece of request.setEncoding("utf8")) body += piece;
  const input = JSON.parse(body);
  tell("request", input);
  const checked = schemas.RunAgentInputSchema.safeParse(input);
  if (!checked.success) {
    tell("rejected", checked.error.issues);
    response.writeHead(422, { "content-type": "application/json" }).end(JSON.stringify(checked.error.issues));
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const event of run(checked.data)) {
    response.write(`data: ${JSON.stringify(schemas.EventSchema.parse(event))}\n\n`);
  }
  response.end();
});

// The process ends when its standard input does, so it never outlives the test.
process.stdin.resume().on("end", () => process.exit());
server.listen(0, "127.0.0.1", () => tell("port", server.address().port));
