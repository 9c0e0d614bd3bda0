"""What people hand over in Python: data frames, rows, cases, functions; nothing absent becomes text."""

from __future__ import annotations

import asyncio
import signal
import sqlite3
import threading
import time
import uuid
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy
import pandas
import pyarrow
import pytest

from ringtrue import EvalSuite, assert_evaluators, evaluate, open_run, score_file
from ringtrue.datasets.cases import read_cases
from ringtrue.errors import ConfigurationError
from ringtrue.evaluators import ExactMatch, NotEmpty
from support.endpoint import EndpointServer

ABSENT = {
    "None": None,
    "nan": float("nan"),
    "numpy.nan": numpy.nan,
    "float32": numpy.float32("nan"),
    "NaT": pandas.NaT,
    "datetime64": numpy.datetime64("NaT", "s"),
    "NA": pandas.NA,
    "Decimal": Decimal("nan"),
    "empty": "",
}
ROWS = [
    {"id": 1, "question": "Capital of France?", "answer": "Paris", "response": "Paris"},
    {"id": 2, "question": "Capital of Spain?", "answer": None, "response": "nan"},
    {"id": 3, "question": "Capital of Peru?", "answer": "Lima", "response": "Quito"},
]


def sources() -> dict[str, Any]:
    found = {
        "list": list(ROWS),
        "generator": (row for row in ROWS),
        "pandas": pandas.DataFrame(ROWS),
        "records": pandas.DataFrame(ROWS).to_dict("records"),
        "arrow": pyarrow.Table.from_pylist(ROWS),
    }
    try:
        import polars
    except ImportError:
        pass
    else:
        found |= {"polars": polars.DataFrame(ROWS), "lazy": polars.LazyFrame(ROWS)}
    try:
        from datasets import Dataset
    except ImportError:
        pass
    else:
        found["dataset"] = Dataset.from_list(ROWS)
    return found


SOURCES = list(sources())


def answer(question: str) -> str:
    return next(row["response"] for row in ROWS if row["question"] == question)


@pytest.mark.parametrize("name", SOURCES)
def test_every_source_means_the_same_to_every_entry(name: str) -> None:
    scored = score_file(sources()[name], "exact_match")
    summary = next(iter(scored.summaries.values()))["answers"]["exact_match"]
    assert (summary.n, summary.skipped, summary.value) == (2, 1, 0.5)
    assert [row.trial.case.id for row in scored.rows] == [1, 2, 3]
    assert [row.trial.case.id for row in scored.rows] == [1, 2, 3]  # and again
    asked = evaluate(answer, sources()[name], "exact_match", store=None, progress=False).run
    summary = next(iter(asked.summaries.values()))["answer"]["exact_match"]
    assert (summary.n, summary.skipped, summary.value) == (2, 1, 0.5)
    suite = EvalSuite("s").add_cases(sources()[name]).add_evaluators("exact_match")
    found = suite.run(answer, verbose=False, store=None).run
    summary = found.summaries["s"]["answer"]["exact_match"]
    assert (summary.n, summary.skipped, summary.value) == (2, 1, 0.5)


@pytest.mark.parametrize("value", ABSENT.values(), ids=ABSENT)
def test_what_is_absent_is_never_text(value: Any) -> None:
    row = {"question": "q", "answer": value, "response": "nan", "context": value, "id": value}
    (case,) = read_cases([row])
    assert (case.expected, case.context, case.id) == (None, "", 0)
    (scored,) = score_file([row], "exact_match").rows
    assert scored.scores["exact_match"].status == "skipped"
    (scored,) = score_file([{"answer": "nan", "response": value}], ["exact_match", "not_empty"]).rows
    assert scored.trial.output.text == ""
    assert scored.scores["exact_match"].value == 0.0
    assert scored.scores["not_empty"].value == 0.0


