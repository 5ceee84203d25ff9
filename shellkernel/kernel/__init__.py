"""The Jupyter side: requests in, messages out."""

__all__ = ()
