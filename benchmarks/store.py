"""Rows into a SQLite store beside a bare `sqlite3` loop that inserts the same bytes: rows per CPU second, ratios only.

    python benchmarks/store.py [--rows 10000 100000] [--rounds 3]

Ours is what a run does with its cases, answers and rows: `keep_cases`, then `keep_answer` and `keep_row` by 100 tasks,
each of which waits until its record is committed; making the records is not counted. The bare loop inserts what ours
wrote into the same tables of a second file, with the same settings, 500 rows of a table at once; reading them is not
counted. The sides alternate, and the best round of each counts.
"""

from __future__ import annotations

import argparse
import asyncio
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from ringtrue.evaluators import AnswerQuality
from ringtrue.records import Case, Made, Output, Row, Score, Trial
from ringtrue.runner.plan import Plan
from ringtrue.store.journal import StoredJournal
from ringtrue.store.runs import RunStore

AIM = 0.5
IN_FLIGHT, AT_ONCE, BLOCK = 100, 500, 10_000
READ = {
    "cases": "SELECT * FROM cases",
    "answers": "SELECT * FROM answers",
    "scores": "SELECT scores.* FROM rows JOIN scores USING (answer_key) ORDER BY run, system, position",
    "rows": "SELECT * FROM rows",
}
"""Table -> its rows in the order in which they were written."""
SETTINGS = ("journal_mode=WAL", "synchronous=NORMAL", "wal_autocheckpoint=10000")
PLAN = Plan((AnswerQuality(),))
Kept = tuple[str, Row, dict[str, Score]]


class Stopwatch:
    """Counts the processor time of some blocks of code."""

    seconds = 0.0

    @contextmanager
    def running(self) -> Iterator[None]:
        started = time.process_time()
        yield
        self.seconds += time.process_time() - started


def case_of(number: int) -> Case:
    question, answer = f"Which city lies where road {number} meets the river?", f"city {number}"
    return Case(number, question, (answer,), fields={"id": number, "question": question, "answer": answer})


def kept(store: RunStore, number: int) -> Kept:
    (evaluator, signature), *_ = PLAN.signed_evaluators
    case = case_of(number)
    output = Output(f"It is city {number}, I think.", latency_seconds=0.5, input_tokens=20, output_tokens=8, calls=1)
    trial = Trial(case, output)
    score = evaluator.measure(trial)
    row = Row(trial=trial, scores={evaluator.name: score}, position=number, system="model")
    return store.content(case, number), row, {signature: score}


async def keep(journal: StoredJournal, rows: list[Kept]) -> None:
    waiting = iter(rows)

    async def worker() -> None:
        for key, row, new in waiting:
            await journal.keep_answer(key, row.trial.output)
            await journal.keep_row(row, key, key, new)

    await asyncio.gather(*(worker() for _ in range(IN_FLIGHT)))


def ours(file: Path, count: int) -> float:
    made, watch = Made(evaluators=PLAN.infos, trials=count), Stopwatch()
    with RunStore.open(f"sqlite:///{file}") as store, closing(asyncio.new_event_loop()) as loop:
        journal = store.journal(store.begin("plan", made, resume=None, fresh=True), made)
        for start in range(0, count, BLOCK):
            numbers = range(start, min(start + BLOCK, count))
            cases, rows = [case_of(number) for number in numbers], [kept(store, number) for number in numbers]
            with watch.running():
                for _ in store.keep_cases(cases):
                    pass
                loop.run_until_complete(keep(journal, rows))
    return watch.seconds


def bare(source: Path, file: Path) -> float:
    watch = Stopwatch()
    with closing(sqlite3.connect(source)) as read, closing(sqlite3.connect(file)) as written:
        for setting in SETTINGS:
            written.execute(f"PRAGMA {setting}")
        for table in READ:
            written.execute(read.execute("SELECT sql FROM sqlite_master WHERE name = ?", (table,)).fetchone()[0])
        found = {table: read.execute(query) for table, query in READ.items()}
        places = {table: ",".join("?" * len(rows.description)) for table, rows in found.items()}
        while parts := {table: part for table, rows in found.items() if (part := rows.fetchmany(AT_ONCE))}:
            with watch.running():
                for table, part in parts.items():
                    written.executemany(f"INSERT INTO {table} VALUES ({places[table]})", part)
                written.commit()
    return watch.seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    print("| rows | rows per CPU second, ours / bare | aim | CPU µs per row, ours |\n|---|---|---|---|")
    for rows in given.rows:
        mine, theirs = [], []
        for _ in range(given.rounds):
            with tempfile.TemporaryDirectory() as folder:
                mine.append(ours(Path(folder, "ours.db"), rows))
                theirs.append(bare(Path(folder, "ours.db"), Path(folder, "bare.db")))
        print(f"| {rows:,} | {min(theirs) / min(mine):.2f} | {AIM} | {min(mine) / rows * 1e6:.1f} |", flush=True)


if __name__ == "__main__":
    main()
