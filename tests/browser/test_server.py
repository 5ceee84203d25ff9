"""What gets through Jupyter's server, which drops output that comes too fast; without a browser."""

from __future__ import annotations

import asyncio
import json
import uuid
from typing import Any

import pytest
from tornado.httpclient import HTTPRequest
from tornado.websocket import WebSocketClientConnection, websocket_connect

from tests.browser.lab import SECONDS, Lab

__all__ = ()

pytestmark = [pytest.mark.browser, pytest.mark.slow]

CELLS = 4
LAST = 150_000


async def run_cells(lab: Lab, kernel: str, code: str) -> list[str]:
    """Send a cell several times, at once; return what each printed, as a front end is sent it."""
    url = f"{lab.url.replace('http', 'ws', 1)}/api/kernels/{kernel}/channels?token={lab.token}"
    client = await websocket_connect(HTTPRequest(url, connect_timeout=SECONDS), max_message_size=100_000_000)
    sent = [await send(client, code) for _ in range(CELLS)]
    printed = dict.fromkeys(sent, "")
    over: set[str] = set()
    while len(over) < CELLS:
        text = await asyncio.wait_for(client.read_message(), SECONDS)
        assert text is not None
        message = json.loads(text)
        cell = message["parent_header"].get("msg_id")
        if message["msg_type"] == "stream":
            printed[cell] += message["content"]["text"]
        elif message["msg_type"] == "status" and message["content"]["execution_state"] == "idle" and cell in printed:
            over.add(cell)
    client.close()
    return [printed[cell] for cell in sent]


async def send(client: WebSocketClientConnection, code: str) -> str:
    header: dict[str, Any] = {"msg_id": uuid.uuid4().hex, "msg_type": "execute_request", "version": "5.4"}
    header |= {"session": "test", "username": "", "date": "2026-01-01T00:00:00Z"}
    content = {"code": code, "silent": False, "store_history": True, "allow_stdin": False, "stop_on_error": True}
    message = {"header": header, "parent_header": {}, "metadata": {}, "content": content, "channel": "shell"}
    await client.write_message(json.dumps(message))
    return str(header["msg_id"])


def test_much_output_gets_through_whole(lab: Lab) -> None:
    """4 MB within a second; the server lets 3 MB in 3 s through."""
    kernel = lab.post("kernels", {"name": "shellkernel"})["id"]
    try:
        printed = asyncio.run(run_cells(lab, kernel, f"seq {LAST}"))
    finally:
        lab.delete(f"kernels/{kernel}")
    assert printed == ["".join(f"{number}\n" for number in range(1, LAST + 1))] * CELLS
