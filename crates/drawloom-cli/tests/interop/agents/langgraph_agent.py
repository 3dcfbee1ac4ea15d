"""An agent made with LangGraph: the front end's tools, a clock of its own, and a deletion that it interrupts to ask
about.

The graph is `chat`, which is the scripted model, `clock` and `delete` for the calls of the agent's own tools, and the
end of the run for calls of the front end's.
"""

import sys
from typing import Any

from ag_ui_langgraph import LangGraphAgent, add_langgraph_fastapi_endpoint
from fastapi import FastAPI
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langgraph.checkpoint.memory import MemorySaver
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.types import interrupt

from script import answer, calls_for, pieces
from serve import serve, tell

OWN_TOOLS = {"server_clock": "clock", "delete_note": "delete"}


def shown(messages):
    """What the model is shown, in the form that the tests read: one part after the other."""
    for message in messages:
        if message.type == "tool":
            yield {"result": {"id": message.tool_call_id, "text": str(message.content)}}
        elif message.content:
            yield {"user" if message.type == "human" else "says": message.content}
        for call in getattr(message, "tool_calls", []):
            yield {"call": {"id": call["id"], "tool": call["name"], "arguments": call["args"]}}


class Scripted(BaseChatModel):
    @property
    def _llm_type(self):
        return "scripted"

    def chunks(self, messages):
        parts = list(shown(messages))
        tell("model", parts)
        calls = calls_for(parts[-1].get("user", ""))
        yield AIMessageChunk(content="One moment. " if calls else answer(parts))
        for index, (tool, arguments) in enumerate(calls):
            call_id = f"call-{index}-{len(messages)}"
            yield call_chunk(index, name=tool, id=call_id, args="")
            for piece in pieces(arguments):
                yield call_chunk(index, name=None, id=None, args=piece)

    async def _astream(self, messages, stop=None, run_manager=None, **_):
        for chunk in self.chunks(messages):
            yield ChatGenerationChunk(message=chunk)

    def _generate(self, messages, stop=None, run_manager=None, **_):
        whole = None
        for chunk in self.chunks(messages):
            whole = chunk if whole is None else whole + chunk
        message = AIMessage(content=whole.content, tool_calls=whole.tool_calls)
        return ChatResult(generations=[ChatGeneration(message=message)])


def call_chunk(index, **call):
    return AIMessageChunk(content="", tool_call_chunks=[{**call, "index": index}])


class State(MessagesState):
    # What the front end offers; without a place in the state it would be dropped.
    tools: list[Any]


def calls(state):
    """The calls of the model's last message."""
    return next(message for message in reversed(state["messages"]) if message.type == "ai").tool_calls


async def chat(state: State):
    return {"messages": [await Scripted().ainvoke(state["messages"])]}


async def clock(state: State):
    own = [call for call in calls(state) if call["name"] == "server_clock"]
    return {"messages": [ToolMessage("12:00", tool_call_id=call["id"]) for call in own]}


async def delete(state: State):
    call = next(call for call in calls(state) if call["name"] == "delete_note")
    # No changes are taken: the arguments are what the graph keeps.
    properties = {"approved": {"type": "boolean"}, "reason": {"type": "string"}}
    question = {
        "reason": "tool_call",
        "message": f"Delete {call['args']['id']}?",
        "tool_call_id": call["id"],
        "response_schema": {"type": "object", "properties": properties},
    }
    said = interrupt(question)
    if said.get("approved") is True:
        text = f"deleted {call['args']['id']}"
    elif said.get("__agui_cancelled__"):
        text = "nobody answered"
    else:
        text = f"not allowed: {said.get('reason', 'no reason given')}"
    return {"messages": [ToolMessage(text, tool_call_id=call["id"])]}


def after_chat(state: State):
    return next((OWN_TOOLS[call["name"]] for call in calls(state) if call["name"] in OWN_TOOLS), END)


def after_own(state: State):
    # While a call of the front end's in the same message is open the run ends: the answer comes with the next.
    answered = {message.tool_call_id for message in state["messages"] if message.type == "tool"}
    return "chat" if all(call["id"] in answered for call in calls(state)) else END


graph = StateGraph(State)
graph.add_node("chat", chat)
graph.add_node("clock", clock)
graph.add_node("delete", delete)
graph.add_edge(START, "chat")
graph.add_conditional_edges("chat", after_chat, ["clock", "delete", END])
graph.add_conditional_edges("clock", after_own, ["chat", END])
graph.add_conditional_edges("delete", after_own, ["chat", END])

app = FastAPI()
agent = LangGraphAgent(
    name="interop",
    graph=graph.compile(checkpointer=MemorySaver()),
    # Off by default: the question is then asked in LangGraph's own event alone.
    emit_interrupt_outcome="--interrupt-outcome" in sys.argv,
)
add_langgraph_fastapi_endpoint(app, agent, "/")

if __name__ == "__main__":
    serve(app)
