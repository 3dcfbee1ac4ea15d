"""Calls the tools of a server for the Model Context Protocol with the official client, and prints what came back as JSON.

The arguments are the server's command line; the calls are read from standard input, as a list of names and arguments.
"""

import asyncio
import json
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client


async def main() -> None:
    calls = json.load(sys.stdin)
    server = StdioServerParameters(command=sys.argv[1], args=sys.argv[2:])
    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
        await session.initialize()
        tools = (await session.list_tools()).tools
        # The client checks each structured result against the tool's output schema, and raises if it does not match.
        results = [await session.call_tool(call["name"], call["arguments"]) for call in calls]
    shown = lambda data: data.model_dump(mode="json", by_alias=True, exclude_none=True)
    print(json.dumps({"tools": [shown(tool) for tool in tools], "results": [shown(result) for result in results]}))


asyncio.run(main())
