"""`NamedParts`: what every built-in evaluator has: a name, the keys of its parts, and a verdict at its threshold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ringtrue.identity import NamedByClass
from ringtrue.records import Json, Score


class NamedParts(NamedByClass):
    """An evaluator with a name, parts, and a threshold."""

    name: str
    default_name: ClassVar[str]
    parts: ClassVar[tuple[str, ...]]
    threshold: float

    @property
    def keys(self) -> tuple[str, ...]:
        """The names of the parts in a row: plain, or `name.part` for an evaluator that was given a name."""
        return self.parts if self.name == self.default_name else tuple(f"{self.name}.{part}" for part in self.parts)

    def verdict(
        self, value: float, reason: str = "", parts: Mapping[str, float] | None = None, **metadata: Json
    ) -> Score:
        """A measured value: it passes at the threshold or above."""
        return Score(
            value, status="scored", passed=value >= self.threshold, reason=reason, parts=parts or {}, metadata=metadata
        )
