// What the protocol's own packages say of what drawloom sends and reads. One JSON document comes in and one goes out:
//
//   { "requests": [<the body of a run>…], "runs": [[<event>…]…], "events": [<event that drawloom wrote>…] }
//   { "problems": [<text>…], "calls": [{ "id", "name", "arguments" }…], "kept": [<the same>…] }
//
// `problems` is what `@ag-ui/core` finds in the requests and in the events. The calls are those that `@ag-ui/client` makes of the events, each
// once: `calls` as they are streamed, and `kept` as they are in the conversation when their run is over.
import { client, rxjs, schemas } from "./packages.mjs";

function problemsOf(request, at) {
  const messages = {
    assistant: schemas.AssistantMessageSchema,
    developer: schemas.DeveloperMessageSchema,
    system: schemas.SystemMessageSchema,
    tool: schemas.ToolMessageSchema,
    user: schemas.UserMessageSchema,
  };
  const parts = [["input", schemas.RunAgentInputSchema, request]];
  for (const message of request.messages) {
    parts.push([`message ${message.id}`, messages[message.role] ?? schemas.MessageSchema, message]);
    for (const call of message.toolCalls ?? []) {
      parts.push([`call ${call.id}`, schemas.ToolCallSchema, call]);
      parts.push([`function of ${call.id}`, schemas.FunctionCallSchema, call.function]);
    }
  }
  for (const tool of request.tools) parts.push([`tool ${tool.name}`, schemas.ToolSchema, tool]);
  for (const entry of request.resume ?? []) parts.push([`resume ${entry.interruptId}`, schemas.ResumeEntrySchema, entry]);
  return parts.flatMap(([what, schema, value]) => {
    const issues = schema.safeParse(value).error?.issues ?? [];
    // The schemas let unknown members pass, so a misspelt one would too.
    const strangers = Object.keys(value).filter((member) => schema.shape && !(member in schema.shape));
    return [
      ...issues.map(({ path, message }) => `request ${at}, ${what}: ${path.join(".")}: ${message}`),
      ...strangers.map((member) => `request ${at}, ${what}: no member "${member}" is known`),
    ];
  });
}

/** An agent that says what it said before, run after run. */
class Recorded extends client.AbstractAgent {
  constructor(runs) {
    super();
    this.left = [...runs];
  }

  run() {
    return rxjs.from(this.left.shift());
  }
}

async function fold(runs) {
  const agent = new Recorded(runs);
  const calls = new Map();
  const kept = new Map();
  const note = (into, messages, wanted) => {
    for (const { id, function: call } of messages.flatMap((message) => message.toolCalls ?? [])) {
      if (wanted(id) && !into.has(id)) into.set(id, { id, name: call.name, arguments: call.arguments });
    }
  };
  agent.subscribe({
    onToolCallEndEvent: ({ event, messages }) => note(calls, messages, (id) => id === event.toolCallId),
  });
  while (agent.left.length > 0) {
    // What it was answered is not part of a recording, so it is not held against it.
    agent.pendingInterrupts = [];
    await agent.runAgent();
    note(kept, agent.messages, () => true);
  }
  return { calls: [...calls.values()], kept: [...kept.values()] };
}

let text = "";
for await (const piece of process.stdin.setEncoding("utf8")) text += piece;
const { requests = [], runs = [], events = [] } = JSON.parse(text);
const problemsOfEvent = (event, at) =>
  (schemas.EventSchema.safeParse(event).error?.issues ?? []).map(
    ({ path, message }) => `event ${at}, ${event.type}: ${path.join(".")}: ${message}`,
  );
const problems = [...requests.flatMap(problemsOf), ...events.flatMap(problemsOfEvent)];
process.stdout.write(JSON.stringify({ problems, ...(await fold(runs)) }));
