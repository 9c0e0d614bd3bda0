"""The opening of a report: its title, and conclusions in sentences, each with a subject, a number and its interval."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ringtrue.records import Run, Summary
from ringtrue.reports.headline_table import HeadlineBlock, HeadlineLine, headline_table
from ringtrue.reports.number import absence_words, count, number
from ringtrue.safetext import one_line

if TYPE_CHECKING:
    from ringtrue.reports.comparing.comparison import Comparison

SHOWN_DATASETS, SHOWN_REASON = 4, 200


class VerdictWords(NamedTuple):
    """A run of words; strong ones carry the verdict."""

    text: str
    strong: bool = False


def report_title(run: Run) -> str:
    """The title of a run's page: its name, or its datasets and systems."""
    made = run.made
    named = made.name or str(made.options.get("suite") or "")
    if named:
        return named
    systems, datasets = [one.name for one in made.systems], [one.name for one in made.datasets if one.name]
    where = f" on {_several(datasets)}" if datasets else ""
    return f"{_several(systems)}{where}" if systems else f"{made.job} {run.id}".strip()


def run_verdict(run: Run, compared: Comparison | None) -> list[VerdictWords]:
    """The sentences that open a report, dataset by dataset: how two systems compare, else what passes.

    `compared` is what `compared_systems` found; None for a run that is still going, whose tests would be wrong more
    often than they say if one looked again and again.
    """
    blocks = headline_table(run)
    measured = [block for block in blocks if any(_is_measured(line) for line in block.lines)]
    if not measured:
        return [VerdictWords("Nothing was measured", True), VerdictWords(f": {_why_nothing(run, blocks)}")]
    found = [] if compared is None else list(_comparison(compared))
    if found:
        return found
    for block in measured[:SHOWN_DATASETS]:
        found += [VerdictWords(" ")] if found else []
        found += _sentence(block, named=len(blocks) > 1)
    if len(measured) > SHOWN_DATASETS:
        found.append(VerdictWords(f" {count(len(measured) - SHOWN_DATASETS, 'more dataset')} below."))
    return found


def compared_systems(run: Run) -> Comparison | None:
    """The best system of a run with each of the others by their headlines; None where there is nothing to compare."""
    if len(run.made.systems) < 2:
        return None
    from ringtrue.reports.comparing.headline_comparison import compare_headlines

    return compare_headlines(run)


def _several(names: Sequence[str]) -> str:
    return (
        names[0] if len(names) == 1 else f"{', '.join(names[:2])}{f' and {len(names) - 2} more' if names[2:] else ''}"
    )


def _comparison(compared: Comparison) -> Iterator[VerdictWords]:
    """Whether the best system is better than the next one."""
    pairs = [pair for pair in compared.pairs if pair.headlines]
    if not pairs:
        return
    from ringtrue.reports.comparing.comparison_words import verdict_clauses

    for place, claim, amount in verdict_clauses(pairs[0], compared.tests):
        yield VerdictWords(f"{place}, " if place else "")
        yield VerdictWords(claim, True)
        yield VerdictWords(f": {amount}. ")


def _sentence(block: HeadlineBlock, *, named: bool) -> Iterator[VerdictWords]:
    where = f"On {block.title}, " if named else ""
    best, *rest = [line for line in block.lines if _is_measured(line)]
    share = best.share
    assert share is not None
    passed = "" if share.passed is None else f" {share.passed:,} of {count(share.n, 'case')}"
    yield VerdictWords(where)
    yield VerdictWords(f"{best.system} passes{passed}", True)
    yield VerdictWords(f", {share_words(share)}")
    if rest:
        others = ", ".join(f"{line.system} {share_words(line.share)}" for line in rest[:3] if line.share is not None)
        more = f" and {count(len(rest) - 3, 'more system')}" if len(rest) > 3 else ""
        yield VerdictWords(f"; {others}{more}")
    absent = ", ".join(absence_words(share.skipped, share.errors))
    yield VerdictWords(f"; {absent}." if absent and not rest else ".")


def share_words(share: Summary) -> str:
    """A share in per cent with its interval."""
    value = f"{number(share.value, 'share')} %"
    if share.interval is None:
        return value
    low, high = (number(end, "share") for end in share.interval)
    return f"{value} (95 % interval {low} to {high})"


def _is_measured(line: HeadlineLine) -> bool:
    return line.share is not None and line.share.value is not None


def _why_nothing(run: Run, blocks: Sequence[HeadlineBlock]) -> str:
    """Return how many rows were skipped or failed, and the reason of the first."""
    shares = [line.share for block in blocks for line in block.lines if line.share is not None]
    skipped, errors = sum(one.skipped for one in shares), sum(one.errors for one in shares)
    rows = count(len(run.rows), "row") if len(run.rows) else "no rows"
    amounts = ", ".join([rows, *absence_words(skipped, errors)])
    first = (run.facts.first_problem if run.facts else "") if errors else next(iter(run.first_skips.values()), "")
    return f"{amounts}. First reason: {one_line(first, SHOWN_REASON)}" if first else f"{amounts}."
