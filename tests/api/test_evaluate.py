"""`evaluate`: shapes of systems and results, errors as rows, nothing lost, nothing asked twice."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ringtrue import aevaluate, evaluate
from ringtrue.api.runs import open_run, rescore
from ringtrue.api.score_file import score_file
from ringtrue.datasets.cases import read_cases
from ringtrue.errors import ConfigurationError, InputError
from ringtrue.evaluators import AnswerQuality, Contains, ExactMatch, NotEmpty
from ringtrue.metrics import (
    CompressionRatio,
    CostOfPass,
    Latency,
    MeanScore,
    ParetoRank,
    PassAtK,
    PassRate,
    PerDatasetBreakdown,
)
from ringtrue.records import Score, Trial
from ringtrue.reports.eval_result import EvalResult
from ringtrue.store.database import Database

ROWS = [{"id": n, "question": f"q{n}", "answer": f"Q{n}"} for n in range(6)]


def shout(text: str) -> str:
    return text.upper()


class Parrot:
    """The documented system protocol, nothing imported."""

    name = "parrot"

    def process(self, example: dict[str, Any]) -> dict[str, Any]:
        example["answer"] = "tampered"
        return {**example, "response": example["question"]}


def called(name: str) -> Parrot:
    parrot = Parrot()
    parrot.name = name
    return parrot


@pytest.fixture
def store(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'r.db'}"


def run(systems: Any, rows: Any = ROWS, evaluators: Any = None, **options: Any) -> Any:
    return evaluate(systems, rows, evaluators, progress=False, **{"store": None, **options})


def test_the_documented_result(store: str) -> None:
    result = run(
        [shout, Parrot()], metrics=[MeanScore("f1"), PassRate(0.7, "f1"), Latency(), CompressionRatio()], store=store
    )
    assert result.summary["shout"]["mean_score"] == 1.0
    assert result.summary["parrot"]["pass_rate"] == 1.0
    assert result.details["shout"]["f1"] == result.run.summaries[""]["shout"]["f1"]
    assert (result.details["shout"]["f1"].n, result.details["shout"]["f1"].threshold) == (6, 0.5)
    assert result.details["shout"]["mean_score"].interval == pytest.approx((0.6097, 1.0), abs=1e-4)
    assert [row.example_id for row in result.rows] == [0, 1, 2, 3, 4, 5] * 2
    row = result.rows[0]
    assert row.scores == {"f1": 1.0, "exact_match": 1.0, "recall": 1.0, "contains": 1.0, "answer_found": 1.0}
    assert (row.system, row.response, row.status) == ("shout", "Q0", "ok")
    assert row.input_tokens is not None
    assert set(result.timing) == {"shout", "parrot"}
    assert result.config["num_examples"] == 6
    loaded = json.loads(result.to_json())
    assert loaded["summary"]["shout"]["mean_score"] == 1.0
    assert "| shout |" in result.to_markdown()
    assert result.filter(system="shout").summary.keys() == {"shout"}
    assert result.filter(example_id=0).details["shout"]["f1"].n == 1
    with pytest.raises(ConfigurationError, match="no attribute 'typo'"):
        result.filter(typo=None)


def test_passed_metrics_and_filtered_rows_are_shown() -> None:
    result = run([shout, called("other")], metrics=[MeanScore("f1")])
    assert str(result).endswith("shout  mean_score  100.0 % (61.0–100.0)\nother  mean_score  100.0 % (61.0–100.0)")
    assert "shout  mean_score" in result._repr_html_()
    assert "mean_score" not in str(run(shout))
    own = result.filter(system="shout", example_id=0)
    assert repr(own) == "<EvalResult: 1 of 12 rows>"
    assert str(own) == "1 of 12 rows\n\nshout  mean_score  100.0 % (20.7–100.0)"
    assert "1 of 12 rows" in own._repr_html_()


def test_a_system_cannot_rewrite_the_gold() -> None:
    assert run(Parrot()).rows[0].scores["exact_match"] == 1.0


def test_asynchronous_systems_and_running_loops() -> None:
    async def later(text: str) -> str:
        await asyncio.sleep(0)
        return text.upper()

    async def inside() -> tuple[Any, Any]:
        # A blocking call inside a running loop works and leaves that loop alone.
        return run(later), await aevaluate(later, ROWS, progress=False, store=None)

    for result in asyncio.run(inside()):
        assert result.details["later"]["exact_match"].value == 1.0


def test_an_endless_dataset_is_read_no_further_than_asked() -> None:
    endless: Iterator[dict[str, Any]] = ({"question": f"q{n}", "answer": f"Q{n}"} for n in itertools.count())
    assert len(run(shout, endless, max_examples=2).rows) == 2


@pytest.mark.parametrize(
    ("systems", "rows", "options", "message"),
    [
        ([shout, shout], ROWS, {}, "two systems are named 'shout'"),
        ([], ROWS, {}, "no system given"),
        (42, ROWS, {}, "is not a system"),
        (Parrot, ROWS, {}, "is a class; pass an object"),
        (shout, 42, {}, "a dataset is a name, a file, a data frame or"),
        (shout, [1, 2], {}, "row 1 of the dataset is int, not a dict"),
        (shout, ROWS, {"evaluators": [Contains(["a"]), Contains(["b"])]}, "two evaluators are named 'contains'"),
        (shout, ROWS, {"evaluators": []}, "no evaluator given"),
        (shout, ROWS, {"metrics": [MeanScore("f2")]}, "reads the score 'f2', which no evaluator gives"),
        (called("a\ud800"), ROWS, {}, "holds a character that cannot be stored"),
        (called("a\0b"), ROWS, {}, "holds a character that cannot be stored"),
        (called("n" * 201), ROWS, {}, "text of 1 to 200 characters"),
        (shout, ROWS, {"evaluators": [ExactMatch(name="x\udfff")]}, "holds a character that cannot be stored"),
        (shout, ROWS, {"max_examples": -1}, "max_examples must be a whole number of at least 0"),
        (shout, ROWS, {"max_cost": 1.0}, "--max-cost needs prices"),
        (shout, ROWS, {"max_cost": float("nan")}, "max_cost must be a number"),
        (shout, ROWS, {"timeout": float("nan")}, "timeout must be a number"),
    ],
    ids=lambda value: value[:40] if isinstance(value, str) else None,
)
def test_a_wrong_plan_is_refused_before_the_first_call(systems: Any, rows: Any, options: Any, message: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        run(systems, rows, **options)
    assert message in str(caught.value)


def test_a_missing_file_is_an_input_error() -> None:
    with pytest.raises(InputError, match="does not exist"):
        run(shout, "nowhere.jsonl")


def raises(text: str) -> str:
    raise ZeroDivisionError("by zero")


def exits(text: str) -> str:
    sys.exit(3)


def nothing(text: str) -> None:
    return None


def blocks(text: str) -> str:
    time.sleep(60)
    return ""


@pytest.mark.parametrize(
    ("system", "status", "words"),
    [
        (raises, "system_error", "ZeroDivisionError: by zero"),
        (exits, "system_error", "SystemExit: 3"),
        (nothing, "ok", "the output is None"),
        (blocks, "timeout", "no answer within 1 s"),
    ],
)
def test_a_system_that_fails_costs_its_own_rows(system: Any, status: str, words: str) -> None:
    result = run([system, shout], ROWS[:2], timeout=1)
    bad, good = result.rows[:2], result.rows[2:]
    assert [row.status for row in bad] == [status] * 2
    assert words in bad[0].metadata["problem"]
    assert [row.scores["f1"] for row in good] == [1.0, 1.0]
    summary = result.details[system.__name__]["f1"]
    if status == "ok":
        assert (summary.value, summary.n, summary.errors) == (0.0, 2, 0)
    else:
        assert (summary.value, summary.n, summary.errors, summary.bounds) == (None, 0, 2, (0.0, 1.0))


def test_the_summary_shows_what_errors_could_have_been() -> None:
    def half(text: str) -> str:
        if text in ("q0", "q1"):
            raise RuntimeError
        return text.upper()

    summary = run(half).details["half"]["exact_match"]
    assert (summary.value, summary.n, summary.errors) == (1.0, 4, 2)
    assert summary.bounds == (pytest.approx(4 / 6), 1.0)


def test_an_evaluator_that_fails_costs_its_own_score() -> None:
    def broken(output: str) -> float:
        raise KeyError("x")

    result = run(shout, evaluators=[broken, ExactMatch()])
    assert result.rows[0].absent == {"broken": "error"}
    assert result.rows[0].scores == {"exact_match": 1.0}


def test_errors_stop_a_run_with_a_budget() -> None:
    result = run(raises, [{"question": f"q{n}"} for n in range(100)], max_errors=3)
    assert len(result.rows) < 10
    assert "--max-errors 3 is used up" in result.config["stopped_by"]


def test_wiring_follows_the_rows() -> None:
    rows = [
        {"dataset": "gsm8k", "question": "1+1", "answer": "2"},
        {"dataset": "mmlu:anatomy", "question": "x", "correct_letter": "B", "choices": ["a", "b"]},
        {"question": "x", "answer": "b"},
    ]
    result = run(lambda text: "The answer is B, that is \\boxed{2}", rows)
    assert [sorted(set(row.scores) - {"f1", "exact_match", "recall", "contains"}) for row in result.rows] == [
        ["math_equiv"],
        ["mc_accuracy"],
        ["answer_found"],
    ]
    assert result.details["<lambda>"]["mc_accuracy"].n == 1


def test_repeats() -> None:
    answers = itertools.cycle(["Q0", "wrong"])
    result = run(
        lambda text: next(answers),
        ROWS[:1],
        repeats=4,
        metrics=[PassAtK(2, 0.7, "exact_match"), MeanScore("exact_match")],
    )
    assert len(result.rows) == 4
    numbers = result.summary["<lambda>"]
    assert numbers["pass@2"] == pytest.approx(1 - 1 / 6)
    assert numbers["pass^2"] == pytest.approx(1 / 6)
    assert numbers["flaky"] == 1.0
    assert result.details["<lambda>"]["mean_score"].interval is None  # one case is not a sample


def test_ranks() -> None:
    result = run([shout, lambda text: "no"], metrics=[MeanScore("f1"), CostOfPass(0.7, "f1"), ParetoRank()])
    assert [numbers["pareto_rank"] for numbers in result.summary.values()] == [1.0, 2.0]
    assert result.summary["<lambda>"]["cost_of_pass"] is None
    assert "Infinity" not in result.to_json()


def test_conversations() -> None:
    class Talker:
        name = "talker"

        def process(self, example: dict[str, Any]) -> dict[str, Any]:
            raise AssertionError("a conversation goes to process_conversation")

        def process_conversation(self, turns: list[dict[str, str]]) -> list[dict[str, str]]:
            return [{"role": "assistant", "content": turn["content"].upper()} for turn in turns]

    rows = [
        {
            "multi_turn": True,
            "turns": [{"role": "user", "content": "a"}, {"role": "user", "content": "b"}],
            "answer": "B",
        }
    ]
    (row,) = run(Talker(), rows).rows
    assert row.response == "B"
    assert (row.input_tokens, row.output_tokens) == (2, 2), "every turn counts; once none of them did"

    class Silent(Talker):
        def process_conversation(self, turns: list[dict[str, str]]) -> Any:
            return None

    (row,) = run(Silent(), rows).rows
    assert (row.status, row.scores["f1"]) == ("ok", 0.0)
    assert "returned NoneType, not a list of messages" in row.metadata["problem"]


def test_a_stored_run_is_shown_and_scored_again_without_a_call(store: str) -> None:
    calls: list[str] = []

    def once(text: str) -> str:
        calls.append(text)
        if text == "q5":
            raise RuntimeError("no")
        return text.upper()

    first = run(once, store=store)
    assert len(calls) == 6
    again = EvalResult(rescore(first.config["run"], ["exact_match", "contains(['Q'])"], store=store))
    assert len(calls) == 6
    assert again.details["once"]["contains"].n == 5
    assert again.details["once"]["contains"].errors == 1
    shown = EvalResult(open_run(first.config["run"], store))
    assert shown.details["once"]["f1"] == first.details["once"]["f1"]
    assert open_run("last", store).id == again.config["run"]
    with pytest.raises(ConfigurationError, match="there is no run 'zzz'"):
        open_run("zzz", store)


class Slips:
    """A check with a part that only counts."""

    name = "style"
    parts = ("neat", "slips")
    keys = ("style.neat", "style.slips")
    counts = frozenset({"slips"})

    def measure(self, trial: Trial) -> Score:
        return Score(1.0, passed=True, parts={"neat": 1.0, "slips": 0.0})

    def signature(self) -> str:
        return "slips"


def test_a_part_that_counts_has_no_verdicts_in_runs_as_in_files(store: str, tmp_path: Path) -> None:
    found = run(shout, evaluators=[Slips()], store=store)
    shown = EvalResult(open_run("last", store))
    again = EvalResult(rescore("last", [Slips()], store=store))
    path = tmp_path / "answers.jsonl"
    path.write_text("".join(json.dumps({**row, "response": "x"}) + "\n" for row in ROWS))
    files = score_file(path, [Slips()]).summaries["answers.jsonl"]["answers"]
    for summaries in (found.details["shout"], shown.details["shout"], again.details["shout"], files):
        numbers = {key: (one.n, one.passed, one.failed) for key, one in summaries.items() if key.startswith("style")}
        assert numbers == {"style.neat": (6, 6, 0), "style.slips": (6, None, None)}


def test_cases_of_files_keep_their_ids(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("id,question,answer\n1,q,\n2,p,a\n")
    assert [(case.id, case.expected) for case in read_cases(str(path))] == [("1", None), ("2", ("a",))]


PROGRAM = """
import sys, time
from ringtrue import evaluate
def slow(text):
    with open(sys.argv[2], "a") as log:
        log.write(text + "\\n")
    time.sleep(0.02)
    return text.upper()
