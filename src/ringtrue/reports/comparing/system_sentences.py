"""The best system of a run, in the sentences that every report of the run shows without being asked."""

from __future__ import annotations

from collections.abc import Iterator

from ringtrue.records import Run
from ringtrue.reports.comparing.comparison_words import comparison_sentences
from ringtrue.reports.comparing.headline_comparison import compare_headlines
from ringtrue.reports.number import count, number
from ringtrue.runner.early_stop import MARGIN, OPTION, Decision, decisions_of


def system_sentences(run: Run) -> list[str]:
    """The best system against each of the others; what was decided, of a run that could stop early."""
    if run.made.options.get(OPTION):
        return list(decision_sentences(run))
    if len(run.made.systems) < 2:
        return []
    return list(comparison_sentences(compare_headlines(run)))


def decision_sentences(run: Run) -> Iterator[str]:
    """Each decision with its interval, which holds whenever a run stops; then how many calls were saved."""
    found = decisions_of(run.made, run.rows)
    if not found:
        return
    several = len({one.dataset for one in found}) > 1
    for one in found:
        yield f"{f'On {one.dataset}: ' if several else ''}{_claim(one)}: {_numbers(one)}"
    asked, seed = len(run.rows), run.made.options.get("seed")
    planned = run.made.trials or asked
    if asked < planned and all(one.answer != "open" for one in found):
        saved = count(planned - asked, "call")
        yield f"decided after {asked:,} of {planned:,} answers, asked in random order (seed {seed}): {saved} saved"
    elif asked >= planned:
        yield f"all {planned:,} answers were needed, asked in random order (seed {seed})"


def _claim(one: Decision) -> str:
    if one.floor is not None:
        floor = number(one.floor, one.unit, marked=True)
        what = f"{one.score} of {one.system}"
        claims = {"yes": f"{what} is at least {floor}", "no": f"{what} is below {floor}"}
        return claims.get(one.answer, f"cannot tell whether {what} is at least {floor}")
    claims = {
        "yes": f"{one.system} is better than {one.other}",
        "no": f"{one.system} is worse than {one.other}",
        "equivalent": f"{one.system} and {one.other} are equivalent within {number(MARGIN, 'share')} points",
    }
    return claims.get(one.answer, f"cannot tell whether {one.system} is better than {one.other}")


def _numbers(one: Decision) -> str:
    low, high = (number(end, one.unit) for end in one.interval)
    signed = one.floor is None
    value = number(one.value, one.unit, signed=signed) + (" points" if signed else " %" if one.unit == "share" else "")
    return f"{value} (95 % interval {low} to {high}, whenever one looks) over {count(one.n, 'case')}"
