"""The check on what tests leave behind sees what it shall see."""

from __future__ import annotations

import os
import subprocess
import tempfile
import threading

from tests.leaks import Snapshot

__all__ = ()


def test_nothing_new_is_nothing_beyond() -> None:
    before = Snapshot.take()
    assert Snapshot.take().beyond(before) == []


def test_thread_is_seen() -> None:
    over = threading.Event()
    thread = threading.Thread(target=over.wait, name="left over")
    before = Snapshot.take()
    thread.start()
    try:
        assert Snapshot.take().beyond(before) == ["thread 'left over'"]
    finally:
        over.set()
        thread.join()


def test_child_process_is_seen() -> None:
    before = Snapshot.take()
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE) as child:
        left = Snapshot.take().beyond(before)
    # Its name may not be there yet, right after its exec.
    assert [words for words in left if words.startswith(f"child process {child.pid} (")]
    assert Snapshot.take().beyond(before) == []


def test_file_descriptor_is_seen() -> None:
    before = Snapshot.take()
    descriptor = os.open("/dev/null", os.O_RDONLY)
    try:
        assert Snapshot.take().beyond(before) == [f"file descriptor {descriptor} (/dev/null)"]
    finally:
        os.close(descriptor)


def test_temporary_file_is_seen() -> None:
    before = Snapshot.take()
    with tempfile.TemporaryDirectory(prefix="left-over") as folder:
        assert Snapshot.take().beyond(before) == [f"temporary file {os.path.basename(folder)}"]
