"""Pictures and other rich output of the cells: what is shown new, and what takes another's place."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from os import pathsep

from shellkernel.kernel.messages import Publisher
from shellkernel.media import Broken, Carriers, ControlString, Unreadable, bundle

__all__ = ("Gallery", "Shown")


@dataclass(slots=True)
class Shown:
    """Something that was shown."""

    data: Mapping[str, object]
    display_id: str = ""

    def show(self, publisher: Publisher) -> None:
        """Show it, again too."""
        publisher.display(self.data, {}, self.display_id)

    @property
    def size(self) -> int:
        """Characters, about."""
        return sum(len(value) for value in self.data.values() if isinstance(value, str))


class Gallery:
    """One for each kernel: names that a display can be replaced by are known to all its cells."""

    def __init__(self) -> None:
        self._token = secrets.token_hex(16)
        self._carriers = Carriers(self._token)
        self._ids: set[str] = set()

    def environment(self, path: str) -> dict[str, str]:
        """Return the variables by which a shell finds `display`, and by which we know it.

        Args:
            path: The PATH so far.
        """
        folder = str(resources.files("shellkernel.kernel") / "bin")
        return {"NOTEBOOK_DISPLAY": self._token, "PATH": f"{folder}{pathsep}{path}" if path else folder}

    def take(self, item: ControlString | Broken, publisher: Publisher) -> Shown | str | None:
        """Show what a control string carries.

        Returns:
            What is shown new; a line for a person where it can not be shown; None where there is nothing new.
        """
        try:
            if isinstance(item, Broken):
                raise Unreadable(item.reason)
            attachment = self._carriers.take(item)
            if attachment is None:
                return None
            shown = Shown(bundle(attachment), attachment.display_id)
        except Unreadable as error:
            return f"[not shown: {error}]\n"
        if shown.display_id in self._ids:
            publisher.update_display(shown.data, {}, shown.display_id)
            return None
        if shown.display_id:
            self._ids.add(shown.display_id)
        shown.show(publisher)
        return shown
