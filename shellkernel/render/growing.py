"""A text that grows at its end, and can lose lines there again."""

from __future__ import annotations

__all__ = ("GrowingText",)


class GrowingText:
    """Text kept in pieces, so that appending to a long one and cutting its end stay cheap."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0

    def __len__(self) -> int:
        return self._length

    def append(self, text: str) -> None:
        if text:
            self._parts.append(text)
            self._length += len(text)

    def cut(self, lines: int) -> None:
        """Remove the last `lines` lines; the unfinished one, even when empty, is the first of them."""
        missing = lines
        while missing and self._parts:
            part = self._parts.pop()
            self._length -= len(part)
            position = len(part)
            while missing and (found := part.rfind("\n", 0, position)) >= 0:
                missing, position = missing - 1, found
            if not missing:
                self.append(part[: position + 1])

    def last_line(self) -> str:
        """Return the last, unfinished line."""
        pieces: list[str] = []
        for part in reversed(self._parts):
            found = part.rfind("\n")
            pieces.append(part[found + 1 :])
            if found >= 0:
                break
        return "".join(reversed(pieces))

    def join(self) -> str:
        """Return all of it."""
        self._parts = ["".join(self._parts)]
        return self._parts[0]

    def keep_end(self, length: int) -> int:
        """Keep only the last `length` characters; return how many went."""
        text = self.join()
        gone = max(0, len(text) - length)
        self._parts, self._length = [text[gone:]], len(text) - gone
        return gone
