"""What a test script says: a score of 0 to 100 and what it thought, or why there is none."""

from __future__ import annotations

from typing import Any, NamedTuple

from ringtrue.scoring.json_values.strict_json import read_json

MAX_BYTES = 16 << 20


class Verdict(NamedTuple):
    """A score with its rubric, or the problem that leaves a trial without one."""

    score: float | None
    rubric: dict[str, Any]
    problem: str = ""


def read_verdict(written: bytes | None) -> Verdict:
    """The result in a file that a test wrote; whatever is in it, nothing is raised and nothing invented."""
    if written is None:
        return _none("the test wrote no result")
    if len(written) > MAX_BYTES:
        return _none(f"the test's result has {len(written):,} bytes; at most {MAX_BYTES:,} are read")
    reading = read_json(written.decode("utf-8", "replace"))
    if reading.problem:
        return _none(f"the test's result cannot be read: it is {reading.problem}")
    if not isinstance(reading.value, dict):
        return _none("the test's result is no JSON object")
    score, rubric = reading.value.get("score"), reading.value.get("metadata")
    if isinstance(score, bool) or not isinstance(score, int | float) or not 0 <= score <= 100:
        return _none(f"the test's score must be a number from 0 to 100; it is {str(score)[:100]!r}")
    return Verdict(float(score), rubric if isinstance(rubric, dict) else {})


def _none(problem: str) -> Verdict:
    return Verdict(None, {}, problem)
