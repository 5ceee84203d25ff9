"""The HTML face of a Result."""

from __future__ import annotations

from html.parser import HTMLParser

from shellkernel.render import mimebundle
from shellkernel.results import Result
from tests.unit.render.results_for_tests import make_result


class Reader(HTMLParser):
    """Collects the text and the attributes, and checks that the tags are balanced."""

    def __init__(self) -> None:
        super().__init__()
        self.text = ""
        self.open: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.tags: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        self.tags.add(tag)
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data + " "


def read(result: Result) -> Reader:
    reader = Reader()
    reader.feed(mimebundle(result)["text/html"])
    reader.close()
    assert not reader.open
    return reader


def test_bundle_has_a_plain_line_and_a_face() -> None:
    bundle = mimebundle(make_result(note="one\ntwo"))
    assert set(bundle) == {"text/plain", "text/html"}
    assert bundle["text/plain"] == "exit code 0 · 1.2 s · one two"


def test_face_tells_everything_without_colour() -> None:
    text = read(
        make_result(
            exit_code=3,
            pipestatus=(0, 3),
            end_reason="timed_out",
            note="it slept",
            omitted=2048,
            output_path="/tmp/out",
        )
    ).text
    for part in ("✗ exit code 3", "failed", "timed out", "pipestatus", "1.2 s", "build", "/tmp", "it slept"):
        assert part in text
    assert "2,048 bytes of the output are left out" in text
    assert "/tmp/out" in text


def test_face_escapes_what_came_from_outside() -> None:
    evil = '"><script>alert(1)</script>&'
    result = make_result(cwd=evil, session=evil, note=evil, omitted=1, output_path=evil)
    assert "<script" not in mimebundle(result)["text/html"]
    assert read(make_result(cwd=evil)).text.count("<script>alert(1)</script>&") == 1


def test_face_fits_any_theme() -> None:
    reader = read(make_result(exit_code=1, pipestatus=(1, 1), end_reason="interrupted"))
    styles = " ".join(value for name, value in reader.attributes if name == "style")
    assert "#" not in styles
    assert "white" not in styles.replace("white-space", "")
    assert "rgb(" not in styles  # only half-transparent colours
    assert reader.tags <= {"div", "span", "code", "details", "summary"}


def test_face_is_named_for_a_screen_reader() -> None:
    attributes = read(make_result(exit_code=2)).attributes
    assert ("role", "group") in attributes
    assert ("aria-label", "exit code 2 · 1.2 s") in attributes


def test_success_without_completion_is_not_green() -> None:
    text = read(make_result(exit_code=0, end_reason="awaiting_input")).text
    assert "✓" not in text
    assert "waited for input" in text
