"""The tables that scorers ship with; README.md beside this file names their sources and licences."""

from __future__ import annotations

from pkgutil import get_data


def read_bytes(name: str) -> bytes:
    """The content of one packaged data file."""
    content = get_data(__name__, name)
    if content is None:
        raise FileNotFoundError(f"{name} cannot be read: the loader of {__name__} gives no data")
    return content
