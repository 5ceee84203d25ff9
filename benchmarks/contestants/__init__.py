"""Who is measured. Each is a context manager that yields a function, and raises NotHere where it cannot be had."""

__all__ = ()
