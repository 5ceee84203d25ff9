"""Pictures in output: found wherever the text is cut, put together, typed by their content. Pure."""

from __future__ import annotations

import base64
import json
import random
import struct
import zlib

import pytest

from shellkernel.media import Attachment, Broken, Carriers, ControlString, Splitter, Unreadable, bundle
from shellkernel.media.kinds import mime_of
from shellkernel.media.png import png
from shellkernel.media.sixel import sixel_pixels
from shellkernel.media.tables import html_table

__all__ = ()

TOKEN = "secret"
PNG = png(3, 2, bytes(range(18)))
BASE64 = base64.b64encode(PNG).decode()

Item = str | ControlString | Broken


def encoded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def split(pieces: list[str]) -> list[Item]:
    """All items, neighbouring text joined."""
    splitter = Splitter()
    found: list[Item] = []
    for item in [item for piece in pieces for item in splitter.feed(piece)] + splitter.finish():
        if isinstance(item, str) and found and isinstance(found[-1], str):
            item = found.pop() + item  # type: ignore[operator]  # both are str  # noqa: PLW2901
        found.append(item)
    return found


CASES: list[tuple[str, list[Item]]] = [
    ("plain\n", ["plain\n"]),
    ("a\x1b[31mred\x1b[0m\x1b]0;title\x07\x1b(B\x1b7z", ["a\x1b[31mred\x1b[0m\x1b]0;title\x07\x1b(B\x1b7z"]),
    ("a\x1b]1337;File=inline=1:QQ==\x07b", ["a", ControlString("iterm", "File=inline=1:QQ=="), "b"]),
    ("a\x1b]1337;File=inline=1:QQ==\x1b\\b", ["a", ControlString("iterm", "File=inline=1:QQ=="), "b"]),
    ("\x1b_Ga=T;QQ==\x1b\\", [ControlString("kitty", "a=T;QQ==")]),
    ("\x1bP0;1;0q#0~\x1b\\x", [ControlString("sixel", "0;1;0q#0~"), "x"]),
    ("\x1b]7712;t;:QQ==\x1b\\", [ControlString("display", "t;:QQ==")]),
    ("\x1bP$qm\x1b\\x", ["\x1bP$qm\x1b\\x"]),
    ("\x1b]1337;File=inline=1:QQ", [Broken("the data stops in the middle")]),
    ("\x1b]1337;File=:QQ\x1b[31mred", [Broken("the data stops in the middle"), "\x1b[31mred"]),
    ("\x1b]1337;File=:QQ\x18red", [Broken("the data stops in the middle"), "red"]),
    ("end\x1b", ["end\x1b"]),
]


@pytest.mark.parametrize(("text", "items"), CASES)
def test_split_wherever_it_is_cut(text: str, items: list[Item]) -> None:
    assert split([text]) == items
    assert split(list(text)) == items
    for seed in range(20):
        cuts = sorted(random.Random(seed).sample(range(len(text) + 1), 2))
        assert split([text[: cuts[0]], text[cuts[0] : cuts[1]], text[cuts[1] :]]) == items


def test_what_is_too_large_is_counted_and_not_kept() -> None:
    splitter = Splitter(limit=100)
    splitter.feed("\x1b_G")
    for _ in range(50):
        assert splitter.feed("x" * 10) == []
    (broken,) = splitter.feed("\x1b\\")
    assert isinstance(broken, Broken)
    assert "500 characters" in broken.reason


def test_an_iterm_picture_whole_and_in_parts() -> None:
    carriers = Carriers(TOKEN)
    whole = carriers.take(ControlString("iterm", f"File=name={encoded('a b.png')};inline=1:{BASE64}"))
    assert whole == Attachment(data=PNG, name="a b.png")
    assert carriers.take(ControlString("iterm", "MultipartFile=inline=1")) is None
    for part in (BASE64[:10], BASE64[10:]):
        assert carriers.take(ControlString("iterm", f"FilePart={part}")) is None
    assert carriers.take(ControlString("iterm", "FileEnd")) == Attachment(data=PNG)
    assert carriers.take(ControlString("iterm", "SetMark")) is None
    assert carriers.take(ControlString("iterm", f"File=inline=0:{BASE64}")) is None


def test_a_kitty_picture_in_chunks_raw_compressed_and_put_later() -> None:
    carriers = Carriers(TOKEN)
    assert carriers.take(ControlString("kitty", f"a=T,f=100,m=1;{BASE64[:8]}")) is None
    assert carriers.take(ControlString("kitty", f"m=0;{BASE64[8:]}")) == Attachment(data=PNG)
    raw = base64.b64encode(zlib.compress(bytes(range(18)))).decode()
    assert carriers.take(ControlString("kitty", f"a=t,i=7,f=24,s=3,v=2,o=z;{raw}")) is None
    assert carriers.take(ControlString("kitty", "a=p,i=7")) == Attachment(data=PNG)


def test_display_is_known_by_its_token() -> None:
    carriers = Carriers(TOKEN)
    head = f"name={encoded('x.html')};mime=;id={encoded('one')}"
    attachment = carriers.take(ControlString("display", f"{TOKEN};{head}:{encoded('<b>x</b>')}"))
    assert attachment == Attachment(data=b"<b>x</b>", name="x.html", display_id="one", trusted=True)
    assert carriers.take(ControlString("display", f"wrong;{head}:{encoded('<b>x</b>')}")) is None


