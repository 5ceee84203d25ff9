"""Errors that nobody can be told of otherwise."""

from __future__ import annotations

__all__ = ("log_exception",)


def log_exception(message: str, *values: object) -> None:
    """Log the exception that is being handled, to the logger "shellkernel"."""
    import logging  # 3 ms of what importing shellkernel would cost

    logging.getLogger("shellkernel").exception(message, *values)  # noqa: LOG004  # a handler calls this
