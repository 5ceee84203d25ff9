"""Pixels to a PNG file (RFC 2083), with the standard library."""

from __future__ import annotations

import struct
import zlib

__all__ = ("png",)

_COLOUR_TYPES = {3: 2, 4: 6}


def png(width: int, height: int, pixels: bytes | bytearray) -> bytes:
    """Return a PNG file.

    Args:
        width, height: In pixels, 1 or more.
        pixels: Row after row, 3 (RGB) or 4 (RGBA) bytes for each pixel.

    Raises:
        ValueError: There are not so many pixels.
    """
    channels, left = divmod(len(pixels), width * height)
    if left or channels not in _COLOUR_TYPES:
        raise ValueError(f"{len(pixels)} bytes are not {width} x {height} pixels")
    stride = width * channels
    rows = b"".join(b"\0" + bytes(pixels[start : start + stride]) for start in range(0, len(pixels), stride))
    header = struct.pack(">IIBBBBB", width, height, 8, _COLOUR_TYPES[channels], 0, 0, 0)
    chunks = (_chunk(b"IHDR", header), _chunk(b"IDAT", zlib.compress(rows, 6)), _chunk(b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
