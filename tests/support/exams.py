"""The pairs of program and tests in `exams.txt`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple


class Pair(NamedTuple):
    """A program and tests it passes; `trusting` where its own operators decide."""

    program: str
    test: str
    trusting: bool


def _pairs() -> dict[str, Pair]:
    found = {}
    for entry in re.split(r"(?m)^=== ", Path(__file__).with_suffix(".txt").read_text())[1:]:
        title, _, body = entry.partition("\n")
        name, _, flag = title.partition(": ")
        program, _, test = body.partition("\n---\n")
        found[name] = Pair(program, test, flag == "trusting")
    return found


PAIRS = _pairs()
