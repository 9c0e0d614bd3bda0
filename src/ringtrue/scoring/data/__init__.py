"""The tables that scorers ship with; README.md beside this file names their sources and licences."""

from __future__ import annotations

from importlib.resources import files


def read_bytes(name: str) -> bytes:
    """The content of one packaged data file."""
    return files(__package__).joinpath(name).read_bytes()
