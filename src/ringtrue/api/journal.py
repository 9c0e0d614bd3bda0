"""The runner's journal, kept in the store, or in memory where nothing is to be kept."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from ringtrue.records import Case, Output, Score
from ringtrue.runner.trials import Known, Task
from ringtrue.store import schema
from ringtrue.store.codec import decode_record, digest, encode_record
from ringtrue.store.database import Database
from ringtrue.systems.answering import Answering


def answer_key(system: Answering, case: Case, repeat: int, run: str) -> str:
    """What identifies an answer: the exact request, or else this run's own code; the case; the repeat."""
    request = system.request_key(case, repeat)
    origin = f"run:{run}:{system.signature()}" if request is None else f"request:{system.signature()}:{request}"
    return digest(origin, encode_record(case), str(repeat))


class StoredJournal:
    """Every answer and score in a database, committed before the wait is over."""

    def __init__(self, database: Database, run: str, evaluators: Sequence[str]) -> None:
        self.database, self.run = database, run
        self.hashes = {signature: digest(signature) for signature in evaluators}

    async def known(self, tasks: Sequence[Task]) -> Mapping[str, Known]:
        """What the store has of these tasks; an answer that failed is asked again."""
        keys = [task.key for task in tasks]
        outputs = {key: decode_record(Output, text) for key, text in self.database.outputs(keys).items()}
        good = {key: output for key, output in outputs.items() if not output.error}
        stored = self.database.scores(list(good), list(self.hashes.values())) if good else {}
        return {
            key: Known(
                output,
                {
                    signature: score
                    for signature, hashed in self.hashes.items()
                    if (text := stored.get((key, hashed))) and (score := decode_record(Score, text)).status != "error"
                },
            )
            for key, output in good.items()
        }

    async def answered(self, task: Task, output: Output) -> None:
        """Keep an answer; a failed one only as part of its row, so that it never hides a later success."""
        if not output.error:
            answer = {"key": task.key, "output": encode_record(output), "created": time.time()}
            await self.database.writer.write((schema.answers, answer))

    async def scored(self, task: Task, output: Output, scores: Mapping[str, Score]) -> None:
        """Keep a row and its new scores."""
        content = encode_record(task.case)
        case = {"digest": digest(content), "content": content}
        row = {
            "run": self.run,
            "system": task.system.name,
            "position": task.position,
            "repeat": task.repeat,
            "answer_key": task.key,
            "case_digest": case["digest"],
            "failure": encode_record(output) if output.error else None,
        }
        await self.database.writer.write(
            *(
                (
                    schema.scores,
                    {"answer_key": task.key, "evaluator": self.hashes[signature], "score": encode_record(score)},
                )
                for signature, score in scores.items()
                if score.status != "error"
            ),
            (schema.cases, case),
            (schema.rows, row),
        )


class NoJournal:
    """Keeps nothing."""

    async def known(self, tasks: Sequence[Task]) -> Mapping[str, Known]:
        """Nothing is known."""
        return {}

    async def answered(self, task: Task, output: Output) -> None:
        """Forget an answer."""

    async def scored(self, task: Task, output: Output, scores: Mapping[str, Score]) -> None:
        """Forget a row."""
