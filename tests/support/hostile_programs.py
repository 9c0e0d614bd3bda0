"""The hostile programs of `hostile_programs.txt`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

_FILE = Path(__file__).with_suffix(".txt")


class Hostile(NamedTuple):
    """A program, how it may end, and whether it belongs to the long run."""

    source: str
    ends: tuple[str, ...]
    long: bool


def _programs() -> dict[str, Hostile]:
    helpers, *entries = re.split(r"(?m)^=== ", _FILE.read_text())[1:]
    head = helpers.partition("\n")[2]
    found = {}
    for entry in entries:
        title, _, body = entry.partition("\n")
        name, flags = title.split(": ")
        ends, *more = flags.split()
        source = re.sub(r"(?m)^# .*\n?", "", body)
        found[name] = Hostile(head + source if "calls" in more else source, tuple(ends.split(",")), "long" in more)
    return found


PROGRAMS = _programs()
