"""`ErrorCauses`: why scores are errors, counted by cause, with the first reason in the words of who failed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from ringtrue.records import Json, Score


@dataclass
class Cause:
    """How often one thing went wrong with one evaluator, and what was said the first time."""

    evaluator: str
    kind: str
    status: int | None
    first_reason: str
    count: int = 0

    @property
    def name(self) -> str:
        """The cause in a word, with the HTTP status where there was one."""
        return f"{self.kind} {self.status}" if self.status else self.kind


@dataclass
class ErrorCauses:
    """Errors by evaluator and cause, and how many scores there were beside them."""

    causes: dict[tuple[str, str, int | None], Cause] = field(default_factory=dict)
    scored: int = 0
    skipped: int = 0

    @classmethod
    def of(cls, rows: Iterable[Mapping[str, Score]]) -> ErrorCauses:
        """The failures among the scores of rows."""
        found = cls()
        for scores in rows:
            found.note(scores)
        return found

    @property
    def errors(self) -> int:
        """How many scores are errors."""
        return sum(cause.count for cause in self.causes.values())

    def note(self, scores: Mapping[str, Score]) -> None:
        """Count the scores of one row."""
        for name, score in scores.items():
            self.scored += score.status == "scored"
            self.skipped += score.status == "skipped"
            if score.status == "error":
                kind = str(score.metadata.get("cause") or score.metadata.get("kind") or "error")
                status = score.metadata.get("status")
                key = (name, kind, status if isinstance(status, int) else None)
                self.causes.setdefault(key, Cause(*key, score.reason)).count += 1

    def lines(self) -> list[str]:
        """One line for each cause, the most frequent first."""
        ordered = sorted(self.causes.values(), key=lambda cause: -cause.count)
        return [
            f"{one.evaluator}: {one.count:,} error{'' if one.count == 1 else 's'} ({one.name}): {one.first_reason}"
            for one in ordered
        ]

    def record(self) -> list[dict[str, Json]]:
        """The causes as JSON values."""
        return [
            {
                "evaluator": one.evaluator,
                "kind": one.kind,
                "status": one.status,
                "count": one.count,
                "first_reason": one.first_reason,
            }
            for one in self.causes.values()
        ]
