"""`check_rules`: what a run shows of every rule; a pure function from runs and rules to findings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from ringtrue.errors import ConfigurationError
from ringtrue.records import Row, Run, Summary, Unit
from ringtrue.reports.comparing.case_pairs import Side
from ringtrue.reports.comparing.compare_runs import compare_sides
from ringtrue.reports.comparing.comparison import PartDifference
from ringtrue.reports.comparing.comparison_words import difference_words, points
from ringtrue.reports.cost import run_cost
from ringtrue.reports.gating.rules import GateRule
from ringtrue.reports.number import at_threshold, count, number, with_interval, with_limit
from ringtrue.runner.run_from_rows import run_of
from ringtrue.stats.intervals import wilson
from ringtrue.stats.row_status import PASS_RATE

Outcome: TypeAlias = Literal["passed", "failed", "undecided", "nothing measured"]


@dataclass(frozen=True, slots=True)
class RuleFinding:
    """The finding of one rule in one place: how it ended, and the numbers behind it."""

    rule: GateRule
    where: str
    outcome: Outcome
    words: str

    @property
    def title(self) -> str:
        """The rule and its place."""
        return f"{self.rule.name or rule_words(self.rule)}{f' ({self.where})' if self.where else ''}"


def rule_words(rule: GateRule) -> str:
    """Return a rule in words."""
    limit, share = rule.limit, number(rule.limit, "share", marked=True)
    is_rate = rule.score == PASS_RATE  # the limit of another score is written as its rule has it
    words = {
        "at_least": f"{rule.score} at least {share if is_rate else f'{limit:g}'}",
        "no_worse_by": f"{rule.score} no worse by {points(limit, 'share') if is_rate else f'{limit:g}'}",
        "max_error_rate": f"errors at most {share}",
        "max_cost": f"cost at most ${limit:,g}",
        "max_cost_per_answer": f"cost of an answer at most ${limit:,g}",
        "max_latency_median": f"median time at most {limit:g} s",
        "max_latency_p95": f"95th percentile of time at most {limit:g} s",
    }
    return words[rule.kind]


def require_baseline(rules: Sequence[GateRule], baseline: object) -> None:
    """Raise a ConfigurationError if a rule compares with a baseline and there is none."""
    if baseline is None and any(rule.kind == "no_worse_by" for rule in rules):
        words = "a rule says no_worse_by: name the run to compare with, --baseline RUN"
        raise ConfigurationError(words, parameter="baseline")


def check_rules(rules: Sequence[GateRule], run: Run, baseline: Run | None = None) -> list[RuleFinding]:
    """The findings of all rules; each is about one dataset and one system, none is pooled."""
    require_baseline(rules, baseline)
    return [finding for rule in rules for finding in _check(rule, run, baseline)]


def _check(rule: GateRule, run: Run, baseline: Run | None) -> Iterator[RuleFinding]:
    part = _slice(run, rule)
    if not len(part.rows):
        yield RuleFinding(rule, _slice_words(rule), "nothing measured", "no row is in this slice")
        return
    if rule.kind in ("max_cost", "max_cost_per_answer"):
        yield _cost(rule, part)
        return
    several = len(part.summaries) > 1 or any(len(own) > 1 for own in part.summaries.values())
    for dataset, systems in part.summaries.items():
        for system, found in systems.items():
            tagged = [f"tag {rule.tag}"] if rule.tag else []
            where = ", ".join([f"{system} on {dataset}", *tagged]) if several else _slice_words(rule)
            if rule.kind == "no_worse_by" and baseline is not None:
                outcome, words = _against(rule, part, _slice(baseline, rule), dataset, system)
            else:
                outcome, words = _SIMPLE[rule.kind](rule, found)
            yield RuleFinding(rule, where, outcome, words)


def _slice_words(rule: GateRule) -> str:
    names = [name for name in ("dataset", "system", "tag") if getattr(rule, name)]
    return ", ".join(f"{name} {getattr(rule, name)}" for name in names)


def _slice(run: Run, rule: GateRule) -> Run:
    """The part of a run that a rule is about."""
    if rule.dataset is None and rule.system is None and rule.tag is None:
        return run

    def belongs(row: Row) -> bool:
        return (
            rule.dataset in (None, row.dataset)
            and rule.system in (None, row.system)
            and (rule.tag is None or rule.tag in row.trial.case.tags)
        )

    return replace(run_of(run.made, [row for row in run.rows if belongs(row)]), id=run.id)


def _at_least(rule: GateRule, found: Mapping[str, Summary]) -> tuple[Outcome, str]:
    one = found.get(rule.score)
    if one is None:
        return "nothing measured", f"there is no {rule.score}; there are {', '.join(found)}"
    if one.value is None or one.interval is None:
        return _absent(one)
    unit: Unit = "share" if one.unit == "share" else "score"
    limit = at_threshold(one) if rule.score == PASS_RATE else ""
    shown = f"{with_interval(one)}{limit} over {count(one.n, 'row')}"
    if one.interval[0] >= rule.limit:
        if one.errors and _lowest(one) < rule.limit:
            return "undecided", f"{shown}; {count(one.errors, 'error')} could turn that"
        return "passed", shown
    low, least = with_limit(one.interval[0], rule.limit, unit)
    words = f"{shown}: its lower end, {low}, is below {least}"
    if one.errors and _highest(one) >= rule.limit:
        return "undecided", f"{words}; {count(one.errors, 'error')} could turn that"
    return "failed", words


def _absent(one: Summary) -> tuple[Outcome, str]:
    words = f"no number: {count(one.errors, 'error')}, {one.skipped:,} skipped"
    return ("undecided" if one.errors and one.n else "nothing measured"), words


def _lowest(one: Summary) -> float:
    """The lower end if every error were a 0; Wilson's, which needs no spread."""
    whole = one.n + one.errors
    return wilson((one.value or 0.0) * one.n, whole)[0]


