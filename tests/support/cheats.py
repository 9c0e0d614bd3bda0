"""The wrong programs of `cheats.txt` that want to pass."""

from __future__ import annotations

import re
from pathlib import Path

TEST = """def check(candidate):
    assert candidate(1, 2) == 3
    assert candidate(-1, 1) == 0
    assert candidate(10, 5) == 15
"""


def _cheats() -> dict[str, tuple[str, bool]]:
    found = {}
    for entry in re.split(r"(?m)^=== ", Path(__file__).with_suffix(".txt").read_text())[1:]:
        title, _, source = entry.partition("\n")
        name, _, flag = title.partition(": ")
        found[name] = source, flag == "separate"
    return found


CHEATS = _cheats()
"""Program, and whether only tests in another process resist it."""
