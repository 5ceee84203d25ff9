"""Plain TIFF files to pixels: what chafa sends to iTerm2 terminals, and no browser shows.

Only what such programs write is read: one image of 8 bits a channel, RGB or RGBA, not compressed. Source: TIFF 6.0.
"""

from __future__ import annotations

import struct

__all__ = ("SIGNATURES", "tiff_pixels")

SIGNATURES = (b"II*\0", b"MM\0*")
"""How such a file begins: little-endian, big-endian."""

_WIDTH, _HEIGHT, _BITS, _COMPRESSION, _PHOTOMETRIC = 256, 257, 258, 259, 262
_OFFSETS, _CHANNELS, _COUNTS, _PLANAR = 273, 277, 279, 284
_FORMATS = {1: "B", 3: "H", 4: "I"}
_RGB = 2


def tiff_pixels(data: bytes) -> tuple[int, int, bytes]:
    """Return width, height and pixels, row after row.

    Raises:
        ValueError: It is broken, or of a kind that is not read.
    """
    order = "<" if data.startswith(b"II") else ">"
    try:
        fields = _fields(data, order)
        width, height, channels = fields[_WIDTH][0], fields[_HEIGHT][0], fields[_CHANNELS][0]
        strips = zip(fields[_OFFSETS], fields[_COUNTS], strict=True)
        bits = fields[_BITS]
    except (struct.error, KeyError, IndexError, ValueError) as error:
        raise ValueError("the TIFF picture is broken or cut off") from error
    plain = [fields.get(tag, (1,))[0] for tag in (_COMPRESSION, _PLANAR)] == [1, 1]
    if not plain or set(bits) != {8} or fields.get(_PHOTOMETRIC) != (_RGB,) or channels not in (3, 4):
        raise ValueError("a TIFF picture of this kind can not be shown")
    pixels = b"".join(data[offset : offset + count] for offset, count in strips)
    if not pixels or len(pixels) != width * height * channels:
        raise ValueError("the TIFF picture is broken or cut off")
    return width, height, pixels


def _fields(data: bytes, order: str) -> dict[int, tuple[int, ...]]:
    """Return the numbers of the first image's directory."""
    (start,) = struct.unpack_from(f"{order}I", data, 4)
    (count,) = struct.unpack_from(f"{order}H", data, start)
    fields: dict[int, tuple[int, ...]] = {}
    for place in range(start + 2, start + 2 + 12 * count, 12):
        tag, kind, length = struct.unpack_from(f"{order}HHI", data, place)
        if kind in _FORMATS:
            layout = f"{order}{min(length, len(data))}{_FORMATS[kind]}"
            inline = struct.calcsize(layout) <= 4
            where = place + 8 if inline else struct.unpack_from(f"{order}I", data, place + 8)[0]
            fields[tag] = struct.unpack_from(layout, data, where)
    return fields