@pytest.mark.parametrize("evaluator", [ExactMatch(), lambda output: len(output)], ids=["texts", "trials"])
def test_a_dataset_that_is_absent_is_the_file(evaluator: Any, tmp_path: Path) -> None:
    """A NaN in a file was a system called nan, and no dataset at all in the rows that were written."""
    (tmp_path / "a.jsonl").write_text('{"answer": "1", "response": "1", "dataset": NaN, "system": NaN}\n')
    for output in (None, tmp_path / "rows.jsonl"):
        run = score_file(tmp_path / "a.jsonl", evaluator, output=output)
        (row,) = run.rows
        assert {name: [*own] for name, own in run.summaries.items()} == {row.dataset: [row.system]}
        assert (row.dataset, row.system) == ("a.jsonl", "answers")


def test_a_function_sees_none_where_a_cell_is_absent() -> None:
    seen: list[dict[str, Any]] = []

    def app(example: dict[str, Any]) -> str:
        seen.append(example)
        return "x"

    frame = pandas.DataFrame([{"question": "q", "letter": numpy.nan, "choices": numpy.array(["a", "b"])}])
    evaluate(app, frame, NotEmpty(), store=None, progress=False)
    assert seen[0]["letter"] is None
    assert seen[0]["choices"] == ["a", "b"]


def test_several_answers_in_an_array_are_several_wherever_it_is(tmp_path: Path) -> None:
    """An array inside an object, or in a stream of the `datasets` library, was scored as its printed text."""
    datasets = pytest.importorskip("datasets")
    answers = numpy.array(["Paris", "Lutetia"])
    nested = [{"question": "q", "meta": {"gold": answers}, "response": "Lutetia"}]
    flat = [{"question": "q", "answer": answers, "response": "Lutetia"}]
    stream = datasets.IterableDataset.from_generator(lambda: iter(flat))
    for source, mapping in ((nested, {"expected": "meta.gold"}), (stream, None)):
        run = score_file(source, ["answer_quality"], mapping=mapping, output=tmp_path / "rows.jsonl")
        assert run.summary("f1").value == 1.0
        assert [row.trial.case.expected for row in run.rows] == [("Paris", "Lutetia")]


