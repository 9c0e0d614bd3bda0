"""What a stored run says when it is read back: reused answers, cases it never came to, answers that it refers to."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import ringtrue
from ringtrue import EvalCase, Output
from ringtrue.api.runs import open_run, rescore
from ringtrue.errors import StoreError
from ringtrue.evaluators import Contains, ExactMatch, NotEmpty
from ringtrue.records import Case, Run
from ringtrue.reports.caveats import stop_words
from ringtrue.reports.eval_report import EvalReport
from ringtrue.reports.markdown import run_markdown
from ringtrue.reports.row_file import write_rows
from ringtrue.runner.job import HELD_ROWS
from ringtrue.stats.anytime_share import anytime_interval
from ringtrue.store import schema
from ringtrue.store.database import Database, existing
from ringtrue.store.runs import RunStore
from ringtrue.suites.suite import EvalSuite
from ringtrue.viewer.library import Library
from ringtrue.viewer.live import with_summaries

ROWS = [{"id": str(number), "question": f"{number}?", "answer": str(number)} for number in range(4)]


class Kept:
    """A system whose answers may serve later runs, as an endpoint's do."""

    name = "kept"
    in_flight = 1

    def __init__(self) -> None:
        self.asked = 0

    def signature(self) -> str:
        return "kept"

    def request_key(self, case: Case, repeat: int) -> str:
        return case.input

    async def answer(self, case: Case, repeat: int) -> Output:
        self.asked += 1
        if self.asked == 3:
            raise KeyboardInterrupt
        return Output(case.input.rstrip("?"))


