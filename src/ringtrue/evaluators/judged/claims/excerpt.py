"""Excerpts: numbered sentences with what stands around them, one on each line, so that no text can forge a sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ringtrue.scoring.prose.passages import Passage

LEFT_OUT = "- (text left out)"


def excerpt(
    passages: Sequence[Passage],
    numbers: Sequence[int],
    window: tuple[int, int],
    said: Mapping[int, str] | None = None,
) -> str:
    """The sentences of these numbers, each a line that begins with its number, and their neighbours after a dash.

    A sentence's number is its position in the text, from 1. `window` is how many stand before and after each. `said`
    adds a reading to some of them. A mark shows where text is left out; headings are named where they change.
    """
    before, after = window
    wanted = set(numbers)
    shown = sorted(
        {at for number in numbers for at in range(max(1, number - before), min(len(passages), number + after) + 1)}
    )
    lines: list[str] = []
    previous = 0
    headings: tuple[str, ...] = ()
    for number in shown:
        passage = passages[number - 1]
        if number != previous + 1:
            lines.append(LEFT_OUT)
        if passage.headings != headings and passage.headings:
            lines.append(f"- (under the heading: {' > '.join(passage.headings)})")
        lines.append(f"{number}: {passage.text}" if number in wanted else f"- {passage.text}")
        if number in wanted and said and number in said:
            lines.append(f"- (sentence {number}, as it is to be read: {said[number]})")
        previous, headings = number, passage.headings
    if previous < len(passages):
        lines.append(LEFT_OUT)
    return "\n".join(lines)
