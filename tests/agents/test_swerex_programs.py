"""SWE-ReX's runtime: programs outside of sessions, and files; called directly, and by its own HTTP client."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from swerex.exceptions import (
    CommandTimeoutError,
    NonZeroExitCodeError,
)
from swerex.runtime.abstract import (
    AbstractRuntime,
    ReadFileRequest,
    UploadRequest,
    WriteFileRequest,
)

from tests.agents.rex import ask, execute
from tests.session.watching import is_over

__all__ = ()


@pytest.mark.parametrize(
    ("command", "shell", "stdout"),
    [
        ("echo 'hello world'", True, "hello world\n"),
        ("echo ''", True, "\n"),
        ("echo '\n \nhello world'", True, "\n \nhello world\n"),
        ("", True, ""),
        ("\n", True, ""),
        (["echo", "hello world"], False, "hello world\n"),
        (["echo", "-n", "\nhello world"], False, "\nhello world"),
        (["printf", r"\377"], False, "\\xff"),
        ("cat; echo end", True, "end\n"),
    ],
)
def test_program(runtime: AbstractRuntime, command: str | list[str], shell: bool, stdout: str) -> None:
    assert execute(runtime, command, shell=shell, check=True) == (stdout, "", 0)


def test_streams_of_a_program(runtime: AbstractRuntime) -> None:
    command = ["bash", "-lc", "echo out; echo err 1>&2"]
    assert execute(runtime, command) == ("out\n", "err\n", 0)
    assert execute(runtime, command, merge_output_streams=True) == ("out\nerr\n", "", 0)


def test_directory_and_environment_of_a_program(runtime: AbstractRuntime, tmp_path: Path) -> None:
    out, _, _ = execute(runtime, "pwd; echo $X $HOME.", shell=True, cwd=str(tmp_path), env={"X": "1"})
    assert out == f"{tmp_path}\n1 .\n"


def test_program_that_fails(runtime: AbstractRuntime) -> None:
    assert execute(runtime, "echo out; exit 3", shell=True) == ("out\n", "", 3)
    assert execute(runtime, "kill -9 $$", shell=True)[2] == -9
    with pytest.raises(NonZeroExitCodeError, match=r"(?s)^to build: .*exit code 3.*out"):
        execute(runtime, "echo out; exit 3", shell=True, check=True, error_msg="to build")
    with pytest.raises(FileNotFoundError):
        execute(runtime, ["no_such_program_12345"])
    with pytest.raises(FileNotFoundError):
        execute(runtime, ["true"], cwd="/no/such/folder")


@pytest.mark.parametrize("command", ["", []])
def test_no_command_is_refused(runtime: AbstractRuntime, command: str | list[str]) -> None:
    with pytest.raises(ValueError, match="no command; nothing was run"):
        execute(runtime, command)


def test_timeout_of_a_program_kills_its_whole_group(runtime: AbstractRuntime, tmp_path: Path) -> None:
    command = f"trap '' INT TERM; echo partial; sleep 61 & echo $! >{tmp_path}/pid; wait"
    with pytest.raises(CommandTimeoutError, match="partial"):
        execute(runtime, command, shell=True, timeout=1)
    assert is_over(int((tmp_path / "pid").read_text()))


def read(runtime: AbstractRuntime, path: Path, **options: Any) -> str:
    return ask(runtime.read_file(ReadFileRequest(path=str(path), **options))).content


def test_files_are_written_and_read_as_they_are(runtime: AbstractRuntime, tmp_path: Path) -> None:
    path = tmp_path / "not/there/yet.txt"
    ask(runtime.write_file(WriteFileRequest(path=str(path), content="größe\r\n\n🙂")))
    assert path.read_bytes() == "größe\r\n\n🙂".encode()
    assert read(runtime, path) == "größe\r\n\n🙂"


def test_large_file(runtime: AbstractRuntime, tmp_path: Path) -> None:
    (tmp_path / "large").write_text("x" * 1024 * 1024)
    assert len(read(runtime, tmp_path / "large")) == 1024 * 1024


def test_encodings(runtime: AbstractRuntime, tmp_path: Path) -> None:
    (tmp_path / "latin").write_bytes(b"gr\xf6\xdfe")
    assert read(runtime, tmp_path / "latin", encoding="latin-1") == "größe"
    assert read(runtime, tmp_path / "latin", errors="backslashreplace") == r"gr\xf6\xdfe"
    with pytest.raises(FileNotFoundError):
        read(runtime, tmp_path / "nothing")


def test_upload(runtime: AbstractRuntime, tmp_path: Path) -> None:
    source = tmp_path / "source"
    (source / "deep").mkdir(parents=True)
    (source / "file1.txt").write_text("test1")
    (source / "deep/file2.txt").write_text("test2")
    ask(runtime.upload(UploadRequest(source_path=str(source / "file1.txt"), target_path=str(tmp_path / "new/one.txt"))))
    ask(runtime.upload(UploadRequest(source_path=str(source), target_path=str(tmp_path / "new/folder"))))
    assert (tmp_path / "new/one.txt").read_text() == "test1"
    assert (tmp_path / "new/folder/file1.txt").read_text() == "test1"
    assert (tmp_path / "new/folder/deep/file2.txt").read_text() == "test2"
    with pytest.raises((FileNotFoundError, ValueError)):
        ask(runtime.upload(UploadRequest(source_path=str(tmp_path / "nothing"), target_path=str(tmp_path / "x"))))
