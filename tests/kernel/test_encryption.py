"""The kernelspec says that the kernel can encrypt its channels: it does, when Jupyter requires it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import zmq
from jupyter_client.manager import KernelManager

__all__ = ()


@pytest.mark.slow
@pytest.mark.skipif(not zmq.has("curve"), reason="this libzmq has no CurveZMQ")
def test_kernel_encrypts_when_jupyter_requires_it() -> None:
    manager = KernelManager(kernel_name="shellkernel", transport_encryption="required")
    output: list[str] = []

    def keep(message: dict[str, Any]) -> None:
        if message["msg_type"] == "stream":
            output.append(message["content"]["text"])

    manager.start_kernel()
    client = manager.client()
    client.start_channels()
    try:
        client.wait_for_ready(timeout=50)
        connection = json.loads(Path(manager.connection_file).read_text(encoding="utf-8"))
        reply = client.execute_interactive("echo secret", output_hook=keep, timeout=50)
    finally:
        client.stop_channels()
        manager.shutdown_kernel()
        manager.context.destroy()
    assert connection["curve_publickey"]
    assert reply["content"]["status"] == "ok"
    assert "".join(output) == "secret\n"