rows = [{"id": n, "question": f"q{n}", "answer": f"Q{n}"} for n in range(60)]
result = evaluate(slow, rows, store=sys.argv[1], progress=False, max_workers=4)
print(result.config["run"], len(result.rows), result.details["slow"]["exact_match"].value)
"""


def test_kill_9_loses_nothing_and_asks_nothing_twice(tmp_path: Path, store: str) -> None:
    log = tmp_path / "log"
    log.touch()
    command = [sys.executable, "-c", PROGRAM, store, str(log)]
    for asked in (10, 25, 40):
        process = subprocess.Popen(command, env=dict(os.environ))
        while len(log.read_text().split()) < asked and process.poll() is None:
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        process.wait()
    with Database(store) as database:
        kept = sum(1 for _ in database.rows(database.runs()[0].id))
        assert len(database.runs()) == 1
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.split()[1:] == ["60", "1.0"]
    asked_in_all = log.read_text().split()
    # At most the four in flight at each of the three kills are asked again.
    assert 60 <= len(asked_in_all) <= 60 + 3 * 4
    assert kept >= 40 - 3 * 4 - 4  # four more may be answered and not yet scored


class Compressor:
    name = "compressor"

    def process(self, example: dict[str, Any]) -> dict[str, Any]:
        return {**example, "context": example["context"][:4], "kept": [1]}


class Shrinkage:
    name = "shrinkage"

    def score(self, original: dict[str, Any], processed: dict[str, Any]) -> dict[str, float]:
        assert "response" not in processed
        assert processed["kept"] == [1]
        return {"shrinkage": 1 - len(processed["context"]) / len(original["context"])}


def test_an_evaluator_sees_the_dict_that_the_system_returned(tmp_path: Path) -> None:
    rows = [{"id": 1, "context": "12345678", "answer": "1"}]
    for _ in range(2):  # the second time from the store
        result = evaluate([Compressor()], rows, [Shrinkage(), NotEmpty()], progress=False, cache_dir=tmp_path)
        assert result.rows[0].scores == {"shrinkage": 0.5, "not_empty": 0.0}


MIXED = [
    {"id": 1, "question": "1/2?", "answer": "0.5", "dataset": "gsm8k"},
    {"id": 2, "question": "Who?", "answer": "Ada Lovelace", "dataset": "hotpotqa"},
    {"id": 3, "question": "Where?", "answer": "Rome"},
]
SAID = {"1/2?": "It is one half: $\\frac{1}{2}$", "Who?": "Ada", "Where?": "in Rome"}


def test_quality_is_each_benchmarks_own_metric_where_no_score_is_named(store: str) -> None:
    """Once every row counted by f1, a right answer to a sum among them as a wrong one."""
    metrics = [MeanScore(), PassRate(0.6), CostOfPass(0.6), PassAtK(1, 0.6), PerDatasetBreakdown("score")]
    result = run(SAID.get, MIXED, metrics=metrics, store=store)
    assert [row.main for row in result.rows] == ["math_equiv", "f1", "answer_found"]
    found = result.summary["get"]
    assert found["mean_score"] == pytest.approx((1 + 2 / 3 + 1) / 3)
    assert (found["pass_rate"], found["num_passing"], found["pass@1"]) == (1.0, 3.0, 1.0)
    assert found["dataset:gsm8k"] == 1.0
    assert result.details["get"]["mean_score"].n == 3
    assert EvalResult(open_run("last", store), metrics).summary == result.summary
    by_f1 = run(SAID.get, MIXED, metrics=[MeanScore("f1")]).summary["get"]["mean_score"]
    assert by_f1 is not None
    assert by_f1 < found["mean_score"]


def test_a_score_that_is_named_score_is_meant_by_that_name() -> None:
    class Mine:
        name = "mine"

        def score(self, original: dict[str, Any], processed: dict[str, Any]) -> dict[str, float]:
            return {"score": 0.25, "other": 1.0}

    result = run(SAID.get, MIXED, [AnswerQuality(), Mine()], metrics=[MeanScore()])
    assert result.summary["get"]["mean_score"] == 0.25


def test_a_row_without_its_main_score_is_counted_as_what_it_lacks() -> None:
    def some(text: str) -> str:
        if text == "1/2?":
            raise ValueError("boom")
        return text

    found = run(some, MIXED, metrics=[MeanScore()]).details["some"]["mean_score"]
    assert (found.n, found.errors) == (2, 1)
