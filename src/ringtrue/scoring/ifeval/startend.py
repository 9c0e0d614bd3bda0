"""Instructions about the first and the last characters."""

from __future__ import annotations

from ringtrue.scoring.ifeval.arguments import Arguments
from ringtrue.scoring.ifeval.rule import Rule


def end_checker(arguments: Arguments) -> Rule:
    """The response ends with the phrase, whatever its case and without quotation marks around the response."""
    phrase = arguments.text("end_phrase").lower()

    def follows(text: str) -> bool:
        text = text.strip().strip('"')
        return (text[-len(phrase) :] if text.isascii() else text).lower().endswith(phrase)

    return Rule(follows)


def quotation(arguments: Arguments) -> Rule:
    """The response is wrapped in double quotation marks."""

    def follows(text: str) -> bool:
        text = text.strip()
        return len(text) > 1 and text[0] == text[-1] == '"'

    return Rule(follows)
