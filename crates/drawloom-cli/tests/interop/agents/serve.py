"""Serves one agent to the tests that start it, and tells them what goes on.

Standard output carries one JSON object a line: `{"port": …}` once it listens on loopback, `{"request": …}` for the
body of every request, and from the agents `{"model": …}` for what their model is shown. The process ends when its
standard input does, so it never outlives the test, whatever becomes of that.
"""

import json
import os
import socket
import sys
import threading

import uvicorn


def tell(what, value):
    # One write for a line: the agents tell from several threads.
    sys.stdout.write(json.dumps({what: value}) + "\n")
    sys.stdout.flush()


def serve(app):
    """Serves an ASGI application until standard input ends."""
    threading.Thread(target=end_with_stdin, daemon=True).start()
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        tell("port", listener.getsockname()[1])
        uvicorn.Server(uvicorn.Config(telling(app), log_level="warning")).run(sockets=[listener])


def end_with_stdin():
    sys.stdin.buffer.read()
    os._exit(0)


def telling(app):
    """The application, with the body of every request told before it is handled."""

    async def asgi(scope, receive, send):
        if scope["type"] != "http":
            return await app(scope, receive, send)
        body, is_whole = b"", False
        while not is_whole:
            message = await receive()
            body += message.get("body", b"")
            is_whole = not message.get("more_body", False)
        tell("request", json.loads(body))
        unread = [{"type": "http.request", "body": body}]

        async def receive_again():
            return unread.pop() if unread else await receive()

        return await app(scope, receive_again, send)

    return asgi