@pytest.fixture
def store(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/runs.db"


def evaluate(store: str, system: Any, **options: Any) -> Run:
    return ringtrue.evaluate(
        systems=[system], dataset=ROWS, evaluators=[ExactMatch()], store=store, progress=False, **options
    ).run


def opened(store: str) -> closing[sqlite3.Connection]:
    return closing(sqlite3.connect(store.removeprefix("sqlite:///"), isolation_level=None))


def count(store: str, table: str) -> int:
    with opened(store) as database:
        return int(database.execute(f"SELECT count(*) FROM {table}").fetchone()[0])


def test_a_row_that_was_reused_says_so_when_it_is_read_back(store: str) -> None:
    system = Kept()
    system.asked = 10
    first, second = evaluate(store, system), evaluate(store, system)
    assert [[row.reused for row in open_run(run.id, store).rows] for run in (first, second)] == [
        [False] * 4,
        [True] * 4,
    ]


def test_what_an_interrupted_run_paid_for_itself_is_not_reused(store: str) -> None:
    """The same run went on: its answers have latencies of their own."""
    system = Kept()
    with pytest.raises(KeyboardInterrupt):
        evaluate(store, system)
    run = evaluate(store, system)
    assert system.asked == 5, "two were kept, one was cut off, two more were asked, the third again"
    assert [row.reused for row in open_run(run.id, store).rows] == [False] * 4


def test_rows_of_an_earlier_version_were_not_reused_as_far_as_is_known(store: str) -> None:
    run = evaluate(store, str.upper)
    with opened(store) as database:
        database.execute("ALTER TABLE rows DROP COLUMN reused")
        database.execute("ALTER TABLE rows DROP COLUMN cost")
        database.execute("ALTER TABLE answers DROP COLUMN run")
        database.execute("UPDATE ringtrue_facts SET value = '2' WHERE name = 'version'")
    assert [row.reused for row in open_run(run.id, store).rows] == [False] * 4
    with opened(store) as database:
        (version,) = database.execute("SELECT value FROM ringtrue_facts WHERE name = 'version'").fetchone()
    assert version == str(schema.VERSION)


def test_a_suite_that_stopped_early_is_read_back_with_the_cases_it_never_came_to(store: str) -> None:
    def fail(question: str) -> str:
        raise RuntimeError(question)

    suite = EvalSuite("s").add_cases([EvalCase(f"{number}?", case_id=str(number)) for number in range(5)])
    report = suite.add_evaluators(NotEmpty()).run(fail, verbose=False, store=store, max_errors=0)
    again = EvalReport(open_run("last", store))
    assert (again.total, again.errors, again.skipped) == (report.total, report.errors, report.skipped) == (5, 1, 4)
    assert [case.id for case in again.run.unasked] == ["1", "2", "3", "4"]
    assert again.to_junit_xml() == report.to_junit_xml()


@pytest.mark.parametrize("source", ["memory", "store", "rows.jsonl", "rows.parquet"])
@pytest.mark.parametrize("many", [40, HELD_ROWS + 8], ids=["rows that are held", "rows that are read from the store"])
def test_a_stopped_run_says_how_many_answers_it_never_asked_for(
    many: int, source: str, store: str, tmp_path: Path
) -> None:
    def fail(question: str) -> str:
        raise RuntimeError(question)

    cases = [{"id": number, "question": f"{number}?"} for number in range(many)]
    run = ringtrue.evaluate(fail, cases, [NotEmpty()], store=store, progress=False, max_workers=1, max_errors=2).run
    if source == "store":
        run = open_run("last", store)
    elif source != "memory":
        write_rows(tmp_path / source, run.rows, run.made)
        run = open_run(tmp_path / source)
    assert (len(run.rows), run.unasked_count, run.made.trials) == (3, many - 3, many)
    assert f"{many - 3:,} of {many:,} answers not asked" in stop_words(run)
    assert len(run.unasked) == (many - 3 if many < HELD_ROWS and source in ("memory", "store") else 0)


def test_an_interrupted_run_says_what_is_missing_and_a_resumed_one_lacks_nothing(store: str) -> None:
    system = Kept()
    with pytest.raises(KeyboardInterrupt):
        evaluate(store, system)
    left = open_run("last", store)
    assert (left.status, len(left.rows), left.unasked_count) == ("interrupted", 2, 2)
    assert {one.n for own in left.summaries.values() for found in own.values() for one in found.values()} == {2}
    assert "Nothing was measured" not in run_markdown(left), "its rows have scores"
    with opened(store) as database:
        database.execute("UPDATE runs SET status = 'running'")  # as one whose process was killed left it
    killed = open_run("last", store)
    assert (killed.status, stop_words(killed)) == ("killed", "2 of 4 answers not asked")
    whole, part = rescore(killed, [NotEmpty()], store=None), rescore(killed, [NotEmpty()], store=None, limit=1)
    assert (stop_words(whole), stop_words(part)) == ("2 of 4 answers not asked", ""), "new scores ask for nothing"
    with Library(store=store) as library:
        shown = library.find(left.id)
        assert shown is not None
        seen = with_summaries(shown.run, shown.run.rows.counts())
    for dataset, systems in seen.summaries.items():
        for name, own in systems.items():
            share = left.summaries[dataset][name]["pass_rate"]
            assert replace(share, bounds=None) == own["pass_rate"], "the viewer says the same"
    assert evaluate(store, system).unasked_count == open_run("last", store).unasked_count == 0


def test_in_an_interrupted_run_a_repeated_case_counts_once(store: str) -> None:
    """Its interval was narrower than that of a finished run: all repeats of a case may be the same."""
    with pytest.raises(KeyboardInterrupt):
        evaluate(store, Kept(), repeats=2)
    share = open_run("last", store).summary("pass_rate")
    assert share.interval == anytime_interval(share.passed or 0, share.n, repeats=2)


def test_a_rescored_run_refers_to_the_answers_and_does_not_copy_them(store: str) -> None:
    first = evaluate(store, lambda question: question.rstrip("?"))
    before = count(store, "answers"), count(store, "cases")
    again = rescore(first.id, [Contains(["2"])], store=store, progress=False)
    assert (count(store, "answers"), count(store, "cases")) == before == (4, 4)
    read = open_run(again.id, store)
    assert [(row.trial.output.text, row.scores["contains"].value) for row in read.rows] == [
        ("0", 0.0), ("1", 0.0), ("2", 1.0), ("3", 0.0),
    ]  # fmt: skip
    assert rescore(first.id, ["exact_match"], store=store, progress=False).summary("exact_match").value == 1.0


def test_rescore_takes_the_first_cases_and_reads_them_from_other_fields(store: str) -> None:
    rows = [{**row, "dataset": "ab"[number % 2], "meta": {"gold": "9"}} for number, row in enumerate(ROWS)]
    result = ringtrue.evaluate(
        systems=[lambda question: "9"], dataset=rows, evaluators=[ExactMatch()], store=store, progress=False
    )
    few = rescore(result.run.id, ["exact_match"], store=store, limit=1, progress=False)
    assert [(row.dataset, row.trial.case.id) for row in few.rows] == [("a", "0"), ("b", "1")]
    assert [one.cases for one in few.made.datasets] == [1, 1]
    other = rescore(result.run.id, ["exact_match"], store=store, mapping={"expected": "meta.gold"}, progress=False)
    assert {row.trial.case.expected for row in other.rows} == {("9",)}
    assert [row.scores["exact_match"].value for row in other.rows] == [1.0] * 4
    assert [row.scores["exact_match"].value for row in few.rows] == [0.0] * 2


def test_an_answer_that_was_reused_stays_so_when_it_is_scored_again(store: str) -> None:
    """Else the time that an earlier run waited for it would be measured as this one's."""
    kept = Kept()
    kept.asked = 3
    evaluate(store, kept)
    again = evaluate(store, kept, fresh=True)
    assert [row.reused for row in again.rows] == [True] * 4
    rescored = rescore(again.id, ["not_empty"], store=store, progress=False)
    for run in (rescored, open_run(rescored.id, store)):
        assert [(row.reused, row.answered_in) for row in run.rows] == [
            (row.reused, row.answered_in) for row in again.rows
        ]
        assert run.summary("latency_mean").n == 0


def test_a_store_that_cannot_be_changed_is_read_and_left_as_it_is(store: str) -> None:
    run = evaluate(store, lambda question: question.rstrip("?"))
    file = Path(store.removeprefix("sqlite:///"))
    with opened(store) as database:
        database.execute("UPDATE runs SET status = 'running'")
    content, beside = file.read_bytes(), sorted(file.parent.iterdir())
    with Database(store, only_read=True) as database:
        assert [(one.id, one.status) for one in RunStore(database).runs()] == [(run.id, "killed")]
        assert len(database.rows(run.id)) == 4
        with pytest.raises(StoreError, match="readonly"):
            database.end(run.id, "finished")
    assert (file.read_bytes(), sorted(file.parent.iterdir())) == (content, beside)
    Path(f"{file}-wal").write_bytes(b"changes")
    with pytest.raises(StoreError, match="was not closed and cannot be changed here; copy it"):
        Database(store, only_read=True)


def test_a_store_without_permission_to_write_is_opened_for_reading(store: str) -> None:
    """A user who may write everywhere, such as root, opens it as any other."""
    run = evaluate(store, lambda question: question.rstrip("?"))
    file = Path(store.removeprefix("sqlite:///"))
    file.chmod(0o400)
    assert existing(store).only_read == (not os.access(file, os.W_OK))
    assert len(open_run(run.id, store).rows) == 4
