"""The instruction to do without commas."""

from __future__ import annotations

from ringtrue.scoring.ifeval.arguments import Arguments
from ringtrue.scoring.ifeval.rule import Rule


def no_comma(arguments: Arguments) -> Rule:
    """There is no comma."""
    return Rule(lambda text: "," not in text, "core")