@pytest.mark.parametrize(
    "string",
    [
        ControlString("iterm", "File=inline=1:%%%"),
        ControlString("kitty", "a=T,f=24,s=3,v=3;QUJD"),
        ControlString("kitty", "a=T,f=24,s=0,v=0;"),
        ControlString("kitty", "a=T,o=z;QUJD"),
        ControlString("kitty", "a=T,f=100,t=f;L2V0Yy9wYXNzd2Q="),
        ControlString("sixel", "q"),
        ControlString("sixel", "q!99999999~"),
    ],
)
def test_broken_data_is_said_to_be_broken(string: ControlString) -> None:
    with pytest.raises(Unreadable, match=r"."):
        Carriers(TOKEN).take(string)


def test_sixel() -> None:
    red, green = b"\xff\x00\x00\xff", b"\x00\xff\x00\xff"
    width, height, pixels = sixel_pixels('0;1q"1;1;2;7#1;2;100;0;0#2;2;0;100;0#1!2~$#2@-#2@')
    assert (width, height) == (2, 7)
    rows = [pixels[start : start + 8] for start in range(0, len(pixels), 8)]
    assert rows == [green + red, *[red * 2] * 5, green + bytes(4)]


def test_png_is_one() -> None:
    assert struct.unpack(">II", PNG[16:24]) == (3, 2)
    with pytest.raises(ValueError, match="3 x 2"):
        png(3, 2, bytes(17))


@pytest.mark.parametrize(
    ("data", "name", "mime"),
    [
        (PNG, "wrong.jpg", "image/png"),
        (b"\xff\xd8\xff\xe0", "", "image/jpeg"),
        (b"GIF89a", "", "image/gif"),
        (b"RIFF\0\0\0\0WEBPVP8 ", "", "image/webp"),
        (b"%PDF-1.7", "", "application/pdf"),
        (b"<?xml version='1.0'?><svg xmlns='http://www.w3.org/2000/svg'/>", "", "image/svg+xml"),
        (b"<!DOCTYPE html><p>x", "", "text/html"),
        (b" <table><tr>", "", "text/html"),
        (b'{"a": [1]}', "", "application/json"),
        (b"17", "", "text/plain"),
        (b"$$x^2$$", "", "text/latex"),
        (b"a,b\n1,2\n", "x.CSV", "text/csv"),
        (b"# head", "README.md", "text/markdown"),
        (b"just text", "", "text/plain"),
        (b"a,b\n1,2\n", "", "text/csv"),
        (b'a,b\n1,"x, y"\n', "", "text/csv"),
        (b"a\tb\n1\t2\n", "", "text/csv"),
        (b"a;b\n1;2\n", "table", "text/csv"),
        (b"Dear Ada, dear Bea\nsorry, no table\n", "", "text/plain"),
        (b"one,two\nthree\n", "", "text/plain"),
        (b"a,b\n", "", "text/plain"),
        (b"a,b\n1,2\n", "x.py", "text/plain"),
        (b"# head\n\ntext\n", "", "text/markdown"),
        (b"some **bold** words", "", "text/markdown"),
        (b"see [this](https://example.org)", "", "text/markdown"),
        (b"| a | b |\n|---|---|\n| 1 | 2 |\n", "", "text/markdown"),
        (b"text\n```\ncode\n```\n", "", "text/markdown"),
        (b"# a comment\nimport os\n", "x.py", "text/plain"),
        (b"#!/bin/sh\necho a\n", "", "text/plain"),
        (b"", "", "text/plain"),
        (b"\0\1\2", "", "application/octet-stream"),
        (b"\xff\xfe", "", "application/octet-stream"),
    ],
)
def test_the_type_is_found_from_the_content(data: bytes, name: str, mime: str) -> None:
    assert mime_of(data, name) == mime


def test_bundles_have_plain_text_beside_them() -> None:
    assert bundle(Attachment(data=PNG, name="p.png")) == {
        "image/png": BASE64,
        "text/plain": "[PNG picture p.png, 3 x 2]",
    }
    value = {"a": 1}
    text = json.dumps(value)
    assert bundle(Attachment(data=text.encode(), trusted=True)) == {"application/json": value, "text/plain": text}
    table = bundle(Attachment(data=b"a;b\n1;<2>\n", mime="text/csv", trusted=True))
    assert table["text/html"] == html_table("a;b\n1;<2>\n")
    assert "<td>&lt;2&gt;</td>" in str(table["text/html"])


@pytest.mark.parametrize(
    "attachment",
    [
        Attachment(data=PNG[:-20]),
        Attachment(data=b"<b>x</b>"),
        Attachment(data=b"<svg/>"),
        Attachment(data=b"<svg>", trusted=True),
        Attachment(data=b"{", mime="application/json", trusted=True),
        Attachment(data=b"\xff", mime="text/html", trusted=True),
        Attachment(data=b"\0", trusted=True),
        Attachment(data=b"x", mime="no type", trusted=True),
        Attachment(data=b'"a\n', mime="text/csv", trusted=True),
        Attachment(data=b"", name="empty.png", trusted=True),
    ],
)
def test_what_can_not_be_shown_says_so(attachment: Attachment) -> None:
    with pytest.raises(Unreadable, match=r"."):
        bundle(attachment)
