"""What is kept of output that is large, binary, or on two streams."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from shellkernel import BashSession
from shellkernel.session.folder import PrivateFolder
from tests.session.watching import Heard

__all__ = ()


def test_large_output_keeps_both_ends_and_is_whole_in_a_private_file(bash: str) -> None:
    whole = b"".join(b"%d\n" % number for number in range(1, 50_001))
    with BashSession(shell=bash, keep_head=1_000, keep_tail=500) as session:
        result = session.run("seq 50000")
        assert result.raw == whole[:1_000] + whole[-500:]
        assert result.omitted == len(whole) - 1_500
        assert result.output_path is not None
        path = Path(result.output_path)
        assert path.read_bytes() == whole
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
        assert path.stat().st_uid == os.getuid()
        assert result.output.startswith("1\n2\n3\n")
        assert result.output.endswith("\n49999\n50000\n")
        assert f"{result.omitted:,}" in result.output
        assert str(path) in result.output
        session.run("seq 50001")
        assert path.read_bytes() == whole, "the next command has a file of its own"
    assert not path.parent.exists()


@pytest.mark.parametrize("size", [0, 999, 1_000, 1_001, 1_499, 1_500, 1_501, 5_000])
def test_nothing_is_lost_around_the_limits(bash: str, size: int) -> None:
    with BashSession(shell=bash, keep_head=1_000, keep_tail=500) as session:
        result = session.run(f"head -c {size} /dev/zero | tr '\\0' x")
        assert len(result.raw) == min(size, 1_500)
        assert result.omitted == max(0, size - 1_500)
        assert (result.output_path is None) == (size <= 1_500)
        assert result.exit_code == 0


def test_nothing_needs_to_be_kept(bash: str) -> None:
    with BashSession(shell=bash, keep_head=0, keep_tail=0) as session:
        result = session.run("echo gone")
        assert (result.raw, result.omitted) == (b"", 5)
        assert result.output_path is not None
        assert Path(result.output_path).read_bytes() == b"gone\n"


@pytest.mark.slow
def test_memory_does_not_grow_with_output(bash: str) -> None:
    def resident() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    with BashSession(shell=bash) as session:
        session.run("seq 300000")
        before = resident()
        result = session.run("head -c 100000000 /dev/zero | tr '\\0' 'y'", timeout=60)
        assert len(result.raw) + result.omitted == 100_000_000
        assert resident() - before < 20_000_000


@pytest.mark.parametrize(
    ("place", "words"), [("/dev/full", "No space left on device"), ("/no/such/folder/file", "could not be")]
)
def test_output_that_can_not_be_written_to_disk_is_an_error_in_the_result(
    bash: str, monkeypatch: pytest.MonkeyPatch, place: str, words: str
) -> None:
    file = PrivateFolder.file
    monkeypatch.setattr(
        PrivateFolder, "file", lambda self, name: Path(place) if name.startswith("output") else file(self, name)
    )
    with BashSession(shell=bash, keep_head=100, keep_tail=100) as session:
        result = session.run("seq 1000; (exit 3)")
        assert result.exit_code == 3
        assert result.output.startswith("1\n2\n")
        assert result.output.endswith("999\n1000\n")
        assert words in result.note
        assert len(result.raw) == 200
        assert result.output_path is None
        assert session.run("echo next").output == "next\n"


def test_bytes_that_are_no_text_are_in_raw(session: BashSession) -> None:
    result = session.run(r"printf 'a\0b\xff\xfe\x80c\n'")
    assert result.raw == b"a\0b\xff\xfe\x80c\n"
    assert result.output == "ab\ufffd\ufffd\ufffdc\n"


def test_every_byte_comes_through(session: BashSession, tmp_path: Path) -> None:
    data = bytes(range(256)) * 3
    (tmp_path / "bytes").write_bytes(data)
    assert session.run(f"cat {tmp_path}/bytes").raw == data
    assert session.run("echo fine").output == "fine\n"


@pytest.mark.slow
def test_random_bytes_do_no_harm(session: BashSession) -> None:
    result = session.run("head -c 200000 /dev/urandom; echo; echo END", timeout=20)
    assert result.raw.endswith(b"\nEND\n")
    assert len(result.raw) == 200_005
    assert session.run("echo fine").output == "fine\n"


def test_bytes_of_the_cell_come_through(session: BashSession) -> None:
    assert session.run("printf %s 'é✓🎉' | od -An -tx1").output == " c3 a9 e2 9c 93 f0 9f 8e 89\n"
    assert session.run("printf %s '\udcff\udc80' | od -An -tx1").output == " ff 80\n"
    control = "".join(chr(code) for code in range(1, 32) if chr(code) not in "\n\r") + "\x7f"
    wanted = "".join(f" {code:02x}" for code in (*(c for c in range(1, 32) if c not in (10, 13)), 127))
    assert session.run(f"printf %s '{control}' | od -An -v -tx1 | tr -d '\\n'").output == wanted


@pytest.mark.bashes
def test_carriage_returns_at_line_ends_are_taken_away(session: BashSession) -> None:
    assert session.run("echo a\r\nif true; then\r\n  echo b\r\nfi\r\n").output == "a\nb\n"


@pytest.mark.bashes
def test_split_streams_are_apart_and_both_terminals(bash: str) -> None:
    out, err = Heard(), Heard()
    with BashSession(shell=bash, stderr="split") as session:
        result = session.run(
            "echo out; echo err >&2; [[ -t 1 && -t 2 ]] && echo tty; no_such_command", on_output=out, on_stderr=err
        )
        assert result.output == out.text == "out\ntty\n"
        assert result.stderr == err.text
        assert result.stderr.splitlines()[0] == "err"
        assert "not found" in result.stderr
        assert session.run("true").stderr == ""
        assert session.run("{ echo merged; } >&2").stderr == "merged\n"
        assert session.run("stty size <&2").output == "40 120\n"
        session.resize(90, 30)
        assert session.run("stty size <&2").output == "30 90\n"


@pytest.mark.bashes
def test_split_streams_lose_nothing_at_the_end(bash: str) -> None:
    with BashSession(shell=bash, stderr="split") as session:
        for number in range(20):
            result = session.run(f"echo out{number}; echo err{number} >&2")
            assert (result.output, result.stderr) == (f"out{number}\n", f"err{number}\n")
        result = session.run("seq 30000; seq 30000 >&2")
        assert result.output == result.stderr


@pytest.mark.bashes
def test_split_streams_survive_an_interrupt_and_the_end_of_the_shell(bash: str) -> None:
    with BashSession(shell=bash, stderr="split") as session:
        result = session.run("echo e >&2; sleep 60", timeout=1)
        assert (result.end_reason, (result.stderr or "").rstrip("\n")) == ("timed_out", "e")
        result = session.run("echo e >&2; exit 3")
        assert (result.end_reason, result.exit_code) == ("session_ended", 3)
        assert "e\n" in (result.stderr or "")
        assert session.run("echo e2 >&2").stderr == "e2\n"
