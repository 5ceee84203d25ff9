"""Colours and small parts of HTML that hold in light and dark themes.

Half-transparent colours lie under text that keeps its surroundings' colour. No script and no style sheet: it looks the
same in a saved notebook, in nbconvert's HTML and where a sanitiser keeps only simple markup (JupyterLab's, for outputs
that it does not trust).
"""

from __future__ import annotations

from html import escape
from typing import Literal

__all__ = ("BAR", "CODE", "NO_MATH", "QUIET", "RULE", "STRIPES", "TINTS", "Tone", "badge")

Tone = Literal["good", "bad", "unsure", "unseen", "off"]
"""Green, red, amber; grey for what ran with a code that nobody saw, and for what was not reached. The text must always
say the same.
"""

TINTS: dict[Tone, str] = {
    "good": "rgba(46,160,67,0.25)",
    "bad": "rgba(248,81,73,0.25)",
    "unsure": "rgba(210,153,34,0.28)",
    "unseen": "rgba(128,128,128,0.18)",
    "off": "rgba(128,128,128,0.18)",
}
"""Backgrounds."""
STRIPES: dict[Tone, str] = {
    "good": "rgba(46,160,67,0.9)",
    "bad": "rgba(248,81,73,0.9)",
    "unsure": "rgba(210,153,34,0.9)",
    "unseen": "rgba(128,128,128,0.5)",
    "off": "rgba(128,128,128,0.5)",
}
"""Lines and bars."""
RULE = "rgba(128,128,128,0.35)"
BAR = "rgba(33,150,243,0.8)"
CODE = (
    "font-family:monospace;font-family:var(--jp-code-font-family,monospace);"
    "font-size:13px;font-size:var(--jp-code-font-size,13px);line-height:1.45"
)
"""JupyterLab's font for code. Its sanitiser takes values with `var` out, so a plain one stands before each."""
QUIET = "opacity:.75"
NO_MATH = "mathjax_ignore tex2jax_ignore"
"""Classes of an element in which `$` means nothing: MathJax 3 and 4, MathJax 2."""

_BADGE = "padding:0 .45em;border-radius:.6em;border:1px solid currentColor;color:inherit;white-space:nowrap;"


def badge(text: str, tone: Tone, *, title: str = "") -> str:
    """Return a small label as HTML.

    Args:
        text: Plain text; it is escaped here.
        tone: What lies under it.
        title: What a pointer over it shows.
    """
    tip = f' title="{escape(title)}"' if title else ""
    return f'<span style="{_BADGE}background:{TINTS[tone]}"{tip}>{escape(text)}</span>'
