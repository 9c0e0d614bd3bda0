"""Which system of a run is best, in the sentences that every report of the run shows without being asked."""

from __future__ import annotations

from ringtrue.records import Run
from ringtrue.reports.comparing.compare_runs import compare_systems
from ringtrue.reports.comparing.comparison_words import comparison_sentences
from ringtrue.reports.comparing.decision_words import decision_sentences
from ringtrue.runner.early_stop import OPTION

MOST_ROWS = 200_000
"""A run of more rows is compared when that is asked for."""


def system_sentences(run: Run) -> list[str]:
    """The best system against each of the others; what was decided, of a run that could stop early."""
    if run.made.options.get(OPTION):
        return list(decision_sentences(run))
    if len(run.made.systems) < 2 or len(run.rows) > MOST_ROWS:
        return []
    return list(comparison_sentences(compare_systems(run, headline_only=True)))
