"""Reading bash without running it."""

from shellkernel.syntax.check import check_syntax, is_blank

__all__ = ("check_syntax", "is_blank")