def test_integers_that_pandas_made_floats_are_integers_again(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("id,question,answer\n7,a,42\n,b,\n9,c,3\n")
    frame = pandas.read_csv(tmp_path / "a.csv")
    assert frame["answer"].dtype.kind == "f"
    from_file, from_frame = read_cases(tmp_path / "a.csv"), read_cases(frame)
    assert [case.expected for case in from_frame] == [case.expected for case in from_file] == [("42",), None, ("3",)]
    assert [case.id for case in from_frame] == [7, 1, 9]


def test_a_frame_with_a_named_index_keeps_it_and_equal_columns_are_refused() -> None:
    frame = pandas.DataFrame([{"id": "x", "question": "q"}]).set_index("id")
    assert read_cases(frame)[0].id == "x"
    twice = pandas.DataFrame([["q", "r"]], columns=["question", "question"])
    with pytest.raises(ConfigurationError, match="two columns named 'question'"):
        read_cases(twice)


IDS = [
    (uuid.UUID(int=5), uuid.UUID(int=5)),
    (numpy.int64(5), 5),
    (5.5, 5.5),
    (numpy.float64(2.5), 2.5),
    (("a", (1,)), ("a", (1,))),
    (["a", [1]], ("a", (1,))),
    ("x", "x"),
]


@pytest.mark.parametrize(("given", "kept"), IDS, ids=lambda value: type(value).__name__)
def test_ids_stay_what_they_are(given: Any, kept: Any, tmp_path: Path) -> None:
    rows = [{"id": given, "question": "q", "answer": "a"}]
    result = evaluate(lambda text: "a", rows, "exact_match", progress=False, cache_dir=tmp_path)
    assert [row.example_id for row in result.rows] == [kept]
    assert type(result.rows[0].example_id) is type(kept)
    for library in ("pandas", "polars"):
        assert list(result.to_dataframe(library)["example_id"]) == [kept]
    suite = EvalSuite("s").add_cases(rows).add_evaluators("exact_match")
    report = suite.run(lambda text: "a", verbose=False, store=f"sqlite:///{tmp_path}/s.db")
    assert [one.case_id for one in report.case_results] == [kept]
    (row,) = open_run("last", store=f"sqlite:///{tmp_path}/s.db").rows
    assert str(row.trial.case.id) == str(kept)


def test_any_object_with_input_and_expected_output_is_a_case() -> None:
    case = SimpleNamespace(input="q", expected_output="a")
    assert read_cases([case])[0].expected == ("a",)
    suite = EvalSuite("s").add_case(case).add_evaluators("exact_match")
    assert suite.run(lambda text: "a", verbose=False, store=None).pass_rate == 1.0
    assert assert_evaluators(case, "a", ExactMatch())[0].passed


def test_one_evaluator_may_be_alone() -> None:
    for one in ("exact_match", ExactMatch(), NotEmpty()):
        result = evaluate(lambda text: "a", [{"question": "q", "answer": "a"}], one, store=None, progress=False)
        assert next(iter(result.run.rows)).scores.popitem()[1].value == 1.0
    assert assert_evaluators({"input": "q"}, "x", NotEmpty())[0].passed
    assert assert_evaluators({"input": "q"}, "x", "not_empty")[0].passed


def test_a_wrong_keyword_says_which_there_are() -> None:
    with pytest.raises(ConfigurationError, match=r"has no parameter 'evaluator'; did you mean 'evaluators'") as e:
        evaluate(answer, ROWS, evaluator=["exact_match"])
    assert e.value.parameter == "evaluator"
    with pytest.raises(ConfigurationError, match=r"has no parameter 'zzz'; there are systems, dataset, .*max_workers"):
        evaluate(answer, ROWS, zzz=1)
    with pytest.raises(ConfigurationError, match=r"score_file.. has no parameter 'worker'; did you mean 'workers'"):
        score_file(ROWS, "exact_match", worker=3)


def test_a_dataset_without_questions_is_refused_before_the_first_call() -> None:
    called: list[Any] = []
    rows = [{"frage": "France", "answer": "Paris"}]
    with pytest.raises(
        ConfigurationError, match=r"ask nothing: .*looked for question, input, .*; the row has frage, answer"
    ):
        evaluate(lambda text: called.append(text), rows, "exact_match", store=None)
    assert called == []
    by_row = evaluate(lambda example: example["answer"], rows, "exact_match", store=None, progress=False)
    assert by_row.rows[0].scores["exact_match"] == 1.0
    mapped = evaluate(lambda text: text, rows, "exact_match", mapping={"input": "frage"}, store=None, progress=False)
    assert mapped.rows[0].scores["exact_match"] == 0.0


def test_a_row_with_an_empty_question_is_an_error_and_not_an_empty_prompt() -> None:
    called: list[str] = []

    def app(text: str) -> str:
        called.append(text)
        return "a"

    rows = [{"question": "q", "answer": "a"}, {"question": None, "answer": "a"}, {"question": "", "context": "c"}]
    run = evaluate(app, rows, "not_empty", store=None, progress=False).run
    assert called == ["q", "c"]
    assert [row.trial.output.error for row in run.rows] == ["", "system_error", ""]
    assert "asks nothing" in run.rows.page()[1].trial.output.problem


MESSAGES = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "Hi"},
    {"role": "assistant", "content": "Hello"},
    {"role": "user", "content": "Capital of Peru?"},
]


def test_messages_are_asked_as_a_conversation() -> None:
    seen: list[Any] = []

    def chat(messages: list[dict[str, Any]]) -> str:
        seen.append(messages)
        return "Lima"

    def plain(text: str) -> str:
        seen.append(text)
        return "Lima"

    answered = [*MESSAGES, {"role": "assistant", "content": "Lima"}]
    rows = [{"messages": MESSAGES, "answer": "Lima"}, {"messages": answered, "answer": "Lima"}]
    assert [r.scores["exact_match"] for r in evaluate(chat, rows, "exact_match", store=None, progress=False).rows] == [
        1.0,
        1.0,
    ]
    evaluate(plain, rows, "exact_match", store=None, progress=False)
    assert seen == [MESSAGES, MESSAGES, "Capital of Peru?", "Capital of Peru?"]


