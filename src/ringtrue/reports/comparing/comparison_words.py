"""The result of a comparison in sentences: the same words on every surface."""

from __future__ import annotations

from collections.abc import Iterator

from ringtrue.records import Unit
from ringtrue.reports.comparing.comparison import Comparison, PartDifference, SystemPair
from ringtrue.reports.number import NOTHING, count, number
from ringtrue.runner.early_stop import OPTION

MOST_CASES = 100_000


def comparison_sentences(found: Comparison) -> Iterator[str]:
    """One sentence for each pair of systems and dataset: who is better, by how much, how sure."""
    apart = [pair for pair in found.pairs if not pair.cases and not pair.refused]
    for pair in found.pairs:
        if pair.cases or pair.refused:
            yield from verdict_sentences(pair, found.tests)
    for name in dict.fromkeys(pair.after.name for pair in apart):
        others = ", ".join(pair.before.name for pair in apart if pair.after.name == name)
        yield nothing_in_common(name, others)


def nothing_in_common(name: str, others: str) -> str:
    """Say that systems did not answer the same cases."""
    return f"{name} and {others} have no case in common (by id and content), so they are not compared"


def verdict_sentences(pair: SystemPair, tests: int = 1) -> Iterator[str]:
    """Yield a sentence on two systems for the headline of each dataset."""
    for place, claim, amount in verdict_clauses(pair, tests):
        yield f"{f'{place}: ' if place else ''}{claim}{f': {amount}' if amount else ''}"


def verdict_clauses(pair: SystemPair, tests: int = 1) -> Iterator[tuple[str, str, str]]:
    """Yield the dataset (empty if there is only one), the claim, and by how much."""
    several = len(pair.headlines) > 1
    for part in pair.headlines:
        flips = f", {part.gained:,} gained, {part.lost:,} lost" if part.difference else ""
        amount = f"{difference_words(part)}{flips}{_further(part, tests)}"
        yield f"On {part.dataset}" if several else "", _claim(pair, part, placed=several), amount
    if not pair.cases and not pair.refused:
        yield "", nothing_in_common(pair.after.name, pair.before.name), ""
    elif not pair.headlines:
        claim = f"{pair.after.name} and {pair.before.name} cannot be compared"
        yield "", claim if pair.refused else f"{claim} by what passes", "; ".join(pair.refused)


def _claim(pair: SystemPair, part: PartDifference, *, placed: bool) -> str:
    """Name the better system; the claim begins a sentence unless a place does. A system's name keeps its case."""
    after, before = pair.after.name, pair.before.name
    if part.verdict in ("better", "worse"):
        return f"{after} is {part.verdict} than {before}"
    if part.verdict == "equivalent":
        return f"{after} and {before} are equivalent within {points(part.margin, part.unit)}"
    return f"{'cannot tell' if placed else 'Cannot tell'} whether {after} is better than {before}"


def difference_words(part: PartDifference) -> str:
    """The difference with its interval."""
    found = part.difference
    if found is None:
        return "no case has a number from both"
    shown = points(found.value, part.unit, signed=True)
    if found.interval is None:
        return f"{shown} (no interval)"
    holds_zero = found.interval[0] < 0 < found.interval[1]
    low, high = (number(end, part.unit, signed=holds_zero) for end in found.interval)
    return f"{shown} (95 % interval {low} to {high})"


def points(value: float, unit: Unit, *, signed: bool = False) -> str:
    """A difference: of shares in points."""
    return number(value, unit, signed=signed) + (" points" if unit == "share" else "")


def p_words(p: float | None) -> str:
    """A p-value in as many decimals as it needs."""
    if p is None:
        return NOTHING
    return "<0.0001" if p < 0.0001 else f"{p:.4f}" if p < 0.01 else f"{p:.2f}"


