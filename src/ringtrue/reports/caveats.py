"""Problems of a run: errors, missing numbers, and scores that deserve less trust than others, with reasons."""

from __future__ import annotations

from ringtrue.records import Run, RunFacts
from ringtrue.reports.number import count
from ringtrue.safetext import one_line

SHOWN_CHARS = 400
SHOWN_CAUSES = 3


def warning_lines(run: Run) -> list[str]:
    """Everything that a reader should know before the numbers: errors, caveats, and why the run stopped early."""
    stopped = stop_words(run)
    errors = [] if run.facts is None else error_lines(run, run.facts)
    return [*errors, *caveat_lines(run), *([f"stopped early: {stopped}"] if stopped else [])]


def error_lines(run: Run, facts: RunFacts) -> list[str]:
    """Return one line per cause of errors, in the words of what failed; the most frequent first."""
    found = []
    if facts.unanswered:
        first = one_line(facts.first_problem, SHOWN_CHARS)
        said = bool(run.stopped_by) and run.stopped_by.startswith(facts.first_problem)
        found.append(f"{count(facts.unanswered, 'answer')} missing" + ("" if said else f", first: {first}"))
    return [*found, *(one_line(str(cause), SHOWN_CHARS) for cause in facts.causes[:SHOWN_CAUSES])]


def stop_words(run: Run) -> str:
    """Return why a run stopped early, and how many answers it never asked for; empty if it is whole, or was decided."""
    if not run.unasked_count:
        return run.stopped_by
    from ringtrue.runner.early_stop import OPTION  # with it come the confidence sequences

    if run.made.options.get(OPTION) and not run.stopped_by:
        return ""  # its decision says how many calls it saved
    unasked = f"{run.unasked_count:,} of {count(run.made.trials, 'answer')} not asked"
    return "; ".join(filter(None, (run.stopped_by, unasked)))


def caveat_lines(run: Run) -> list[str]:
    """A line for each caveat: how many scores have it, which they are, and what it says."""
    amounts: dict[tuple[str, str], tuple[int, int]] = {}
    for systems in run.summaries.values():
        for summaries in systems.values():
            for key, summary in summaries.items():
                for caveat, times in summary.caveats.items():
                    before = amounts.get((caveat, key), (0, 0))
                    amounts[caveat, key] = before[0] + times, before[1] + summary.n
    keys: dict[tuple[str, int, int], list[str]] = {}  # the parts of one evaluator share a line
    for (caveat, key), (times, n) in amounts.items():
        keys.setdefault((caveat, times, n), []).append(key)
    return [f"{times:,} of {n:,} {', '.join(found)}: {caveat}" for (caveat, times, n), found in keys.items()]
