"""`say`: words for people, on a terminal that obeys nothing in them."""

from __future__ import annotations

import json
import re
import sys
from typing import TextIO

from ringtrue.reports.table import printable


def say(text: str, where: TextIO | None = None) -> None:
    """Print a line, to standard output or elsewhere; signs that a terminal would obey, or lacks, are shown escaped."""
    out = where or sys.stdout
    encoding = getattr(out, "encoding", None) or "utf-8"
    out.write(f"{printable(text)}\n".encode(encoding, "backslashreplace").decode(encoding))


def say_lines(text: str, where: TextIO | None = None) -> None:
    """Print a text of several lines."""
    for line in text.removesuffix("\n").split("\n"):
        say(line, where)


def say_json(text: str) -> None:
    """Print JSON in ASCII: a terminal obeys nothing in it, and programs read what it said before."""
    sys.stdout.write(re.sub(r"[^\n -~]+", lambda found: json.dumps(found[0])[1:-1], text) + "\n")


def warn(text: str) -> None:
    """Print a line on standard error, and who says it."""
    say(f"multivon_eval: {text}", sys.stderr)