def _highest(one: Summary) -> float:
    whole = one.n + one.errors
    return wilson((one.value or 0.0) * one.n + one.errors, whole)[0]


def _error_rate(rule: GateRule, found: Mapping[str, Summary]) -> tuple[Outcome, str]:
    one = found.get(PASS_RATE)
    whole = one.n + one.errors + one.skipped if one is not None else 0
    if one is None or not whole:
        return "nothing measured", "no row was measured"
    words = f"{one.errors:,} of {count(whole, 'row')} ended in errors"
    return _within(rule, one.errors / whole, words)


def _latency(rule: GateRule, found: Mapping[str, Summary]) -> tuple[Outcome, str]:
    one = found.get(rule.kind.removeprefix("max_"))
    if one is None or one.value is None:
        return "undecided", "no answer has a latency: reused ones and errors have none"
    words = f"{number(one.value, 'seconds', marked=True)} over {count(one.n, 'answer')}"
    return _within(rule, one.value, words)


def _within(rule: GateRule, value: float, words: str) -> tuple[Outcome, str]:
    """Return how a budget ended; one that is exceeded names its limit, unless its title does."""
    if value <= rule.limit:
        return "passed", words
    return "failed", f"{words}; allowed: {rule_words(rule)}" if rule.name else words


_SIMPLE = {
    "at_least": _at_least,
    "max_error_rate": _error_rate,
    "max_latency_median": _latency,
    "max_latency_p95": _latency,
}


def _cost(rule: GateRule, run: Run) -> RuleFinding:
    total = run_cost(run)["total"]
    where = _slice_words(rule)
    if total is None:
        words = "the price of a model is not known; add it to a price table and name that in RINGTRUE_PRICES"
        return RuleFinding(rule, where, "undecided", words)
    spent = total / len(run.rows) if rule.kind == "max_cost_per_answer" else total
    words = f"{number(spent, 'dollars', marked=True)}" + (
        f" for each of {count(len(run.rows), 'answer')}" if rule.kind == "max_cost_per_answer" else " in all"
    )
    return RuleFinding(rule, where, *_within(rule, spent, words))


def _against(rule: GateRule, run: Run, baseline: Run, dataset: str, system: str) -> tuple[Outcome, str]:
    known = [one.name for one in baseline.made.systems] or list(dict.fromkeys(row.system for row in baseline.rows))
    earlier = system if system in known else known[0] if len(known) == 1 else None
    if earlier is None:
        return "undecided", f"the baseline has no system {system!r}; it has {', '.join(known)}"
    sides = [Side(baseline, earlier, "the baseline"), Side(run, system, system)]
    (pair,) = compare_sides(sides, margin=rule.limit, headline_only=rule.score == PASS_RATE).pairs
    parts = [part for part in pair.parts if part.dataset == dataset and _is_about(part, rule.score)]
    if not parts:
        return "undecided", "; ".join(pair.refused) or f"{rule.score} was not measured in both runs"
    return _no_worse(parts[0], rule.limit)


def _is_about(part: PartDifference, score: str) -> bool:
    return part.is_headline if score == PASS_RATE else part.key == score


def _no_worse(part: PartDifference, margin: float) -> tuple[Outcome, str]:
    found = part.difference
    if found is None or found.interval is None:
        return "undecided", difference_words(part)
    words = f"{difference_words(part)} over {count(found.n, 'case')}"
    low = min(found.interval[0], found.t_interval[0] if found.t_interval else found.interval[0])
    errors = sum(part.errors)
    if low > -margin:
        # an error costs at most one case: were all of them lost, the difference would be that much lower
        lowest = (low * found.n - errors) / (found.n + errors)
        if lowest > -margin:
            return "passed", words
        return "undecided", f"{words}; {count(errors, 'error')} could turn that"
    return "failed", f"{words}: its lower end is below {points(-margin, part.unit)}"
