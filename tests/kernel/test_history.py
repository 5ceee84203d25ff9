"""The history's file: kept between kernels, shared by several, and no trouble when it can not be used."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from shellkernel.kernel.history import History

__all__ = ()


@pytest.fixture
def history() -> Iterator[History]:
    history = History(":memory:")
    yield history
    history.close()


def test_nothing_is_written_before_the_first_cell(tmp_path: Path) -> None:
    history = History(str(tmp_path / "sub/history.sqlite"))
    history.close()
    assert list(tmp_path.iterdir()) == []


def test_the_next_kernel_finds_what_the_last_one_ran(tmp_path: Path) -> None:
    path = str(tmp_path / "sub/history.sqlite")
    first = History(path)
    first.add(1, "echo one")
    first.add(2, "echo two")
    first.close()
    second = History(path)
    assert second.range(-1, 1, None) == [(1, 1, "echo one"), (1, 2, "echo two")]
    assert second.range(0, 1, None) == []
    second.add(1, "echo three")
    assert [code for _, _, code in second.tail(2)] == ["echo two", "echo three"]
    assert second.range(-1, 1, 3) == [(1, 1, "echo one"), (1, 2, "echo two")]
    assert second.range(0, 1, None) == [(2, 1, "echo three")]
    second.close()


def test_two_kernels_write_to_one_file(tmp_path: Path) -> None:
    first, second = (History(str(tmp_path / "history.sqlite")) for _ in range(2))
    first.add(1, "echo a")
    second.add(1, "echo b")
    first.add(2, "echo c")
    assert first.session != second.session
    assert {code for _, _, code in second.tail(5)} == {"echo a", "echo b", "echo c"}
    first.close()
    second.close()


def test_search_is_a_glob_and_unique_keeps_the_last(history: History) -> None:
    for line, code in enumerate(["ls -l", "cd /", "ls -l", "ls -a"], 1):
        history.add(line, code)
    assert history.search("ls*", 5, unique=False) == [(1, 1, "ls -l"), (1, 3, "ls -l"), (1, 4, "ls -a")]
    assert history.search("ls*", 5, unique=True) == [(1, 3, "ls -l"), (1, 4, "ls -a")]
    assert history.search("ls*", 1, unique=True) == [(1, 4, "ls -a")]


def test_any_text_is_kept(history: History) -> None:
    history.add(1, "echo 'é\u2713\0'\n\ud800")
    assert history.tail(1) == [(1, 1, "echo 'é\u2713\0'\n?")]


def test_a_file_that_can_not_be_used_costs_only_the_file(tmp_path: Path) -> None:
    (tmp_path / "history.sqlite").write_text("this is no database, but long enough to be seen as none\n" * 100)
    history = History(str(tmp_path / "history.sqlite"))
    history.add(1, "echo one")
    assert history.tail(1) == [(1, 1, "echo one")]
    history.close()


def test_close_twice(history: History) -> None:
    history.close()
    history.close()
