"""Calls the commands of a workbench with the official client for the Model Context Protocol, and prints what came back as JSON.

Standard input has the server (the words of a command line, or a URL and a token), the mode of the client (`legacy` for the
handshake, or a revision without one), the calls, and the answers that the person gives to questions, in order.
"""

import asyncio
import json
import sys

import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp_types import ElicitResult


def transport(server):
    if "command" in server:
        return StdioServerParameters(command=server["command"][0], args=server["command"][1:])
    headers = {"Authorization": f"Bearer {server['token']}"}
    return streamable_http_client(server["url"], http_client=httpx2.AsyncClient(headers=headers, timeout=30))


async def main() -> None:
    given = json.load(sys.stdin)
    answers, questions = iter(given["answers"]), []

    async def ask(_context, params):
        questions.append(params.message)
        return ElicitResult(action=next(answers))

    results = []
    async with Client(
        transport(given["server"]),
        mode=given["mode"],
        elicitation_callback=ask if given["answers"] else None,
    ) as client:
        tools = (await client.list_tools()).tools
        for call in given["calls"]:
            try:
                results.append(shown(await client.call_tool(call["name"], call["arguments"])))
            except MCPError as error:
                results.append({"error": {"code": error.code, "message": error.message}})
        revision = client.protocol_version
    tools = [shown(tool) for tool in tools]
    print(json.dumps({"revision": revision, "tools": tools, "results": results, "questions": questions}))


def shown(data):
    return data.model_dump(mode="json", by_alias=True, exclude_none=True)


asyncio.run(main())
