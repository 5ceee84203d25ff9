"""PURE: a cell to what is typed; bytes to events."""

__all__ = ()
