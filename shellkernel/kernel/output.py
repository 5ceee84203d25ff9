"""A cell's output on its way to the notebook: pieces from the reader thread, messages at a bearable rate.

What is sent and when is `shellkernel.render.LiveText`'s: the first text at once, then one message each 50 ms or 64 kB;
a line that a program draws again is sent as `\\r` and the line, padded; where lines above it change too, the output is
cleared and sent again (`clear_output(wait=True)`, so nothing flickers). JupyterLab, Notebook, VS Code and nbclient give
both the same meaning; jupyter console has no way to clear and shows the new state below the old one.

Here: the lock, the clock, the two streams, what may be a prompt, and the pictures between stretches of text. Text that
is held back is sent by a timer of the kernel's event loop.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from time import monotonic
from typing import Literal

from shellkernel.kernel.gallery import Gallery, Shown
from shellkernel.kernel.messages import Publisher
from shellkernel.kernel.prompt import HOLD_SECONDS, HeldPrompt
from shellkernel.media import Broken, ControlString, Splitter
from shellkernel.render import LiveText, Operation, Write
from shellkernel.text import Renderer

__all__ = ("CellOutput", "Later", "StreamName")

StreamName = Literal["stdout", "stderr"]

Later = Callable[[float, Callable[[], None]], None]
"""Have a function called after some seconds, in another thread; may be called from any thread."""

LAST_SCREEN = "[above: the last screen of a full-screen program]"

ERASE_LINE = "\r\x1b[2K"
"""Carriage return; erase in line, all of it (ECMA-48, EL 2)."""

KEPT = 20_000_000
"""Characters of pictures that are sent again when a program redraws text below them; with more, nothing is cleared."""


class _Text:
    """A stretch of text: what each stream shows of it."""

    def __init__(self, columns: int, rows: int, limit: int) -> None:
        self._size = (columns, rows)
        self._limit = limit
        self.lives: dict[StreamName, LiveText] = {}
        self._screens: list[Renderer] = []

    def live(self, name: StreamName) -> LiveText:
        if name not in self.lives:
            self._screens.append(screen := Renderer(*self._size))
            self.lives[name] = LiveText(screen, limit=self._limit)
        return self.lives[name]

    def finish(self, name: StreamName, whole: str) -> list[Operation]:
        """Return the end of one stream; where it was more than is shown, with a line that tells the file with all."""
        live = self.lives[name]
        operations = live.finish(monotonic())
        if whole and operations and len(live.shown) > self._limit:
            gap = "" if operations[-1].text.endswith("\n") else "\x1b[0m\n"
            operations.append(Write(f"{gap}[the whole output is in {whole} until this shell ends]\n"))
        return operations

    def shown(self) -> list[tuple[StreamName, str]]:
        return [(name, live.shown) for name, live in self.lives.items() if live.shown]

    @property
    def cleared(self) -> bool:
        """Whether a program cleared the screen, and printed nothing after that."""
        return not self.shown() and any(screen.cleared for screen in self._screens)

    @property
    def full_screen(self) -> str:
        """What a full-screen program shows, or showed last; "" when there was none."""
        return next((screen.alternate_screen for screen in self._screens if screen.alternate_screen), "")

    @property
    def full_screen_open(self) -> bool:
        """Whether a full-screen program has taken the screen over now."""
        return any(screen.alternate_open for screen in self._screens)

    @property
    def deadline(self) -> float | None:
        return min((live.deadline for live in self.lives.values() if live.deadline is not None), default=None)


class CellOutput:
    """What one cell shows. All methods may be called from any thread.

    Args:
        publisher: The cell's.
        later: How to be called back.
        gallery: The kernel's.
        columns, rows: The terminal's size.
        limit: Characters of each stream shown live.
        prompts: Whether an input box may show a prompt in our place.
    """

    def __init__(
        self,
        publisher: Publisher,
        later: Later,
        gallery: Gallery,
        *,
        columns: int,
        rows: int,
        limit: int,
        prompts: bool = False,
    ) -> None:
        self._publisher = publisher
        self._later = later
        self._gallery = gallery
        self._text_options = (columns, rows, limit)
        self._before: list[_Text | Shown] = []
        self._text = _Text(*self._text_options)
        self._splitters: dict[StreamName, Splitter] = {"stdout": Splitter(), "stderr": Splitter()}
        seconds = HOLD_SECONDS if prompts else 0.0
        self._prompts: dict[StreamName, HeldPrompt] = {"stdout": HeldPrompt(seconds), "stderr": HeldPrompt(seconds)}
        self.whole = ""
        """The file with all of the output, where it is too much to be kept; to be set before `settle`."""
        self._lock = threading.Lock()
        self._timer_set = False

    def feed(self, text: str, name: StreamName = "stdout") -> None:
        """Take raw output. Also after `settle`: output of a job in the background."""
        with self._lock:
            for item in self._splitters[name].feed(text):
                self._take(item, name)
            self._set_timer()

    def flush(self) -> bool:
        """Send what is held back, because a program waits: a full-screen program's screen too.

        Returns:
            Whether it is a full-screen program.
        """
        with self._lock:
            self._show_held()
            for name, live in self._text.lives.items():
                self._send(name, live.flush(monotonic()))
            full_screen = self._text.full_screen_open
            if full_screen:
                self._publisher.stream(f"{self._text.full_screen}\n")
            return full_screen

    def take_back_line(self) -> None:
        """Take the unfinished line at the end back: forget it where it is held, else overwrite it; an empty one stays.

        No `clear_output` right before a question: the two go by different sockets, and a clear that comes late takes
        the open input box away (JupyterLab 4.6, 1 in 3 times).
        """
        with self._lock:
            for name, prompt in self._prompts.items():
                styles = prompt.drop()
                if styles is not None:
                    self._show(styles, name)
                    return
            self._show_held()
            self._show(ERASE_LINE, "stdout")
            self._prompts["stdout"].line_is_empty()

    def settle(self) -> None:
        """Send all that is held back: the cell is over."""
        with self._lock:
            for name, splitter in self._splitters.items():
                for item in splitter.finish():
                    self._take(item, name)
            self._show_held()
            self._finish_text()
            if screen := self._text.full_screen:
                self._show_screen(screen)
            elif self._text.cleared:
                self._publisher.clear(wait=False)

    def replay(self, publisher: Publisher) -> None:
        """Show all of it again, for another request."""
        with self._lock:
            self._show_all(publisher, self._text.shown())

    def _take(self, item: str | ControlString | Broken, name: StreamName) -> None:
        if isinstance(item, str):
            self._show(self._prompts[name].take(item, monotonic()), name)
            return
        self._show_held()
        for each, live in self._text.lives.items():
            self._send(each, live.flush(monotonic()))
        shown = self._gallery.take(item, self._publisher)
        if isinstance(shown, str):
            self._show(shown, name)
        elif shown is not None:
            self._finish_text()
            self._before += [self._text, shown]
            self._text = _Text(*self._text_options)

    def _show(self, text: str, name: StreamName) -> None:
        if text:
            self._send(name, self._text.live(name).feed(text, monotonic()))

    def _show_held(self) -> None:
        for name, prompt in self._prompts.items():
            self._show(prompt.show(), name)

    def _show_screen(self, screen: str) -> None:
        self._before.append(self._text)
        self._text = _Text(*self._text_options)
        self._send("stdout", self._text.live("stdout").feed(f"{screen}\n{LAST_SCREEN}\n", monotonic()))
        self._finish_text()

    def _finish_text(self) -> None:
        for name in self._text.lives:
            self._send(name, self._text.finish(name, self.whole))

    def _send(self, name: StreamName, operations: list[Operation]) -> None:
        for operation in operations:
            if isinstance(operation, Write):
                self._publisher.stream(operation.text, name)
            else:
                self._show_again(name, operation.text)

    def _show_again(self, name: StreamName, text: str) -> None:
        """Clear, then show all: this stream's new text, the rest as it was."""
        if sum(each.size for each in self._before if isinstance(each, Shown)) > KEPT:
            self._publisher.stream(f"\n{text}", name)
            return
        texts = [(each, text if each == name else live.shown) for each, live in self._text.lives.items()]
        self._publisher.clear(wait=bool(self._before or any(shown for _, shown in texts)))
        self._show_all(self._publisher, texts)

    def _show_all(self, publisher: Publisher, texts: list[tuple[StreamName, str]]) -> None:
        for part in self._before:
            if isinstance(part, Shown):
                part.show(publisher)
            else:
                for name, text in part.shown():
                    publisher.stream(text, name)
        for name, text in texts:
            if text:
                publisher.stream(text, name)

    def _set_timer(self) -> None:
        """Ask to be called at the first deadline; one timer at a time."""
        deadline = min(
            filter(None, (self._text.deadline, *(prompt.deadline for prompt in self._prompts.values()))), default=None
        )
        if deadline is not None and not self._timer_set:
            self._timer_set = True
            self._later(max(0.0, deadline - monotonic()), self._tick)

    def _tick(self) -> None:
        with self._lock:
            self._timer_set = False
            now = monotonic()
            for name, prompt in self._prompts.items():
                if prompt.deadline is not None and prompt.deadline <= now:
                    self._show(prompt.show(), name)
            for name, live in self._text.lives.items():
                if live.deadline is not None and live.deadline <= now:
                    self._send(name, live.tick(now))
            self._set_timer()
