"""Gates: what a command's exit code says about its numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ringtrue.cli import GATE_FAILED, NOTHING_MEASURED, OK, UNDECIDED
from ringtrue.cli.shared.command import say
from ringtrue.errors import ConfigurationError
from ringtrue.records import Run, Summary, Unit
from ringtrue.reports.caveats import stop_words
from ringtrue.reports.number import at_threshold, count, number, with_limit
from ringtrue.stats.row_status import PASS_RATE
from ringtrue.stats.summarise import part_keys

AGREEMENT = "agreement"


def floors(given: tuple[str, ...], known: Iterable[str] = (), unnamed: str = PASS_RATE) -> dict[str, float]:
    """Read `--fail-under [PART=]NUMBER`; without a part it limits the share of cases that pass."""
    found: dict[str, float] = {}
    for text in given:
        part, _, amount = text.rpartition("=")
        part = part or unnamed
        if part in found:
            words = f"--fail-under {text!r}: {part!r} has a floor already; give one"
            raise ConfigurationError(words, parameter="fail-under", value=text)
        try:
            found[part] = float(amount)
        except ValueError:
            found[part] = -1.0
        if not 0 <= found[part] <= 1:
            words = f"--fail-under {text!r}: write a number from 0 to 1, such as 0.8, or PART=NUMBER"
            raise ConfigurationError(words, parameter="fail-under", value=text)
    require_parts(found, known)
    return found


def require_parts(wanted: Iterable[str], known: Iterable[str]) -> None:
    """Raise a ConfigurationError if a floor names a part that no evaluator gives."""
    there = list(dict.fromkeys([*known]))
    for part in wanted:
        if there and part != PASS_RATE and part not in there:
            words = f"--fail-under: no part {part!r}; there are {', '.join(there)}"
            raise ConfigurationError(words, parameter="fail-under", value=part)


def exit_code(run: Run, wanted: Mapping[str, float], max_errors: int | None, *, shown: bool = False) -> int:
    """Return the exit code of a run and print the reason; a run that was `shown` has said why it stopped.

    3 if nothing was measured, also by one evaluator alone, or errors exceed the budget; 1 if a gate, or in a suite a
    case, failed; 2 if errors leave that open; else 0.
    """
    shares = [(dataset, one) for dataset, one in summaries_of(run, PASS_RATE)]
    errors = run.problems + sum(_errors(found) for systems in run.summaries.values() for found in systems.values())
    if run.stopped_by and not shown:
        say(f"stopped: {stop_words(run)}")
    if not any(_has_measured(found) for systems in run.summaries.values() for found in systems.values()):
        cause = "" if run.stopped_by or (shown and errors) else _first_cause(run)  # what is shown names errors
        amount = f"{count(len(run.rows), 'row')}, {count(errors, 'error')}" if len(run.rows) or errors else "no rows"
        say(f"nothing was measured: {amount}{cause}")
        return NOTHING_MEASURED
    if run.stopped_by:
        return NOTHING_MEASURED
    if max_errors is not None and errors > max_errors:
        say(f"{count(errors, 'error')}; the budget is {max_errors:,} (--max-errors)")
        return NOTHING_MEASURED
    if run.made.job == "suite" and not wanted:
        return _suite_code(shares)
    code = _gate(run, wanted)
    if not code and (failed := _failed_evaluators(run)):
        say(f"nothing was measured by {', '.join(failed)}: every row is an error")
        return NOTHING_MEASURED
    return code


def summaries_of(run: Run, part: str) -> Iterator[tuple[str, Summary]]:
    """The summaries of a part, each with the dataset and system it is about."""
    several = len(run.summaries) > 1 or any(len(systems) > 1 for systems in run.summaries.values())
    for dataset, systems in run.summaries.items():
        for system, found in systems.items():
            if part in found:
                yield f" of {system} on {dataset}" if several else "", found[part]


def _suite_code(shares: list[tuple[str, Summary]]) -> int:
    if any(one.failed for _, one in shares):
        return GATE_FAILED
    open_cases = sum(one.errors + one.skipped for _, one in shares)
    if open_cases:
        say(f"undecided: {count(open_cases, 'case')} ended without a verdict")
        return UNDECIDED
    return OK


def _gate(run: Run, wanted: Mapping[str, float]) -> int:
    found = [(part, where, one) for part in wanted for where, one in summaries_of(run, part)]
    blocks = [own for systems in run.summaries.values() for own in systems.values()]
    require_parts(wanted, (key for own in blocks for key, one in own.items() if one.unit in ("share", "score")))
    return gate_code(found, wanted, unread=run.problems)


def gate_code(found: Iterable[tuple[str, str, Summary]], wanted: Mapping[str, float], unread: int = 0) -> int:
    """The exit code of gates on parts, each with where it was measured: failed if one fails, else undecided or fine.

    `unread` rows could not be read; each could have been right or wrong, as an error could.
    """
    code = OK
    for part, where, summary in found:
        limit = at_threshold(summary) if part == PASS_RATE else ""
        verdict, words = _verdict(f"{part}{limit}{where}", summary, wanted[part], unread)
        if words:
            say(words)
        code = GATE_FAILED if GATE_FAILED in (code, verdict) else max(code, verdict)
    return code


def _verdict(what: str, one: Summary, floor: float, unread: int) -> tuple[int, str]:
    unit: Unit = "share" if one.unit == "share" else "score"
    asked = f"the floor is {number(floor, unit, marked=True)}"
    if one.value is None and one.errors:
        return (
            UNDECIDED,
            f"undecided: {what} was measured on no row, and {count(one.errors, 'row')} ended in errors; {asked}",
        )
    if one.value is None:
        return GATE_FAILED, f"gate failed: {what} was measured on no row; {asked}"
    bounds = _bounds(one, unread)
    if bounds[0] < floor <= bounds[1]:
        low, high = (number(end, unit, marked=True) for end in bounds)
        amounts = [*_some(one.errors, "error"), *_some(unread, "unreadable row")]
        words = f"undecided: {what} lies between {low} and {high}, depending on {' and '.join(amounts)}"
        return UNDECIDED, f"{words}; {asked}"
    if one.value < floor:
        shown, least = with_limit(one.value, floor, unit)
        return GATE_FAILED, f"gate failed: {what} is {shown} over {count(one.n, 'row')}; the floor is {least}"
    return OK, ""


def _bounds(one: Summary, unread: int) -> tuple[float, float]:
    """The value if everything that could not be measured were a 0, and if all of it were a 1."""
    value, missing = one.value or 0.0, one.errors + unread
    if one.bounds is None or not missing:
        return value, value
    measured = value * one.n
    return measured / (one.n + missing), (measured + missing) / (one.n + missing)


def _some(amount: int, noun: str) -> list[str]:
    return [count(amount, noun)] if amount else []


def _has_measured(found: Mapping[str, Summary]) -> bool:
    return any(one.n and one.unit in ("share", "score") for one in found.values())


def _failed_evaluators(run: Run) -> list[str]:
    """The evaluators that measured no row and failed on some: a judge that cannot be reached."""
    names = part_keys(run.made.evaluators)
    blocks = [found for systems in run.summaries.values() for found in systems.values()]
    sums = {
        name: [found[key] for found in blocks for key in own.values() if key in found] for name, own in names.items()
    }
    return [name for name, own in sums.items() if any(one.errors for one in own) and not any(one.n for one in own)]


def _errors(found: Mapping[str, Summary]) -> int:
    return max((one.errors for one in found.values() if one.unit in ("share", "score")), default=0)


def _first_cause(run: Run) -> str:
    for row in run.rows.page(order="worst", limit=1):
        output = row.trial.output
        broken = next((score.reason for score in row.scores.values() if score.status != "scored"), "")
        return f"; the first: {output.problem or broken}" if output.problem or broken else ""
    return ""
