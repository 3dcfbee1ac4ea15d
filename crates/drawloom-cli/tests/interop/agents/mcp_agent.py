"""An agent made with pydantic-ai that uses the commands of a workbench over the Model Context Protocol, with a scripted model.

Standard input has the URL and the token of the server, the calls of the model in order, and the answer that the person
gives to each question. What the model was shown, and the questions, are printed as JSON.
"""

import asyncio
import json
import sys

from mcp_types import ElicitResult
from pydantic_ai import Agent
from pydantic_ai.mcp import MCPToolset
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import FunctionModel

from shown_by_pydantic_ai import shown


async def main() -> None:
    given = json.load(sys.stdin)
    calls, questions, offered = list(given["calls"]), [], []

    async def ask(message, _type, _params, _context):
        questions.append(message)
        return ElicitResult(action=given["answer"])

    def model(_messages, info):
        offered[:] = [tool.name for tool in info.function_tools]
        if not calls:
            return ModelResponse(parts=[TextPart("Done.")])
        call = calls.pop(0)
        return ModelResponse(parts=[ToolCallPart(call["name"], call["arguments"])])

    toolset = MCPToolset(
        given["url"],
        headers={"Authorization": f"Bearer {given['token']}"},
        elicitation_handler=ask,
        tool_error_behavior="failed",
    )
    agent = Agent(FunctionModel(model), toolsets=[toolset])
    async with agent:
        ran = await agent.run("Tidy up my notes.")
    print(json.dumps({"offered": offered, "shown": list(shown(ran.all_messages())), "questions": questions}))


asyncio.run(main())
