"""`StoredJournal`: every answer and row of a run, committed before the wait is over."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from functools import partial

from sqlalchemy import Table

from ringtrue.identity import digest
from ringtrue.jsontext import json_text
from ringtrue.records import Json, Made, Output, Row, Score, StoredAnswer
from ringtrue.stats.row_status import RowVerdicts
from ringtrue.store import schema
from ringtrue.store.codec import decode_record, encode_record
from ringtrue.store.database import Database
from ringtrue.store.outage import outlast_awaiting

NAME_CHARS = 200


class StoredJournal:
    """The runner's journal in a database."""

    def __init__(self, database: Database, run: str, made: Made) -> None:
        self.database, self.run = database, run
        begun = database.run(run)
        self.begun = begun.created if begun else made.started
        self.verdicts = RowVerdicts(made)
        self.hashes = {one.signature: digest(one.signature) for one in made.evaluators}

    async def stored_answers(self, keys: Sequence[str]) -> Mapping[str, StoredAnswer]:
        """Return the stored answers of these keys; one that failed is asked again."""
        return await outlast_awaiting(partial(self._known_answers, keys))

    def _known_answers(self, keys: Sequence[str]) -> Mapping[str, StoredAnswer]:
        outputs = self.database.outputs(keys)
        stored = self.database.scores(list(outputs), list(self.hashes.values())) if outputs else {}
        return {
            key: StoredAnswer(
                output=decode_record(Output, text),
                scores={
                    signature: decode_record(Score, score)
                    for signature, hashed in self.hashes.items()
                    if (score := stored.get((key, hashed)))
                },
                created=created,
                run=run or "",
                is_own=created >= self.begun,
            )
            for key, (text, created, run) in outputs.items()
        }

    async def keep_answer(self, key: str, output: Output) -> None:
        """Keep an answer; a failed one only as part of its row, so that it never hides a later success."""
        if not output.error:
            answer = {"key": key, "output": encode_record(output), "created": time.time(), "run": self.run}
            await self.database.writer.write((schema.answers, answer))

    async def keep_row(self, row: Row, key: str, content: str, new: Mapping[str, Score]) -> None:
        """Keep a row and its new scores; one that is an error only as part of the row."""
        records = row_records(self.run, row, key, content, {self.hashes[one]: new[one] for one in new}, self.verdicts)
        await self.database.writer.write(*records)


def row_records(
    run: str, row: Row, key: str, content: str, scores: Mapping[str, Score], verdicts: RowVerdicts
) -> list[tuple[Table, dict[str, Json]]]:
    """Return the records of a row and of some scores, by the hashes of their evaluators' signatures."""
    output = row.trial.output
    measured = {hashed: score for hashed, score in scores.items() if score.status != "error"}
    failed = {hashed: encode_record(score) for hashed, score in scores.items() if hashed not in measured}
    kept: dict[str, Json] = {
        "run": run,
        "system": row.system,
        "position": row.position,
        "repeat": row.repeat,
        "answer_key": key,
        "case_digest": content,
        "failure": encode_record(output) if output.error else None,
        "unscored": json_text(failed) if failed else None,
        "dataset": row.dataset[:NAME_CHARS],
        "status": verdicts.status(row),
        "value": verdicts.value(row),
        "reused": int(row.reused),
        "cost": output.cost,
    }
    return [
        *(
            (schema.scores, {"answer_key": key, "evaluator": hashed, "score": encode_record(score)})
            for hashed, score in measured.items()
        ),
        (schema.rows, kept),
    ]