RETURNED = {
    "dict": ({"text": "a"}, "the system returned dict with 'text', not text or a dict with 'response'"),
    "list": (["a"], "the system returned list, not text"),
    "int": (42, "the system returned int, not text"),
    "object": (object(), "the system returned object, not text"),
    "None": (None, "the output is None"),
}


@pytest.mark.parametrize(("value", "words"), RETURNED.values(), ids=RETURNED)
def test_what_is_not_text_fails_and_says_so(value: Any, words: str) -> None:
    run = evaluate(lambda text: value, [{"question": "q"}], "not_empty", store=None, progress=False).run
    (row,) = run.rows
    assert words in row.trial.output.problem
    assert row.scores["not_empty"].value == 0.0


def test_the_documented_dict_is_an_answer() -> None:
    result = evaluate(lambda text: {"response": "a"}, [{"question": "q", "answer": "a"}], "exact_match", store=None)
    assert result.rows[0].scores["exact_match"] == 1.0


class AtOnce:
    """How many calls are under way at once at most."""

    def __init__(self) -> None:
        self.now = self.most = 0

    async def __call__(self, text: str) -> str:
        self.now += 1
        self.most = max(self.most, self.now)
        await asyncio.sleep(0.02)
        self.now -= 1
        return "a"

    async def process(self, example: dict[str, Any]) -> dict[str, Any]:
        return {**example, "response": await self(example["question"])}


@pytest.mark.parametrize("speak", ["function", "process"])
def test_asynchronous_systems_are_asked_sixteen_cases_at_once(speak: str) -> None:
    counter = AtOnce()

    async def app(text: str) -> str:
        return await counter(text)

    rows = [{"question": str(number)} for number in range(64)]
    evaluate(app if speak == "function" else counter, rows, "not_empty", store=None, progress=False)
    assert counter.most == 16
    counter.most = 0
    evaluate(app, rows, "not_empty", max_workers=3, store=None, progress=False)
    assert counter.most == 3


def test_max_workers_is_what_an_endpoint_gets_in_flight(monkeypatch: pytest.MonkeyPatch) -> None:
    from ringtrue.systems.openai_proxy import OpenAIProxy

    monkeypatch.setenv("OPENAI_API_KEY", "k")
    rows = [{"question": f"q{number}"} for number in range(300)]
    with EndpointServer(latency_seconds=0.3) as server:
        proxy = OpenAIProxy(server.base_url, "m")
        evaluate(proxy, rows, "not_empty", max_workers=100, store=None, progress=False)
        assert server.stats()["most_at_once"] == 100


def test_with_one_worker_plain_code_runs_in_the_callers_thread() -> None:
    """A connection of sqlite3 belongs to its thread, and so do signals."""
    database = sqlite3.connect(":memory:")
    database.execute("create table seen (text)")

    class Known:
        name = "known"

        def score(self, original: dict[str, Any], processed: dict[str, Any]) -> dict[str, float]:
            return {"known": float(database.execute("select count(*) from seen").fetchone()[0] > 0)}

    def app(text: str) -> str:
        before = signal.signal(signal.SIGALRM, signal.SIG_IGN)
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
        database.execute("insert into seen values (?)", (text,))
        assert threading.current_thread() is threading.main_thread()
        return "a"

    rows = [{"question": str(number), "answer": "a", "response": "a"} for number in range(5)]
    run = evaluate(app, rows, [Known(), "exact_match"], store=None, progress=False).run
    assert [row.trial.output.problem for row in run.rows] == [""] * 5
    assert [row.scores["known"].value for row in run.rows] == [1.0] * 5
    assert [row.scores["known"].value for row in score_file(rows, Known()).rows] == [1.0] * 5
    database.close()


