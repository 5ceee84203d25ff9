"""Control strings to attachments: what was sent, whole."""

from __future__ import annotations

import base64
import binascii
import hmac
import re
import zlib
from collections import OrderedDict
from dataclasses import dataclass

from shellkernel.media.png import png
from shellkernel.media.sixel import sixel_pixels
from shellkernel.media.splitter import LIMIT, ControlString
from shellkernel.media.tiff import SIGNATURES, tiff_pixels

__all__ = ("Attachment", "Carriers", "Unreadable")

REMEMBERED = 16
"""Pictures that kitty's protocol has sent without showing them, kept for a later `put`."""

_PADDED = re.compile(r"[^=]+=*|=+")


class Unreadable(ValueError):
    """The data is not what it should be; the text says what is wrong, for a person."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """Data that shall be shown."""

    data: bytes
    name: str = ""
    """The file's name, where one was sent."""
    mime: str = ""
    """Its type, where the sender said it."""
    display_id: str = ""
    """The name by which it is replaced later."""
    trusted: bool = False
    """Whether it came from `display` itself. Any file that is printed may hold the other sequences: what runs or
    links (HTML, JavaScript, SVG) is taken from `display` only."""


class Carriers:
    """Puts together what comes in pieces.

    Args:
        token: The secret that `display` sends along.
    """

    def __init__(self, token: str) -> None:
        self._token = token
        self._file: tuple[dict[str, str], list[str]] | None = None  # iTerm2's multipart file
        self._kitty: tuple[dict[str, str], list[str]] | None = None
        self._sent: OrderedDict[str, Attachment] = OrderedDict()

    def take(self, string: ControlString) -> Attachment | None:
        """Return the attachment that this string completes; None when there is none to show.

        Raises:
            Unreadable: The data is broken.
        """
        match string.carrier:
            case "iterm":
                return self._take_iterm(string.body)
            case "display":
                return self._take_display(string.body)
            case "kitty":
                return self._take_kitty(string.body)
            case "sixel":
                return _from_sixel(string.body)

    def _take_display(self, body: str) -> Attachment | None:
        token, _, rest = body.partition(";")
        head, _, data = rest.partition(":")
        if not hmac.compare_digest(token.encode(), self._token.encode()):
            return None  # not from our `display`; nothing is shown of it
        options = {key: _decoded(value).decode("utf-8", "replace") for key, value in _pairs(head, ";").items()}
        return Attachment(
            data=_decoded(data),
            name=options.get("name", ""),
            mime=options.get("mime", ""),
            display_id=options.get("id", ""),
            trusted=True,
        )

    def _take_iterm(self, body: str) -> Attachment | None:
        command, _, rest = body.partition("=")
        if command == "File":
            head, _, data = rest.partition(":")
            return _from_iterm(_pairs(head, ";"), data)
        if command == "MultipartFile":
            self._file = (_pairs(rest, ";"), [])
        elif command == "FilePart" and self._file is not None:
            self._file[1].append(rest)
            if sum(map(len, self._file[1])) > LIMIT:
                self._file = None
                raise Unreadable("the picture is too large")
        elif command == "FileEnd" and self._file is not None:
            (options, parts), self._file = self._file, None
            return _from_iterm(options, "".join(parts))
        return None  # iTerm2 has many other commands under this number

    def _take_kitty(self, body: str) -> Attachment | None:
        head, _, data = body.partition(";")
        options = _pairs(head, ",")
        if self._kitty is not None:
            first, parts = self._kitty
        else:
            first, parts = options, []
        parts.append(data)
        if options.get("m") == "1":
            self._kitty = (first, parts)
            if sum(map(len, parts)) > LIMIT:
                self._kitty = None
                raise Unreadable("the picture is too large")
            return None
        self._kitty = None
        return self._act_kitty(first, "".join(parts))

    def _act_kitty(self, options: dict[str, str], data: str) -> Attachment | None:
        action, number = options.get("a", "t"), options.get("i", "")
        if action == "p":
            return self._sent.get(number)
        if action not in ("t", "T"):
            return None
        if options.get("t", "d") != "d":
            raise Unreadable("it is in a file, and files that printed text names are not opened; use `display`")
        attachment = Attachment(data=_kitty_picture(options, _decoded(data)))
        if action == "T":
            return attachment
        self._sent[number] = attachment
        while len(self._sent) > REMEMBERED:
            self._sent.popitem(last=False)
        return None


def _from_iterm(options: dict[str, str], data: str) -> Attachment | None:
    if options.get("inline") != "1":
        return None  # a download
    name, picture = _decoded(options.get("name", "")).decode("utf-8", "replace"), _decoded(data)
    if picture.startswith(SIGNATURES):  # what chafa sends, and no browser shows
        try:
            picture = png(*tiff_pixels(picture))
        except ValueError as error:
            raise Unreadable(str(error)) from error
    return Attachment(data=picture, name=name)


def _kitty_picture(options: dict[str, str], data: bytes) -> bytes:
    if options.get("o") == "z":
        try:
            data = zlib.decompressobj().decompress(data, LIMIT)
        except zlib.error as error:
            raise Unreadable(f"the data can not be decompressed: {error}") from error
    if options.get("f", "32") == "100":
        return data
    try:
        return png(int(options.get("s", "0")), int(options.get("v", "0")), data)
    except (ValueError, ZeroDivisionError) as error:
        raise Unreadable(f"the size does not fit the data: {error}") from error


def _from_sixel(body: str) -> Attachment:
    try:
        return Attachment(data=png(*sixel_pixels(body)))
    except ValueError as error:
        raise Unreadable(f"sixel: {error}") from error


def _pairs(text: str, separator: str) -> dict[str, str]:
    pairs = (pair.partition("=") for pair in text.split(separator) if pair)
    return {key: value for key, _, value in pairs}


def _decoded(data: str) -> bytes:
    """Decode base64, also where each of several pieces has its own padding (chafa writes them so)."""
    try:
        pieces = _PADDED.findall("".join(data.split()))
        return b"".join(base64.b64decode(piece, validate=True) for piece in pieces)
    except (binascii.Error, ValueError) as error:
        raise Unreadable(f"no base64: {error}") from error
