"""What a run lacks, and which of its scores deserve less trust than others of their kind, and why."""

from __future__ import annotations

from ringtrue.records import Run
from ringtrue.reports.number import count


def stop_words(run: Run) -> str:
    """Why a run stopped early, and how many answers it never asked for; empty if it is whole, or was decided."""
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
