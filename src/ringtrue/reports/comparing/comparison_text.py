"""A comparison in a terminal and in a pull request."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap

from ringtrue.records import Row
from ringtrue.reports.answer_text import answer_problem, answer_text
from ringtrue.reports.comparing.comparison import Comparison, Flip, PartDifference, SystemPair
from ringtrue.reports.comparing.comparison_words import (
    correction_words,
    cost_words,
    how_words,
    left_out_words,
    p_words,
    verdict_sentences,
)
from ringtrue.reports.markdown import escape
from ringtrue.reports.number import NOTHING, count, interval, number
from ringtrue.safetext import printable, shorten

NARROW = 64
SHOWN_FLIPS, SHOWN_CHARS = 5, 200
HEADS = ("A", "B", "B − A", "95 % interval", "p", "verdict")


def comparison_text(found: Comparison, *, width: int = 80) -> str:
    """The comparison in lines that fit a terminal."""
    lines: list[str] = []
    for place, pair in enumerate(found.pairs):
        lines += [""] if place else []
        lines += _pair_lines(pair, found, width)
    return "\n".join(lines) + "\n"


def _pair_lines(pair: SystemPair, found: Comparison, width: int) -> Iterator[str]:
    yield from _fit(f"A {pair.before.name} · B {pair.after.name} · {count(pair.cases, 'case')} paired", width)
    yield ""
    for sentence in verdict_sentences(pair, found.tests):
        yield from _fit(f"{sentence}.", width, 0)
    if words := cost_words(pair):
        yield from _fit(words, width)
    for dataset in dict.fromkeys(part.dataset for part in pair.parts):
        yield ""
        yield from _table(dataset, [part for part in pair.parts if part.dataset == dataset], width)
    if notes := [*_how(pair, found), *left_out_words(pair)]:
        yield ""
        for note in notes:
            yield from _fit(note, width)
    for title, flips in (("Lost", pair.lost), ("Gained", pair.gained)):
        yield from _flips(title, flips, width)


def _how(pair: SystemPair, found: Comparison) -> list[str]:
    corrected = correction_words(found)
    return [*how_words(pair), *([corrected] if corrected else [])]


def _table(dataset: str, parts: Sequence[PartDifference], width: int) -> Iterator[str]:
    yield from _fit("   ".join([dataset or "all rows", *_passes(parts)]), width)
    rows = [cells(part) for part in parts]
    if width < NARROW:
        for name, *rest in rows:
            yield from _fit(name, width)
            yield f"  A {rest[0]}  B {rest[1]}  {rest[2]}"
            yield f"  {rest[3]}  p {rest[4]}  {rest[5]}"
        return
    names = [printable(row[0]) for row in rows]
    widths = [max(len(row[place]) for row in [["", *HEADS], *rows]) for place in range(1, len(HEADS) + 1)]
    room = width - sum(widths) - 2 * len(widths)
    left = max(8, min(room, max(map(len, names))))

    def line(name: str, values: Sequence[str]) -> str:
        columns = [f"{value:>{size}}" for value, size in zip(values[:-1], widths, strict=False)]
        return "  ".join([f"{shorten(name, left):<{left}}", *columns, values[-1]]).rstrip()

    yield line("", HEADS)
    for name, row in zip(names, rows, strict=True):
        yield line(name, row[1:])


def _passes(parts: Sequence[PartDifference]) -> list[str]:
    """The score that decides whether a case passes, if one does."""
    found = (part for part in parts if part.is_headline and part.threshold is not None)
    return [f"{part.key}, passes at {part.threshold:.2f}" for part in found]


def cells(part: PartDifference) -> list[str]:
    """Return the cells of one number: its name, both means, the difference, interval, p-value and verdict."""
    found = part.difference
    if found is None:
        return [part.key, *[NOTHING] * 5, part.verdict]
    return [
        part.key,
        number(found.before, part.unit, marked=True),
        number(found.after, part.unit, marked=True),
        number(found.value, part.unit, signed=True),
        interval(found.interval, part.unit, signed=True),
        p_words(part.p),
        part.verdict,
    ]


def _flips(title: str, flips: Sequence[Flip], width: int) -> Iterator[str]:
    if not flips:
        return
    meaning = "passed in A, failed in B" if title == "Lost" else "failed in A, passed in B"
    yield from ("", f"{title} ({len(flips):,}): {meaning}")
    for flip in flips[:SHOWN_FLIPS]:
        yield from _fit(f"  {flip.case.id}  {_short(flip.case.input or flip.case.context)}", width, 4)
        if flip.case.expected is not None:
            yield from _fit(f"    expected  {_short(' | '.join(flip.case.expected))}", width, 14)
        yield from _fit(f"    A  {_answer(flip.before)}", width, 7)
        yield from _fit(f"    B  {_answer(flip.after)}", width, 7)
    if len(flips) > SHOWN_FLIPS:
        yield f"  … and {len(flips) - SHOWN_FLIPS:,} more"


def _answer(row: Row) -> str:
    text, problem = answer_text(row.trial.output), answer_problem(row.trial.output)
    return _short(text) if text or not problem else f"({_short(problem)})"


def _short(text: str) -> str:
    return shorten(" ".join(str(text).split()), SHOWN_CHARS)


def _fit(words: str, width: int, indent: int = 2) -> Iterator[str]:
    """The words in lines of a terminal, the later ones indented; whatever they are of, the terminal obeys none."""
    yield from wrap(printable(words), width, subsequent_indent=" " * indent, drop_whitespace=True) or [""]


def comparison_markdown(found: Comparison) -> str:
    """The comparison for a pull request; text from outside is never markup."""
    lines = ["## Comparison"]
    for pair in found.pairs:
        lines += ["", *(f"**{escape(sentence)}**" for sentence in verdict_sentences(pair, found.tests))]
        lines += [escape(words)] if (words := cost_words(pair)) else []
        for dataset in dict.fromkeys(part.dataset for part in pair.parts):
            parts = [part for part in pair.parts if part.dataset == dataset]
            lines += [f"\n{escape(words)}" for words in _passes(parts)]
            names = [f"A {escape(pair.before.name)}", f"B {escape(pair.after.name)}", *HEADS[2:]]
            lines += ["", f"| {escape(dataset)} | {' | '.join(names)} |", "|---|" + "---:|" * len(HEADS)]
            lines += [f"| {' | '.join(map(escape, cells(part)))} |" for part in parts]
        if notes := [*_how(pair, found), *left_out_words(pair)]:
            lines += ["", *(f"- {escape(note)}" for note in notes)]
        for title, flips in (("Lost", pair.lost), ("Gained", pair.gained)):
            lines += _markdown_flips(title, flips)
    return "\n".join(lines) + "\n"


def _markdown_flips(title: str, flips: Sequence[Flip]) -> Iterator[str]:
    if not flips:
        return
    yield from ("", f"<details><summary>{title} ({len(flips):,})</summary>", "", "| case | question | A | B |")
    yield "|---|---|---|---|"
    for flip in flips[:SHOWN_FLIPS]:
        columns = (
            str(flip.case.id),
            _short(flip.case.input or flip.case.context),
            _answer(flip.before),
            _answer(flip.after),
        )
        yield f"| {' | '.join(map(escape, columns))} |"
    if len(flips) > SHOWN_FLIPS:
        yield f"| … and {len(flips) - SHOWN_FLIPS:,} more | | | |"
    yield from ("", "</details>")
