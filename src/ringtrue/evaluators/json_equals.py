"""`JSONEquals`: the output is the expected JSON."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from ringtrue.evaluators.text_check import TextCheck
from ringtrue.jsontext_reader import read_json
from ringtrue.records import Score
from ringtrue.require import require_that
from ringtrue.scoring.json_values.equality import same_json
from ringtrue.scoring.programs.fences import unfenced_text


@dataclass(frozen=True)
class JSONEquals(TextCheck):
    """Passes if the output is JSON equal to an expected output: 1 equals 1.0, `true` is not 1, keys have no order.

    `fences` allows a Markdown code fence around the output; `ignore_keys` are left out of the comparison everywhere.
    """

    default_name = "json_equals"
    parts = ("json_equals",)
    needs = "one or more expected outputs that are JSON"
    formula = "1 if the output and an expected output are the same JSON value, else 0"

    threshold: float = 1.0
    fences: bool = field(default=False, kw_only=True)
    ignore_keys: list[str] | tuple[str, ...] = field(default=(), kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        given = self.ignore_keys
        listed = isinstance(given, (list, tuple)) and all(isinstance(key, str) for key in given)
        require_that(listed, "ignore_keys", given, "a list of texts")
        object.__setattr__(self, "ignore_keys", tuple(given))

    @cached_property
    def _ignored_keys(self) -> frozenset[str]:
        return frozenset(self.ignore_keys)

    @cached_property
    def _nothing(self) -> Score:
        return Score.skipped("there is no expected output to compare with")

    @cached_property
    def _differs(self) -> Score:
        return self.verdict(0.0, "the output is JSON, but not the expected one")

    def grade_text(self, text: str, expected: tuple[str, ...] | None) -> Score:
        """Full marks if any expected answer is met; skipped where none of them is JSON."""
        if expected is None:
            return self._nothing
        readings = [read_json(answer) for answer in expected]
        wanted = [reading.value for reading in readings if not reading.problem]
        if not wanted:
            return Score.skipped(f"the expected output is {readings[0].problem}")
        reading = read_json(unfenced_text(text) if self.fences else text)
        if reading.problem:
            return self.fail(f"the output is {reading.problem}")
        if not any(same_json(reading.value, value, self._ignored_keys) for value in wanted):
            return self._differs
        if reading.duplicates:
            return self.verdict(1.0, "keys are repeated", duplicate_keys=reading.duplicates)
        return self.full_marks
