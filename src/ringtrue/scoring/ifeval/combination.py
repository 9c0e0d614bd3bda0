"""Instructions about the response as a whole: two answers, or the request repeated."""

from __future__ import annotations

from ringtrue.scoring.ifeval.arguments import Arguments
from ringtrue.scoring.ifeval.rule import Rule

SEPARATOR = "******"


def two_responses(arguments: Arguments) -> Rule:
    """There are exactly two different responses between `******`, and nothing blank between two of them."""

    def follows(text: str) -> bool:
        if SEPARATOR not in text:
            return False
        first, *middle, last = (part.strip() for part in text.split(SEPARATOR))
        given = [part for part in (first, *middle, last) if part]
        return all(middle) and len(given) == 2 and given[0] != given[1]

    return Rule(follows)


def repeat_prompt(arguments: Arguments) -> Rule:
    """The response starts with the request, whatever its case."""
    request = arguments.text("prompt_to_repeat").lower()

    def follows(text: str) -> bool:
        start = text.lstrip()
        # Lower case of other scripts depends on what follows.
        return (start[: len(request)] if start.isascii() else start).lower().startswith(request)

    return Rule(follows)
