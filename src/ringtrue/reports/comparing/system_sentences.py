"""The best system of a run, in the sentences that every report of the run shows without being asked."""

from __future__ import annotations

from ringtrue.records import Run
from ringtrue.reports.comparing.comparison_words import comparison_sentences
from ringtrue.reports.comparing.decision_words import decision_sentences
from ringtrue.reports.comparing.headline_comparison import compare_headlines
from ringtrue.runner.early_stop import OPTION


def system_sentences(run: Run) -> list[str]:
    """The best system against each of the others; what was decided, of a run that could stop early."""
    if run.made.options.get(OPTION):
        return list(decision_sentences(run))
    if len(run.made.systems) < 2:
        return []
    return list(comparison_sentences(compare_headlines(run)))
