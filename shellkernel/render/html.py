"""A Result as a MIME bundle: one plain line, and a compact HTML face.

The face holds in light and dark themes: it takes the text colour from its surroundings and lays
half-transparent colours under the badges. No script and no style sheet: it looks the same in a saved notebook,
in nbconvert's HTML and where a sanitiser keeps only simple markup. Everything that came from outside is escaped,
and the classes keep MathJax from reading bash's `$` as mathematics (MathJax, options.ignoreHtmlClass).
"""

from __future__ import annotations

from html import escape

from shellkernel.render.lines import duration_text, end_text, exit_text, meaning, summary
from shellkernel.render.meaning import describe_exit_code
from shellkernel.results import Result

__all__ = ("NO_MATH", "badge", "mimebundle")

_GREEN, _RED, _AMBER = "rgba(46,160,67,0.25)", "rgba(248,81,73,0.25)", "rgba(210,153,34,0.28)"
_BADGE = "padding:0 .45em;border-radius:.6em;border:1px solid currentColor;color:inherit;white-space:nowrap;"
_QUIET = "opacity:.75"
NO_MATH = "mathjax_ignore tex2jax_ignore"
"""Classes of an element in which `$` means nothing: MathJax 3 and 4, MathJax 2."""
_CODE = f"{_QUIET};background:none;color:inherit"


def mimebundle(result: Result) -> dict[str, str]:
    """Return the result for display: `text/plain`, one line; `text/html`, the face."""
    plain = summary(result)
    if result.note:
        plain += f" · {result.note}"
    if result.omitted:
        plain += f" · {_omitted(result)}"
    return {"text/plain": " ".join(plain.splitlines()), "text/html": _face(result)}


def badge(text: str, tone: str, *, title: str = "") -> str:
    """Return a small label as HTML.

    Args:
        text: Plain text; it is escaped here.
        tone: "good", "bad" or "unsure": green, red or amber under it. The text must say the same.
        title: What a pointer over it shows.
    """
    colour = {"good": _GREEN, "bad": _RED, "unsure": _AMBER}[tone]
    tip = f' title="{escape(title)}"' if title else ""
    return f'<span style="{_BADGE}background:{colour}"{tip}>{escape(text)}</span>'


def _face(result: Result) -> str:
    parts = [_code_badge(result)]
    if result.exit_code:
        parts.append(f"<span>{escape(meaning(result))}</span>")
    if end := end_text(result):
        parts.append(badge(end, "unsure"))
    if len(result.pipestatus) > 1:
        parts.append(f"<span>pipestatus {' '.join(map(_element, result.pipestatus))}</span>")
    parts.append(f'<span style="{_QUIET}">{escape(duration_text(result.duration))}</span>')
    parts.append(f'<span style="{_QUIET}" title="session">{escape(result.session)}</span>')
    parts.append(f'<code style="{_CODE}" title="directory">{escape(result.cwd)}</code>')
    return (
        f'<div role="group" aria-label="{escape(summary(result))}" class="{NO_MATH}" style="color:inherit">'
        f'<div style="display:flex;flex-wrap:wrap;gap:.2em .8em;align-items:baseline">{"".join(parts)}</div>'
        f"{_below(result)}</div>"
    )


def _code_badge(result: Result) -> str:
    tone = "good" if result.ok else "unsure" if result.exit_code in (0, None) else "bad"
    mark = "✓ " if result.ok else "✗ " if tone == "bad" else ""
    return badge(mark + exit_text(result), tone, title="" if result.exit_code is None else meaning(result))


def _element(code: int) -> str:
    return badge(str(code), "bad" if code else "good", title=describe_exit_code(code))


def _below(result: Result) -> str:
    lines = []
    if result.note:
        lines.append(escape(result.note))
    if result.omitted:
        text = f"{result.omitted:,} bytes of the output are left out"
        if result.output_path:
            text += f'; all of it is in <code style="{_CODE}">{escape(result.output_path)}</code>'
        lines.append(text)
    return "".join(f'<div style="{_QUIET}">{line}</div>' for line in lines)


def _omitted(result: Result) -> str:
    where = f", all of it in {result.output_path}" if result.output_path else ""
    return f"{result.omitted:,} bytes left out{where}"
