"""An attachment to a MIME bundle: its type is found from its content, then from its name."""

from __future__ import annotations

import base64
import json
import re
import struct
from collections.abc import Callable
from xml.etree import ElementTree as ET

from shellkernel.media.carriers import Attachment, Unreadable
from shellkernel.media.tables import html_table, is_table

__all__ = ("Bundle", "bundle", "mime_of")

Bundle = dict[str, object]
"""MIME type to its data: text, JSON values, or base64 text for what is binary."""

_SIGNATURES = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"%PDF-", "application/pdf"),
)
_SUFFIXES = {
    "csv": "text/csv",
    "tsv": "text/csv",
    "htm": "text/html",
    "html": "text/html",
    "js": "application/javascript",
    "json": "application/json",
    "latex": "text/latex",
    "markdown": "text/markdown",
    "md": "text/markdown",
    "svg": "image/svg+xml",
    "tex": "text/latex",
}
_HTML = re.compile(
    r"\s*(?:<!--.*?-->\s*)*<(?:!doctype html|html|head|body|div|table|p|h[1-6]|b|i|span|ul|ol|a)\b",
    re.IGNORECASE | re.DOTALL,
)
_SVG = re.compile(
    r"\s*(?:<\?xml.*?\?>\s*)?(?:<!--.*?-->\s*)*(?:<!DOCTYPE svg.*?>\s*)?<svg\b", re.IGNORECASE | re.DOTALL
)
_LATEX = re.compile(r"\s*(?:\$\$?[^$]|\\begin\{|\\\[)")
_MARKDOWN = re.compile(
    r"\A\s*#{1,6} \S|^\s*```|\*\*[^*\s][^*\n]*\*\*|\[[^]\n]+\]\([^)\s]+\)|^\|?(?: *:?-{3,}:? *\|)+", re.MULTILINE
)
"""A title at its head, a fence, bold words, a link, or the line below a table's head."""
_MIME = re.compile(r"[\w.+-]+/[\w.+-]+")
_PICTURES = ("image/png", "image/jpeg", "image/gif", "image/webp")
_END_OF_PNG = b"IEND\xaeB`\x82"


def bundle(attachment: Attachment) -> Bundle:
    """Return what a front end needs to show it, always with a `text/plain` for those that can not.

    Raises:
        Unreadable: The data is not of its type, or of none that can be shown from where it came.
    """
    if not (attachment.data or attachment.mime or attachment.display_id):
        raise Unreadable("it is empty")
    mime = attachment.mime or mime_of(attachment.data, attachment.name)
    if not _MIME.fullmatch(mime):
        raise Unreadable(f"{mime!r} is no MIME type")
    if mime not in _PICTURES and not attachment.trusted:
        raise Unreadable(f"this sequence may carry pictures only, not {mime}; use `display`")
    build = _BUILDERS.get(mime, _plain_text if mime.startswith("text/") else _binary)
    return build(attachment, mime)


def mime_of(data: bytes, name: str = "") -> str:
    """Return the MIME type of a file's content; where that is just text, of its name."""
    for signature, mime in _SIGNATURES:
        if data.startswith(signature):
            return mime
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return "application/octet-stream"
    if "\0" in text:
        return "application/octet-stream"
    return _text_mime(text, name)


def _text_mime(text: str, name: str) -> str:
    if _SVG.match(text):
        return "image/svg+xml"
    suffix = name.lower().rpartition(".")[2]
    if suffix in _SUFFIXES:
        return _SUFFIXES[suffix]
    if _HTML.match(text):
        return "text/html"
    if _LATEX.match(text):
        return "text/latex"
    if _is_json(text):
        return "application/json"
    if "." in name:  # source text of some language, for instance: its comments may look like titles
        return "text/plain"
    if _MARKDOWN.search(text):
        return "text/markdown"
    return "text/csv" if is_table(text) else "text/plain"


def _is_json(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict | list)
    except (ValueError, RecursionError):
        return False


def _picture(attachment: Attachment, mime: str) -> Bundle:
    if not _CHECKS[mime](attachment.data):
        raise Unreadable(f"the {mime.partition('/')[2].upper()} picture is broken or cut off")
    return {mime: base64.b64encode(attachment.data).decode(), "text/plain": _caption(attachment, mime)}


def _caption(attachment: Attachment, mime: str) -> str:
    size = ""
    if mime == "image/png":
        size = ", {} x {}".format(*struct.unpack(">II", attachment.data[16:24]))
    elif mime == "image/gif":
        size = ", {} x {}".format(*struct.unpack("<HH", attachment.data[6:10]))
    name = f" {attachment.name}" if attachment.name else ""
    return f"[{mime.partition('/')[2].upper()} picture{name}{size}]"


def _svg(attachment: Attachment, mime: str) -> Bundle:
    text = _text(attachment)
    try:
        ET.fromstring(text)
    except (ET.ParseError, ValueError) as error:
        raise Unreadable(f"the SVG picture is broken: {error}") from error
    return {mime: text, "text/plain": f"[SVG picture{' ' if attachment.name else ''}{attachment.name}]"}


def _json(attachment: Attachment, mime: str) -> Bundle:
    text = _text(attachment)
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"the JSON is broken: {error}") from error
    if not isinstance(value, dict | list):  # front ends show those two only
        return {"text/plain": text}
    return {mime: value, "text/plain": text}


def _table(attachment: Attachment, _mime: str) -> Bundle:
    text = _text(attachment)
    try:
        return {"text/html": html_table(text), "text/plain": text}
    except ValueError as error:
        raise Unreadable(f"the CSV is broken: {error}") from error


def _plain_text(attachment: Attachment, mime: str) -> Bundle:
    text = _text(attachment)
    return {mime: text, "text/plain": text}


def _script(attachment: Attachment, mime: str) -> Bundle:
    return {mime: _text(attachment), "text/plain": "[JavaScript]"}


def _pdf(attachment: Attachment, mime: str) -> Bundle:
    return {mime: base64.b64encode(attachment.data).decode(), "text/plain": f"[PDF {attachment.name}]"}


def _binary(attachment: Attachment, mime: str) -> Bundle:
    if not attachment.mime:
        raise Unreadable("it is of no kind that can be shown; `--mime TYPE` says one")
    return {mime: base64.b64encode(attachment.data).decode(), "text/plain": f"[{mime}, {len(attachment.data):,} bytes]"}


def _text(attachment: Attachment) -> str:
    try:
        return attachment.data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unreadable(f"it is no UTF-8 text: {error}") from error


_CHECKS: dict[str, Callable[[bytes], bool]] = {
    "image/png": lambda data: data[12:16] == b"IHDR" and _END_OF_PNG in data[-64:],
    "image/jpeg": lambda data: data.startswith(b"\xff\xd8\xff") and b"\xff\xd9" in data[-4_096:],
    "image/gif": lambda data: data.startswith(b"GIF8") and b"\x3b" in data[-64:],
    "image/webp": lambda data: len(data) >= 8 + struct.unpack("<I", data[4:8])[0] if len(data) > 12 else False,
}

_BUILDERS: dict[str, Callable[[Attachment, str], Bundle]] = {
    **dict.fromkeys(_PICTURES, _picture),
    "image/svg+xml": _svg,
    "application/json": _json,
    "text/csv": _table,
    "application/javascript": _script,
    "application/pdf": _pdf,
}
