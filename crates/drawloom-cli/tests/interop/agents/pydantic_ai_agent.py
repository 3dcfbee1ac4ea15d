"""An agent made with pydantic-ai: it offers the front end's tools and one of its own to a scripted model."""

from pydantic_ai import Agent
from pydantic_ai.models.function import DeltaToolCall, FunctionModel
from pydantic_ai.ui.ag_ui import AGUIAdapter
from starlette.applications import Starlette
from starlette.routing import Route

from script import answer, calls_for, pieces
from serve import serve, tell
from shown_by_pydantic_ai import shown


async def model(messages, _info):
    parts = shown(messages)
    tell("model", parts)
    calls = calls_for(parts[-1].get("user", ""))
    if not calls:
        yield answer(parts)
        return
    yield "One moment. "
    for index, (tool, arguments) in enumerate(calls):
        yield {index: DeltaToolCall(name=tool, tool_call_id=f"call-{index}-{len(messages)}")}
        for piece in pieces(arguments):
            yield {index: DeltaToolCall(json_args=piece)}


agent = Agent(FunctionModel(stream_function=model))


@agent.tool_plain
def server_clock() -> str:
    return "12:00"


async def run(request):
    return await AGUIAdapter.dispatch_request(request, agent=agent)


if __name__ == "__main__":
    serve(Starlette(routes=[Route("/", run, methods=["POST"])]))
