"""Search: which passages of long sources a judge is shown, look by look."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, zip_longest

from ringtrue.evaluators.judged.claims.sources import Sources


def search(sources: Sources, claims: Sequence[str], numbers: Sequence[int], most_tokens: int) -> Iterator[list[int]]:
    """What to show in one look after the other: all passages where they fit, else the nearest to the claims first.

    Claims take turns; a passage comes with its neighbours; what shares no word with a claim comes last, in order. No
    passage is shown twice.
    """
    if sources.tokens(numbers) <= most_tokens:
        yield list(numbers)
        return
    waiting = _in_turns(sources, claims, numbers)
    allowed, shown = set(numbers), set[int]()
    look: set[int] = set()
    room = most_tokens
    for number in waiting:
        fresh = [one for one in sources.around([number]) if one in allowed and one not in shown and one not in look]
        needed = sources.tokens(fresh)
        if look and needed > room:
            yield sorted(look)
            shown |= look
            look, room = set(), most_tokens
        look.update(fresh)
        room -= needed
    if look:
        yield sorted(look)


def _in_turns(sources: Sources, claims: Sequence[str], numbers: Sequence[int]) -> Iterator[int]:
    rankings = [sources.ranked(claim, numbers) for claim in claims]
    found = (number for turn in zip_longest(*rankings) for number in turn if number is not None)
    return iter(dict.fromkeys(chain(found, numbers)))
