"""Pictures as real programs print them: recordings of chafa 1.12.4, gnuplot 5.4.4 (sixelgd) and img2sixel 1.10.3."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import pytest

from shellkernel.media import Attachment, Carriers, ControlString, Splitter, Unreadable, bundle
from shellkernel.media.tiff import tiff_pixels

__all__ = ()

FOLDER = Path(__file__).parent / "recordings"


def attachments(name: str, size: int) -> tuple[list[Attachment], str]:
    """Return the pictures of a recording that comes in pieces of a size, and the text around them."""
    splitter, carriers = Splitter(), Carriers("secret")
    data = (FOLDER / f"{name}.bytes").read_text(encoding="utf-8")
    pieces = [data[start : start + size] for start in range(0, len(data), size)]
    items = [item for piece in pieces for item in splitter.feed(piece)] + splitter.finish()
    found = [carriers.take(item) for item in items if isinstance(item, ControlString)]
    return [each for each in found if each], "".join(item for item in items if isinstance(item, str))


def pixels(data: bytes) -> list[list[bytes]]:
    """Return the rows of a PNG of ours: RGBA, no filters."""
    width, _ = struct.unpack(">II", data[16:24])
    start = data.index(b"IDAT")
    (length,) = struct.unpack(">I", data[start - 4 : start])
    raw = zlib.decompress(data[start + 4 : start + 4 + length])
    rows = [raw[at + 1 : at + 1 + 4 * width] for at in range(0, len(raw), 1 + 4 * width)]
    return [[row[at : at + 4] for at in range(0, len(row), 4)] for row in rows]


@pytest.mark.parametrize("size", [10**6, 1_000, 7])
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("chafa-kitty", "48 x 8"),
        ("chafa-iterm", "48 x 8"),
        ("chafa-sixels", "48 x 6"),
        ("gnuplot", "96 x 60"),
        ("img2sixel", "24 x 12"),
    ],
)
def test_it_is_shown(name: str, text: str, size: int) -> None:
    (attachment,), around = attachments(name, size)
    shown = bundle(attachment)
    assert (list(shown), shown["text/plain"]) == (["image/png", "text/plain"], f"[PNG picture, {text}]")
    assert around.strip() == ""


@pytest.mark.parametrize("name", ["chafa-kitty", "chafa-iterm", "chafa-sixels", "img2sixel"])
def test_the_colours_are_where_they_belong(name: str) -> None:
    """What was drawn is magenta and blue above, red and black below."""
    rows = pixels(attachments(name, 100)[0][0].data)
    corners = [rows[0][0], rows[0][-1], rows[-1][0], rows[-1][-1]]
    assert [[part > 127 for part in corner[:3]] for corner in corners] == [
        [True, False, True],
        [False, False, True],
        [True, False, False],
        [False, False, False],
    ]


def tiff(**changes: int) -> bytes:
    """A picture of 1 x 1 in big-endian TIFF."""
    fields = {"width": 1, "height": 1, "bits": 8, "compression": 1, "photometric": 2, "offset": 0, "channels": 3}
    fields |= changes
    tags = {"width": 256, "height": 257, "bits": 258, "compression": 259, "photometric": 262, "offset": 273}
    tags |= {"channels": 277}
    fields["offset"] = fields["offset"] or 8 + 2 + 12 * 8
    entries = [(tags[name], value) for name, value in fields.items()] + [(279, 3)]
    body = b"".join(struct.pack(">HHIHH", tag, 3, 1, value, 0) for tag, value in entries)
    return b"MM\0*" + struct.pack(">IH", 8, len(entries)) + body + b"\1\2\3"


def test_tiff_in_the_other_byte_order() -> None:
    assert tiff_pixels(tiff()) == (1, 1, b"\1\2\3")


@pytest.mark.parametrize(
    "data",
    [tiff(compression=5), tiff(bits=16), tiff(width=2), tiff(offset=60_000), tiff(channels=1), tiff()[:40], b"II*\0"],
)
def test_other_tiff_says_so(data: bytes) -> None:
    with pytest.raises(ValueError, match="TIFF"):
        tiff_pixels(data)


@pytest.mark.parametrize("name", ["chafa-kitty", "chafa-iterm", "chafa-sixels", "gnuplot", "img2sixel"])
def test_any_byte_may_be_wrong(name: str) -> None:
    """Damage costs the picture, or a part of it, and never more."""
    data = (FOLDER / f"{name}.bytes").read_text(encoding="utf-8")
    for place in range(0, len(data), 3):
        splitter, carriers = Splitter(), Carriers("secret")
        for item in [*splitter.feed(f"{data[:place]}!{data[place + 1 :]}"), *splitter.finish()]:
            if isinstance(item, ControlString):
                try:
                    if attachment := carriers.take(item):
                        bundle(attachment)
                except Unreadable as error:
                    assert "\n" not in str(error)  # noqa: PT017  # it may be raised, or not
