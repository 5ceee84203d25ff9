"""Pseudoterminals, and who is on them."""

__all__ = ()