def _further(part: PartDifference, tests: int) -> str:
    """Return what prevents a verdict, and how many cases would settle it."""
    found = part.difference
    if found is None:
        return ""
    if part.turns:
        return f"; {count(sum(part.errors), 'error')} could turn that"
    if part.verdict in ("better", "worse"):
        return f"; less than the margin of {points(part.margin, part.unit)}" if part.within_margin else ""
    words = ""
    if found.side and part.p is not None:
        corrected = f", and {p_words(part.p)} corrected for {tests:,} comparisons" if tests > 1 else ""
        words = f"; p {p_words(found.p)}{corrected}"
    missing = part.cases_missing
    if missing is None:
        return words
    shown = f"more than {MOST_CASES:,}" if missing > MOST_CASES else f"about {_round_up(missing):,}"
    return f"{words}; {shown} more {'case' if missing == 1 else 'cases'} would settle it"


def _round_up(amount: int) -> int:
    """Two digits: more would claim to know what is guessed."""
    scale = int(10 ** max(0, len(str(amount)) - 2))
    return -(-amount // scale) * scale


def correction_words(found: Comparison) -> str:
    """For how many looks the p-values are corrected, and what is not corrected; empty where there is one number."""
    headlines = count(found.tests, "headline comparison")
    if max(found.tests, found.further_tests) < 2:  # one of a kind: nothing is corrected
        return ""
    further = f", apart from them {count(found.further_tests, 'further number')}" if found.further_tests else ""
    whose = " of the run's systems" if found.looks > len(found.pairs) else ""
    how = f"Holm, times the {found.looks:,} pairs{whose}" if found.looks > 1 else "Holm"
    return f"p-values are corrected ({how}) for {headlines}{further}; each interval is that of its number alone"


def cost_words(pair: SystemPair) -> str:
    """Cost and time of the second system compared with the first; empty if unknown."""
    parts = []
    (cheap, dear), (fast, slow) = pair.cost, pair.seconds
    if cheap and dear:
        ratio = dear / cheap
        parts.append("costs as much" if 0.95 < ratio < 1.05 else f"costs {number(ratio, 'ratio')} times as much")
    if fast is not None and slow is not None and abs(slow - fast) >= 0.05:
        parts.append(f"takes {abs(slow - fast):.1f} s {'longer' if slow > fast else 'less'}")
    return f"{pair.after.name} {' and '.join(parts)}." if parts else ""


def left_out_words(pair: SystemPair) -> list[str]:
    """Name the cases that are in no pair or have no verdict, and what was refused."""
    lines = [f"not comparable: {why}" for why in pair.refused if pair.headlines]  # else the sentence says it
    alone = [
        f"{amount:,} in {side} alone" for side, amount in (("A", pair.only_before), ("B", pair.only_after)) if amount
    ]
    if alone:
        lines.append(f"cases that are not paired: {', '.join(alone)}")
    for part in pair.headlines:
        absent = [
            f"{count(amount, word)} in {side}"
            for word, amounts in (("error", part.errors), ("skipped case", part.skipped))
            for side, amount in zip("AB", amounts, strict=True)
            if amount
        ]
        if absent:
            place = f"{part.dataset}: " if len(pair.headlines) > 1 else ""
            lines.append(f"{place}without a verdict: {', '.join(absent)}")
    if any(side.run.made.options.get(OPTION) for side in (pair.before, pair.after)):
        lines.append("a run stopped when it was decided: these intervals hold for a number of cases chosen beforehand")
    lines += [disagreement(part) for part in pair.parts if part.difference and not part.difference.agrees]
    return lines


def disagreement(part: PartDifference) -> str:
    """That the bootstrap and Student's interval do not agree."""
    found = part.difference
    if found is None or found.interval is None or found.t_interval is None:
        return ""
    ends = [
        " to ".join(number(end, part.unit, signed=True) for end in own) for own in (found.interval, found.t_interval)
    ]
    return f"{part.key}: the bootstrap and Student's t disagree ({ends[0]}; {ends[1]}): trust neither closely"


def how_words(pair: SystemPair) -> list[str]:
    """Return how the numbers were made: what passes, which test, which interval."""
    lines: dict[str, list[str]] = {}
    for part in pair.parts:
        found = part.difference
        if found is not None:
            over = f" over {count(found.sources, 'source')}" if found.sources < found.n else ""
            lines.setdefault(f"{found.test}; {found.method}{over}", []).append(part.key)
    return [f"{', '.join(dict.fromkeys(keys))}: {how}" for how, keys in lines.items()]
