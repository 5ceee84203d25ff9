"""A Result as a MIME bundle: one plain line, and a compact HTML face.

Everything that came from outside is escaped, and the classes keep MathJax from reading bash's `$` as mathematics
(MathJax, options.ignoreHtmlClass). How it holds in light and dark themes: `paint`.
"""

from __future__ import annotations

from html import escape

from shellkernel.render.lines import duration_text, end_text, exit_text, meaning, summary
from shellkernel.render.meaning import describe_exit_code
from shellkernel.render.paint import NO_MATH, QUIET, Tone, badge
from shellkernel.results import Result

__all__ = ("mimebundle",)

_CODE = f"{QUIET};background:none;color:inherit"
_INLINE = "background:none;color:inherit;padding:0"


def mimebundle(result: Result) -> dict[str, str]:
    """Return the result for display: `text/plain` and `text/html`.

    A line each, and below it the statements and the trace where they were recorded.
    """
    plain = summary(result)
    if result.note:
        plain += f" · {result.note}"
    if result.omitted:
        plain += f" · {_omitted(result)}"
    line = " ".join(plain.splitlines())
    if not _is_recorded(result):
        return {"text/plain": line, "text/html": _face(result, "")}
    from shellkernel.render.picture import picture  # most results have none
    from shellkernel.render.plain import plain_picture

    return {"text/plain": f"{line}\n{plain_picture(result)}", "text/html": _face(result, picture(result))}


def _is_recorded(result: Result) -> bool:
    return result.statements is not None or result.trace is not None


def _face(result: Result, drawn: str) -> str:
    parts = [_code_badge(result)]
    if result.exit_code:
        parts.append(f"<span>{escape(meaning(result))}</span>")
    if end := end_text(result):
        parts.append(badge(end, "unsure"))
    if len(result.pipestatus) > 1:
        parts.append(f"<span>pipestatus {' '.join(map(_element, result.pipestatus))}</span>")
    parts.append(f'<span style="{QUIET}">{escape(duration_text(result.duration))}</span>')
    parts.append(f'<span style="{QUIET}" title="session">{escape(result.session)}</span>')
    parts.append(f'<code style="{_CODE}" title="directory">{escape(result.cwd)}</code>')
    return (
        f'<div role="group" aria-label="{escape(summary(result))}" class="{NO_MATH}" style="color:inherit">'
        f'<div style="display:flex;flex-wrap:wrap;gap:.2em .8em;align-items:baseline">{"".join(parts)}</div>'
        f"{_below(result)}{drawn}{_why(result)}</div>"
    )


def _why(result: Result) -> str:
    """Say how the exit code came about, opened by a click; nothing where all is well."""
    if not _is_recorded(result) and not result.exit_code and not any(result.pipestatus):
        return ""
    from shellkernel.render.explain import explain  # where all is well, nothing is explained

    lines = explain(result).split("\n")
    text = "".join(
        f'<div style="padding-left:{len(line) - len(line.lstrip())}em">{_spoken(line)}</div>' for line in lines
    )
    return f'<details style="margin:.2em 0"><summary style="{QUIET};cursor:pointer">why</summary>{text}</details>'


def _spoken(line: str) -> str:
    """Return a line as HTML, what stands in back-quotes as code."""
    parts = escape(line.strip()).split("`")
    if len(parts) % 2 == 0:  # a back-quote of the text's own
        return "`".join(parts)
    return "".join(f'<code style="{_INLINE}">{part}</code>' if n % 2 else part for n, part in enumerate(parts))


def _code_badge(result: Result) -> str:
    tone: Tone = "good" if result.ok else "unsure" if result.exit_code in (0, None) else "bad"
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
    return "".join(f'<div style="{QUIET}">{line}</div>' for line in lines)


def _omitted(result: Result) -> str:
    where = f", all of it in {result.output_path}" if result.output_path else ""
    return f"{result.omitted:,} bytes left out{where}"
