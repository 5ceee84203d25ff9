"""PURE: what bash tells of the commands of a cell, to records with exit codes and fates."""

__all__ = ()
