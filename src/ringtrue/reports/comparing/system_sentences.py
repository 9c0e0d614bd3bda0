"""Which system of a run is best, in the sentences that every report of the run shows without being asked."""

from __future__ import annotations

from ringtrue.records import Run
from ringtrue.reports.comparing.compare_runs import compare_systems
from ringtrue.reports.comparing.comparison_words import comparison_sentences
from ringtrue.reports.comparing.decision_words import decision_sentences
from ringtrue.reports.verdict import MOST_COMPARED
from ringtrue.runner.early_stop import OPTION


def system_sentences(run: Run) -> list[str]:
    """The best system against each of the others; what was decided, of a run that could stop early."""
    if run.made.options.get(OPTION):
        return list(decision_sentences(run))
    if len(run.made.systems) < 2:
        return []
    if len(run.rows) > MOST_COMPARED:
        return [f"Which system is better: ringtrue compare {run.id}"] if run.id else []
    return list(comparison_sentences(compare_systems(run, headline_only=True)))
