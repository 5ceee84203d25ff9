"""Who is measured. Each contestant is a context manager that yields a function; it raises NotHere where it cannot be had."""

__all__ = ()
