"""`say`: a line for people, on a terminal that obeys nothing in it."""

from __future__ import annotations

import sys
from typing import TextIO

from ringtrue.reports.table import printable


def say(text: str, where: TextIO | None = None) -> None:
    """Print a line, to standard output or elsewhere; signs that a terminal would obey are shown."""
    (where or sys.stdout).write(f"{printable(text)}\n")
