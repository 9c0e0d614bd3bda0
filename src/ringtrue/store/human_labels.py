"""`HumanLabels`: what people said of answers; the same answer to the same case has the same label in every run."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from sqlalchemy import select, update

from ringtrue.identity import canonical_json, digest
from ringtrue.records import Trial
from ringtrue.store import schema
from ringtrue.store.database import Database

Verdict: TypeAlias = Literal["right", "wrong", "unsure", "skipped"]
VERDICTS: tuple[Verdict, ...] = ("right", "wrong", "unsure", "skipped")
"""`unsure`: a person looked and cannot tell; `skipped`: not now."""
GRADES = range(1, 6)
COMMENT_CHARS = 4_000


@dataclass(frozen=True, slots=True)
class HumanLabel:
    """One label: a verdict or a grade from 1 to 5, who gave it, when, and in which run."""

    subject: str
    verdict: Verdict | None = None
    grade: int | None = None
    comment: str = ""
    who: str = ""
    created: float = 0.0
    run: str = ""
    id: int = 0

    @property
    def number(self) -> float | None:
        """The label on [0, 1]; None where it says neither right nor wrong."""
        if self.grade is not None:
            return (self.grade - 1) / (len(GRADES) - 1)
        return {"right": 1.0, "wrong": 0.0}.get(self.verdict or "")


def subject_of(trial: Trial) -> str:
    """Return the identity of a case and its answer in whatever run they are: what a person sees of them."""
    case, output = trial.case, trial.output
    seen = [case.input, case.expected, case.context, case.messages, output.text, output.messages]
    return digest(canonical_json(seen))


class HumanLabels:
    """The labels in a store."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def add(self, label: HumanLabel) -> None:
        """Keep a label, and when it was given; a later one on the same subject takes its place."""
        values = {
            "subject": label.subject,
            "verdict": label.verdict,
            "grade": label.grade,
            "comment": label.comment[:COMMENT_CHARS].replace("\0", "").encode("utf-8", "replace").decode(),
            "who": label.who[:200],
            "created": label.created or time.time(),
            "run": label.run,
        }
        with self.database.writing() as connection:
            connection.execute(schema.labels.insert().values(values))

    def undo(self, run: str, who: str) -> HumanLabel | None:
        """Undo the last label of a run; calling it again undoes the one before."""
        table = schema.labels
        mine = (table.c.run == run, table.c.who == who[:200], table.c.undone.is_(None))
        with self.database.writing() as connection:
            last = connection.execute(select(table).where(*mine).order_by(table.c.id.desc()).limit(1)).first()
            if last is None:
                return None
            connection.execute(update(table).where(table.c.id == last.id).values(undone=time.time()))
        return _label(last)

    def of(self, subjects: Iterable[str]) -> dict[str, HumanLabel]:
        """The label of each of these subjects that has one."""
        table = schema.labels
        query = select(table).where(table.c.undone.is_(None)).order_by(table.c.id)
        found = self.database.look_up(query, table.c.subject, list(dict.fromkeys(subjects)))
        return {row.subject: _label(row) for row in found}

    def numbers(self, trials: Iterable[Trial]) -> list[float | None]:
        """The label of each trial on [0, 1]; None where there is none, or it says neither right nor wrong."""
        subjects = [subject_of(trial) for trial in trials]
        found = self.of(subjects)
        return [found[subject].number if subject in found else None for subject in subjects]

    def given_in(self, run: str, limit: int) -> Sequence[HumanLabel]:
        """The labels last given in a run, the newest first."""
        table = schema.labels
        query = select(table).where(table.c.run == run, table.c.undone.is_(None)).order_by(table.c.id.desc())
        with self.database.reading() as connection:
            return [_label(row) for row in connection.execute(query.limit(limit))]


def _label(row: Any) -> HumanLabel:
    return HumanLabel(row.subject, row.verdict, row.grade, row.comment or "", row.who, row.created, row.run, row.id)
