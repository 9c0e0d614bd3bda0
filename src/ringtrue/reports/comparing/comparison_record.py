"""A comparison as plain values, for `--json`."""

from __future__ import annotations

from collections.abc import Mapping

from ringtrue.records import Json
from ringtrue.reports.comparing.case_pairs import Side
from ringtrue.reports.comparing.comparison import Comparison, Flip, PartDifference, SystemPair
from ringtrue.reports.comparing.comparison_words import comparison_sentences


def comparison_record(found: Comparison) -> dict[str, Json]:
    """The comparison as a JSON object; differences of single cases are left out."""
    return {
        "margin": found.margin,
        "tests": found.tests,
        "further_tests": found.further_tests,
        "seed": found.seed,
        "sentences": list(comparison_sentences(found)),
        "pairs": [_pair(pair) for pair in found.pairs],
    }


def _pair(pair: SystemPair) -> dict[str, Json]:
    return {
        "before": _side(pair.before),
        "after": _side(pair.after),
        "verdict": pair.verdict,
        "whole": pair.whole,
        "cases": pair.cases,
        "only_before": pair.only_before,
        "only_after": pair.only_after,
        "changed": pair.changed,
        "refused": list(pair.refused),
        "cost": pair.cost,
        "seconds": pair.seconds,
        "both_passed": pair.both_passed,
        "both_failed": pair.both_failed,
        "parts": [_part(part) for part in pair.parts],
        "lost": [_flip(flip) for flip in pair.lost],
        "gained": [_flip(flip) for flip in pair.gained],
    }


def _side(side: Side) -> Mapping[str, Json]:
    return {"name": side.name, "system": side.system, "run": side.run.id or side.run.made.name}


def _part(part: PartDifference) -> dict[str, Json]:
    found = part.difference
    numbers = {} if found is None else {
        "difference": found.value,
        "interval": found.interval,
        "t_interval": found.t_interval,
        "agrees": found.agrees,
        "before": found.before,
        "after": found.after,
        "n": found.n,
        "sources": found.sources,
        "rose": found.rose,
        "fell": found.fell,
        "p": found.p,
        "test": found.test,
        "method": found.method,
    }  # fmt: skip
    return {
        "dataset": part.dataset,
        "key": part.key,
        "headline": part.is_headline,
        "unit": part.unit,
        "threshold": part.threshold,
        "verdict": part.verdict,
        "p_corrected": part.p,
        "within_margin": part.within_margin,
        "cases_missing": part.cases_missing,
        "errors": part.errors,
        "skipped": part.skipped,
        **numbers,
    }


def _flip(flip: Flip) -> dict[str, Json]:
    return {
        "id": flip.case.id,
        "dataset": flip.dataset,
        "input": flip.case.input,
        "expected": flip.case.expected,
        "before": flip.before.trial.output.text,
        "after": flip.after.trial.output.text,
    }
