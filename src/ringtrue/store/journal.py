"""The runner's journal, kept in the store, or in memory where nothing is to be kept."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from ringtrue.identity import canonical_json, digest
from ringtrue.records import Output, Score
from ringtrue.runner.loop import Known, Task
from ringtrue.store import schema
from ringtrue.store.codec import decode_record, encode_record
from ringtrue.store.database import Database


class StoredJournal:
    """Every answer and score in a database, committed before the wait is over."""

    def __init__(self, database: Database, run: str, evaluators: Sequence[str]) -> None:
        self.database, self.run = database, run
        self.hashes = {signature: digest(signature) for signature in evaluators}

    async def known(self, tasks: Sequence[Task]) -> Mapping[str, Known]:
        """What the store has of these tasks; an answer that failed is asked again."""
        keys = [task.key for task in tasks]
        outputs = {key: decode_record(Output, text) for key, text in self.database.outputs(keys).items()}
        stored = self.database.scores(list(outputs), list(self.hashes.values())) if outputs else {}
        return {
            key: Known(
                output,
                {
                    signature: decode_record(Score, text)
                    for signature, hashed in self.hashes.items()
                    if (text := stored.get((key, hashed)))
                },
            )
            for key, output in outputs.items()
        }

    async def answered(self, task: Task, output: Output) -> None:
        """Keep an answer; a failed one only as part of its row, so that it never hides a later success."""
        if not output.error:
            answer = {"key": task.key, "output": encode_record(output), "created": time.time()}
            await self.database.writer.write((schema.answers, answer))

    async def scored(self, task: Task, output: Output, scores: Mapping[str, Score]) -> None:
        """Keep a row and its new scores; one that is an error only as part of the row."""
        measured, failed = [], {}
        for signature, score in scores.items():
            if score.status == "error":
                failed[self.hashes[signature]] = encode_record(score)
            else:
                hashed = self.hashes[signature]
                record = {"answer_key": task.key, "evaluator": hashed, "score": encode_record(score)}
                measured.append((schema.scores, record))
        row = {
            "run": self.run,
            "system": task.system.name,
            "position": task.position,
            "repeat": task.repeat,
            "answer_key": task.key,
            "case_digest": task.content,
            "failure": encode_record(output) if output.error else None,
            "unscored": canonical_json(failed) if failed and not output.error else None,
        }
        await self.database.writer.write(*measured, (schema.rows, row))


class NoJournal:
    """Keeps nothing."""

    async def known(self, tasks: Sequence[Task]) -> Mapping[str, Known]:
        """Nothing is known."""
        return {}

    async def answered(self, task: Task, output: Output) -> None:
        """Forget an answer."""

    async def scored(self, task: Task, output: Output, scores: Mapping[str, Score]) -> None:
        """Forget a row."""
