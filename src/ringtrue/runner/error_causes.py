"""`ErrorCauses`: why scores are errors, counted by cause, with the first reason in the words of who failed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from ringtrue.records import ErrorCause, Score


@dataclass
class ErrorCauses:
    """Errors by evaluator and cause."""

    causes: dict[tuple[str, str, int | None], ErrorCause] = field(default_factory=dict)

    @classmethod
    def of(cls, rows: Iterable[Mapping[str, Score]]) -> ErrorCauses:
        """The failures among the scores of rows."""
        found = cls()
        for scores in rows:
            for name, score in scores.items():
                found.note(name, score)
        return found

    def note(self, evaluator: str, score: Score) -> None:
        """Count a score, if it is an error."""
        if score.status == "error":
            kind = str(score.metadata.get("cause") or score.metadata.get("kind") or "error")
            status = score.metadata.get("status")
            self._count(
                ErrorCause(
                    evaluator,
                    kind=kind,
                    status=status if isinstance(status, int) else None,
                    first_reason=score.reason,
                    count=1,
                )
            )

    def merge(self, other: ErrorCauses) -> None:
        """Take the errors of other rows in."""
        for cause in other.causes.values():
            self._count(cause)

    def by_frequency(self) -> tuple[ErrorCause, ...]:
        """The causes, the most frequent first."""
        return tuple(sorted(self.causes.values(), key=lambda cause: -cause.count))

    def _count(self, cause: ErrorCause) -> None:
        key = cause.evaluator, cause.kind, cause.status
        known = self.causes.get(key)
        self.causes[key] = replace(known, count=known.count + cause.count) if known else cause
