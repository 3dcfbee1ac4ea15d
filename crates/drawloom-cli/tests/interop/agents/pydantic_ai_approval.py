"""An agent made with pydantic-ai whose own tool needs the person's approval: it interrupts the run to ask."""

from pydantic_ai import Agent, DeferredToolRequests
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
    for index, (tool, arguments) in enumerate(calls):
        yield {index: DeltaToolCall(name=tool, json_args="".join(pieces(arguments)), tool_call_id=f"call-{index}")}


agent = Agent(FunctionModel(stream_function=model), output_type=[str, DeferredToolRequests])


@agent.tool_plain(requires_approval=True)
def delete_note(id: str) -> str:
    return f"deleted {id}"


async def run(request):
    return await AGUIAdapter.dispatch_request(request, agent=agent)


if __name__ == "__main__":
    serve(Starlette(routes=[Route("/", run, methods=["POST"])]))