def test_with_a_time_limit_code_that_never_returns_costs_its_row() -> None:
    def app(text: str) -> str:
        if text == "0":
            time.sleep(30)
        return "a"

    rows = [{"question": str(number)} for number in range(2)]
    started = time.monotonic()
    run = evaluate(app, rows, "not_empty", timeout=1, store=None, progress=False).run
    assert time.monotonic() - started < 25
    assert [row.trial.output.error for row in run.rows] == ["timeout", ""]


def test_the_latency_of_a_function_is_its_own() -> None:
    """An evaluator that works in the same thread makes no answer late."""

    def slow_check(output: str) -> bool:
        time.sleep(0.7)
        return True

    rows = [{"question": str(number)} for number in range(3)]
    run = evaluate(lambda text: "a", rows, slow_check, store=None, progress=False).run
    assert max(row.trial.output.latency_seconds or 0 for row in run.rows) < 0.7


def test_code_that_asks_again_inside_its_call_does_not_wait_for_itself() -> None:
    def app(text: str) -> str:
        inner = evaluate(lambda inside: inside, [{"question": text}], "not_empty", store=None, progress=False)
        return next(iter(inner.run.rows)).trial.output.text

    run = evaluate(app, [{"question": "x", "answer": "x"}], "exact_match", store=None, progress=False).run
    assert next(iter(run.rows)).scores["exact_match"].value == 1.0


def test_inside_a_running_loop_plain_code_may_run_a_loop_of_its_own() -> None:
    """As in a notebook."""

    def app(text: str) -> str:
        return asyncio.run(asyncio.sleep(0, text))

    async def cell() -> Any:
        return evaluate(app, [{"question": "x", "answer": "x"}], "exact_match", store=None, progress=False)

    assert asyncio.run(cell()).rows[0].scores["exact_match"] == 1.0


def test_ctrl_c_in_plain_code_ends_the_run(tmp_path: Path) -> None:
    asked: list[str] = []

    def app(text: str) -> str:
        asked.append(text)
        signal.raise_signal(signal.SIGINT)
        return "a"

    rows = [{"question": str(number)} for number in range(5)]
    with pytest.raises(KeyboardInterrupt):
        evaluate(app, rows, "not_empty", store=str(tmp_path / "runs.db"), progress=False)
    assert asked == ["0"]
    assert list(open_run("last", str(tmp_path / "runs.db")).rows) == [], "the person stopped; the system did not fail"


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The `datasets` library keeps locks of what it generates; not at home."""
    try:
        import datasets.config
    except ImportError:
        yield
        return
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / "cache")
    yield


def test_an_executor_that_a_call_does_not_have_is_refused() -> None:
    rows = [{"question": "q", "answer": "a"}]
    with pytest.raises(ConfigurationError, match=r"evaluate\(\) works on this machine alone"):
        evaluate(lambda text: "a", rows, "exact_match", executor="ray")
    with pytest.raises(ConfigurationError, match=r"run\(\) works on this machine alone"):
        EvalSuite("s").add_cases(rows).add_evaluators("exact_match").run(lambda text: "a", executor="ray")


class OwnDict:
    name = "own"

    def score(self, original: dict[str, Any], processed: dict[str, Any]) -> dict[str, Any]:
        return {"grade": numpy.float32(0.75)}


OWN_SCORES = [
    (OwnDict(), 0.75),
    (lambda output: numpy.float32(0.75), 0.75),
    (lambda output: numpy.bool_(True), 1.0),
    (lambda output: numpy.int64(1), 1.0),
]


@pytest.mark.parametrize(("evaluator", "value"), OWN_SCORES, ids=["dict", "float32", "bool", "int64"])
def test_an_own_evaluators_numbers_reach_the_standard_metrics(evaluator: Any, value: float) -> None:
    result = evaluate(lambda text: "a", [{"question": "q", "answer": "a"}], evaluator, progress=False, store=None)
    (found,) = result.summary.values()
    assert (found["mean_score"], found["pass_rate"], found["num_passing"]) == (value, 1.0, 1.0)
