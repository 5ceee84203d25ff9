"""CSV as a table."""

from __future__ import annotations

import csv
import io
from html import escape

__all__ = ("html_table", "is_table")

MOST_ROWS = 1_000
MOST_COLUMNS = 200


def is_table(text: str) -> bool:
    """Tell whether a text is CSV: two rows or more, of equally many cells, none of which begins with a blank.

    Prose has a blank after its commas, and lines with different numbers of them.
    """
    for delimiter in ",;\t|":
        try:
            rows = [row for row in csv.reader(io.StringIO(text), delimiter=delimiter, strict=True) if row]
        except csv.Error:
            continue
        if len(rows) > 1 and len(rows[0]) > 1 and {len(row) for row in rows} == {len(rows[0])}:
            return not any(cell.startswith(" ") for row in rows for cell in row)
    return False


def html_table(text: str) -> str:
    """Return an HTML table: the first row is its head, long ones are cut and say so.

    Raises:
        ValueError: It is no CSV.
    """
    try:
        dialect: type[csv.Dialect] | str = csv.Sniffer().sniff(text[:4_096], ",;\t|")
    except csv.Error:
        dialect = "excel"
    try:
        rows = [row for row in csv.reader(io.StringIO(text), dialect, strict=True) if row]
    except csv.Error as error:
        raise ValueError(str(error)) from error
    if not rows:
        raise ValueError("there is no row in it")
    head, *body = [row[:MOST_COLUMNS] for row in rows]
    lines = [f"<tr>{_cells('th', head)}</tr>", *(f"<tr>{_cells('td', row)}</tr>" for row in body[:MOST_ROWS])]
    rest = f"<p>{len(body):,} rows; the first {MOST_ROWS:,} are shown</p>" if len(body) > MOST_ROWS else ""
    return f"<table><thead>{lines[0]}</thead><tbody>{''.join(lines[1:])}</tbody></table>{rest}"


def _cells(tag: str, row: list[str]) -> str:
    return "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in row)
