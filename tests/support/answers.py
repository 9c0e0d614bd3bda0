"""The chat answers of `answers.txt`."""

from __future__ import annotations

import re
from pathlib import Path


def _answers() -> dict[str, tuple[str, str]]:
    found = {}
    for entry in re.split(r"(?m)^=== ", Path(__file__).with_suffix(".txt").read_text())[1:]:
        name, _, body = entry.partition("\n")
        context, _, response = f"\n{body}".partition("\n---\n")
        found[name] = context[1:], response.rstrip("\n") + "\n"
    return found


ANSWERS = _answers()
"""Context and response."""
