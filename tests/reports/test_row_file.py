"""Files of rows: every number of every evaluator in a column of its own, and the run again when they are read."""

from __future__ import annotations

import csv
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow.parquet as parquet
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ringtrue import evaluate, score_file
from ringtrue.api.runs import open_run
from ringtrue.errors import AbsentFile, ConfigurationError, InputError
from ringtrue.evaluators import AnswerQuality, ExactMatch, Latency, as_evaluator
from ringtrue.evaluators.parts import evaluator_info
from ringtrue.records import Case, DatasetInfo, EvaluatorInfo, Made, Output, Row, RowFilter, Score, SystemInfo, Trial
from ringtrue.reports.row_file import write_rows
from ringtrue.reports.run_file import read_run
from ringtrue.runner.run_from_rows import run_of
from ringtrue.stats.row_pages import page_of


class Shape:
    """A user's evaluator with numbers of its own, some of them only at times."""

    name = "shape"

    def score(self, original: dict[str, Any], processed: dict[str, Any]) -> dict[str, float]:
        if processed["response"] == "?":
            raise ValueError("nothing to measure")
        found = {"length": len(processed["response"]) / 10, "id": 0.5}
        return found | ({"vowels": 1.0} if "a" in processed["response"] else {})


def length(output: str) -> dict[str, float]:
    return {"length": 1.0}


ANSWERS = ["ab", "x", "?", "banana"]


@pytest.fixture
def answers(tmp_path: Path) -> Path:
    path = tmp_path / "answers.jsonl"
    path.write_text("".join(f'{{"id": {n}, "response": "{text}", "answer": "x"}}\n' for n, text in enumerate(ANSWERS)))
    return path


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_a_users_own_numbers_are_all_written(kind: str, answers: Path, tmp_path: Path) -> None:
    out = tmp_path / f"out.{kind}"
    score_file(answers, [Shape(), length, "answer_quality"], output=str(out))
    rows = table(out)
    columns = list(rows[0])
    assert columns[:6] == ["id", "row", "dataset", "system", "repeat", "input"]
    first = columns.index("shape.length")
    assert columns[first : first + 8] == [
        "shape.length", "shape.id", "vowels", "shape.passed", "shape.threshold", "shape.status", "shape.reason",
        "length.length",
    ]  # fmt: skip
    assert [row["answer_quality.threshold"] for row in rows] == [0.5] * 4
    assert [row["shape.length"] for row in rows] == [0.2, 0.1, None, 0.6]
    assert [row["vowels"] for row in rows] == [1.0, None, None, 1.0]
    assert [row["length.length"] for row in rows] == [1.0] * 4
    assert [row["shape.status"] for row in rows] == ["scored", "scored", "error", "scored"]
    assert rows[2]["shape.reason"] == "ValueError: nothing to measure"
    assert [row["f1"] for row in rows] == [0.0, 1.0, 0.0, 0.0]
    assert [row["id"] for row in rows] == ["0", "1", "2", "3"]
    assert [path.name for path in tmp_path.iterdir() if path not in (out, answers)] == []


def test_a_file_whose_columns_come_late_is_whole_or_not_there(answers: Path, tmp_path: Path) -> None:
    with answers.open("a") as file:
        file.write('{"response": "ab"}\n' * 3)

    class Stop(Exception):
        pass

    def stops(rows: int, size: float, problems: Any) -> None:
        raise Stop

    with pytest.raises(Stop):
        score_file(answers, [Shape()], output=str(tmp_path / "out.csv"), listener=stops)
    assert [path.name for path in tmp_path.iterdir()] == ["answers.jsonl"]


def test_waiting_for_columns_takes_no_memory(tmp_path: Path) -> None:
    peaks = []
    for rows in (10_000, 40_000):
        path = tmp_path / f"{rows}.jsonl"
        path.write_text('{"response": "a word or two, to have something to write down", "answer": "x"}\n' * rows)
        code = (
            "import re\nfrom ringtrue import score_file\n"
            "def own(original, processed): return {'a': 1.0, 'b': 0.5}\n"
            f"score_file({str(path)!r}, [own], output={str(tmp_path / 'out.csv')!r})\n"
            "print(re.search(r'VmHWM:\\s+(\\d+)', open('/proc/self/status').read())[1])"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        peaks.append(int(done.stdout.split()[-1]))
    assert peaks[1] < peaks[0] * 1.2


def table(path: Path) -> list[dict[str, Any]]:
    if path.suffix == ".parquet":
        found: list[dict[str, Any]] = parquet.read_table(path).to_pylist()
        return found
    number = re.compile(r"\d+\.\d+")
    return [
        {name: float(cell) if number.fullmatch(cell) else cell or None for name, cell in row.items()}
        for row in csv.DictReader(path.read_text().splitlines())
    ]


def quality(f1: float) -> Score:
    return Score(f1, parts=dict.fromkeys(AnswerQuality.parts, f1))


def made(*evaluators: Any, job: Any = "run") -> Made:
    infos = (one if isinstance(one, EvaluatorInfo) else evaluator_info(one, one.signature()) for one in evaluators)
    return Made(job=job, datasets=(DatasetInfo("d"),), systems=(SystemInfo("s"),), evaluators=tuple(infos), version="1")


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_two_evaluators_of_one_class_keep_their_columns(kind: str, tmp_path: Path) -> None:
    """An export once wrote the numbers of the second over those of the first."""
    scores = {"answer_quality": quality(0.25), "again": quality(0.75), "own": Score(1.0, parts={"cost": 1.0, "n": 2.0})}
    rows = [
        Row(Trial(Case(1, "q"), Output("x")), scores),
        Row(Trial(Case(2, "q"), Output("", "no", error="timeout")), dict.fromkeys(scores, Score.error("no answer"))),
    ]
    path = tmp_path / f"out.{kind}"
    write_rows(path, rows, made(AnswerQuality(), AnswerQuality(name="again"), EvaluatorInfo("own")))
    first, second = table(path)
    assert (first["f1"], first["again.f1"], second["again.f1"]) == (0.25, 0.75, None)
    assert first["own.cost"] == 1.0, "the row's own cost keeps its column"
    assert first["cost"] is None
    assert first["n"] == 2.0
    assert second["again.status"] == "error"


def test_a_part_that_was_not_measured_leaves_its_own_cell_empty(tmp_path: Path) -> None:
    keys = {name: name for name in ("one", "two", "three")}
    halved = EvaluatorInfo("halved", keys=keys, main="one")
    scores = [Score(0.5, parts={"one": 0.5, "three": 1.0}), Score.skipped("no"), Score(0.25)]
    rows = [Row(Trial(Case(n), Output("x")), {"halved": score}, n) for n, score in enumerate(scores)]
    path = tmp_path / "out.parquet"
    write_rows(path, rows, made(halved))
    columns = ["one", "two", "three", "halved.passed", "halved.status", "halved.reason"]
    assert [[row[name] for name in columns] for row in table(path)] == [
        [0.5, None, 1.0, None, "scored", None],
        [None, None, None, None, "skipped", "no"],
        [0.25, None, None, None, "scored", None],
    ]


def test_builtin_keys_are_the_documented_ones(tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    evaluators = [ExactMatch(), AnswerQuality(), as_evaluator(length)]
    trial = Trial(Case(1, "q", ("x",)), Output("x"))
    rows = [Row(trial, {one.name: one.measure(trial) for one in evaluators})]
    write_rows(path, rows, made(*evaluators))
    found = list(table(path)[0])
    for part in AnswerQuality.parts:
        assert (part in found) != (f"answer_quality.{part}" in found)
    assert {"exact_match.exact_match", "answer_quality.exact_match", "f1", "length"} <= set(found)


text = st.text(st.characters(), max_size=12)  # lone surrogates and control characters among them
some_rows = st.lists(
    st.builds(
        lambda name, question, answer, f1, tag: Row(
            Trial(
                Case(name, question, (answer,), tags=(tag,), fields={"dataset": "d", "extra": {"deep": [tag]}}),
                Output(answer, latency_seconds=0.25, input_tokens=3, output_tokens=4, cost=0.5, calls=1),
            ),
            {"quality": Score(f1, passed=f1 >= 0.5, parts={"f1": f1}, reason=tag, metadata={"tag": tag})},
            system="s",
        ),
        name=text,
        question=text,
        answer=text,
        f1=st.floats(0, 1),
        tag=text,
    ),
    min_size=1,
    max_size=4,
)
QUALITY = EvaluatorInfo("quality", "quality=1", 0.5, {"f1": "f1"}, "f1")


@given(some_rows)
@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_lines_are_the_run_again(tmp_path: Path, rows: list[Row]) -> None:
    how = made(QUALITY)
    path = tmp_path / "out.jsonl"
    write_rows(path, rows, how)
    again = read_run(path)
    assert (list(again.rows), len(again.rows), again.made) == (rows, len(rows), how)
    assert again.summaries == run_of(how, rows).summaries


def answer(question: str) -> str:
    if question == "broken":
        raise ValueError("down")
    return "x" if question == "a" else "y\x00é"


CASES = [
    {"id": 1, "question": "a", "answer": "x", "dataset": "one", "extra": [1, {"b": None}]},
    {"id": "1", "question": "b", "answer": ["x", "y"], "dataset": "two", "source_id": "s"},
    {"id": 2.5, "question": "broken", "answer": "x", "dataset": "two", "context": "c"},
    {"id": 4, "question": "c", "dataset": "one", "tags": ["t"]},
]


@pytest.mark.parametrize("name", ["out.jsonl", "out.parquet"])
def test_a_file_of_rows_is_the_run_again(name: str, tmp_path: Path) -> None:
    run = evaluate(answer, CASES, ["answer_quality", Latency(5_000)], store=None, progress=False, repeats=2).run
    write_rows(tmp_path / name, run.rows, run.made)
    again = read_run(tmp_path / name)
    assert again.made == run.made
    assert len(again.rows) == len(run.rows) == 8
    assert again.summaries == run.summaries
    for mine, other in zip(again.rows, run.rows, strict=True):
        scores = json.loads(json.dumps([mine.scores, other.scores], default=vars_of))
        assert scores[0] == scores[1]
        assert (mine.position, mine.repeat, mine.system, mine.dataset) == (
            other.position, other.repeat, other.system, other.dataset,
        )  # fmt: skip
        assert (mine.trial.case.id, mine.trial.output) == (other.trial.case.id, other.trial.output)


@pytest.mark.parametrize(("id", "read"), [(1, 1), ("1", "1"), (2.5, 2.5), (10**30, 10**30), (True, "True")])
def test_a_table_keeps_the_kind_of_an_id(id: Any, read: Any, tmp_path: Path) -> None:
    """`True` was taken for a number, and the file could not be read again."""
    write_rows(tmp_path / "out.parquet", [Row(Trial(Case(id), Output("a")), {"quality": Score(1.0)})], made(QUALITY))
    (found,) = read_run(tmp_path / "out.parquet").rows
    assert (found.trial.case.id, type(found.trial.case.id)) == (read, type(read))


def test_a_table_escapes_half_of_a_surrogate_pair(tmp_path: Path) -> None:
    """UTF-8 has no place for it; lines of JSON have."""
    rows = [Row(Trial(Case("\ud800"), Output("\ud800é")), {"quality": Score(1.0, metadata={"x": "\ud800"})})]
    write_rows(tmp_path / "out.parquet", rows, made(QUALITY))
    (found,) = read_run(tmp_path / "out.parquet").rows
    assert (found.trial.case.id, found.trial.output.text) == ("\\ud800", "\\ud800é")
    assert found.scores["quality"].metadata == {"x": "\ud800"}


def vars_of(value: Any) -> Any:
    return {name: getattr(value, name) for name in value.__dataclass_fields__}


@pytest.mark.parametrize("name", ["out.jsonl", "out.parquet"])
def test_a_scored_file_is_a_run_too(name: str, answers: Path, tmp_path: Path) -> None:
    run = score_file(answers, ["answer_quality", Shape()], output=tmp_path / name)
    again = read_run(tmp_path / name)
    assert (again.made, len(again.rows)) == (run.made, 4)
    for dataset, systems in run.summaries.items():
        for system, found in systems.items():
            assert again.summaries[dataset][system] == found


FILTERS = [
    None,
    RowFilter(dataset="two"),
    RowFilter(system="answer"),
    RowFilter(system="nobody"),
    RowFilter(case_id="1"),
    *(RowFilter(status=status) for status in ("passed", "failed", "skipped", "error")),  # type: ignore[arg-type]
    RowFilter(text="BROKEN"),
    RowFilter(scores=(("f1", "<", 0.5),)),
    RowFilter(dataset="two", status="error", text="o"),
]


@pytest.mark.parametrize("order", ["position", "worst"])
@pytest.mark.parametrize("wanted", FILTERS, ids=str)
def test_pages_of_kept_rows_are_those_of_rows_in_memory(wanted: RowFilter | None, order: Any, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/x.db"
    run = evaluate(answer, CASES, ["answer_quality"], store=url, progress=False, repeats=2).run
    write_rows(tmp_path / "rows.jsonl", run.rows, run.made)
    for kept in (open_run("last", url), open_run(tmp_path / "rows.jsonl")):
        for offset, limit in ((0, None), (1, 2), (0, 0), (7, 5)):
            found = kept.rows.page(wanted, order, offset, limit)
            asked = page_of(run.rows, run.made, wanted, order, offset, limit)
            assert [(row.position, row.repeat) for row in found] == [(row.position, row.repeat) for row in asked]
        assert [row.trial.output.text for row in kept.rows] == [row.trial.output.text for row in run.rows]


@pytest.mark.parametrize(
    ("name", "content", "error", "words"),
    [
        ("none.jsonl", None, AbsentFile, "there is no file"),
        ("x.csv", b"id\n1\n", ConfigurationError, "a file of rows ends in .jsonl or .parquet"),
        ("x.parquet", b"PAR1", InputError, "not Parquet"),
        ("x.jsonl", b'{"scores": {}}\n\xff\n', InputError, r"x.jsonl:2: not JSON"),
        ("x.jsonl", b'{"response": "x"}\n', InputError, "'ringtrue score' reads other files of answers"),
    ],
    ids=["absent", "csv", "not-parquet", "not-utf8", "answers"],
)
def test_what_is_not_a_file_of_rows_is_refused(
    name: str, content: bytes | None, error: type[Exception], words: str, tmp_path: Path
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(error, match=words):
        read_run(tmp_path / name)


def test_rows_that_do_not_say_how_they_were_made_still_show_it(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text('{"id": 1, "system": "s", "dataset": "d", "scores": {"own": {"value": 0.75}}}\n')
    run = read_run(path)
    assert run.summaries["d"]["s"]["own"].value == 0.75
    assert [one.name for one in run.made.evaluators] == ["own"]


def test_no_rows_are_a_file_without_rows(tmp_path: Path) -> None:
    for name in ("x.jsonl", "x.csv", "x.parquet"):
        write_rows(tmp_path / name, [], made(QUALITY))
    assert (tmp_path / "x.jsonl").read_bytes() == b""
    assert len(read_run(tmp_path / "x.parquet").rows) == len(read_run(tmp_path / "x.jsonl").rows) == 0
    assert read_run(tmp_path / "x.parquet").made == made(QUALITY)


@pytest.mark.parametrize(
    "gold", [["Paris"], ["Paris | x", "Lutetia"], ["[1]"], ["[1", "2"], ['["a"]'], ['"', ", ;"]], ids=repr
)
def test_the_answers_in_a_cell_are_read_back_as_they_were(gold: list[str], tmp_path: Path) -> None:
    rows = [{"id": "1", "question": "q", "answer": gold, "response": gold[-1]}]
    score_file(rows, ["exact_match"], output=tmp_path / "rows.csv")
    again = score_file(tmp_path / "rows.csv", ["exact_match"])
    assert [row.trial.case.expected for row in again.rows] == [tuple(gold)]
    assert again.summary("exact_match").value == 1.0


def test_a_cell_that_only_begins_like_a_list_is_text(tmp_path: Path) -> None:
    """A person may change a table by hand."""
    (tmp_path / "rows.csv").write_text("row,system,repeat,response,problem,expected\n1,s,0,[x,,[x\n")
    assert score_file(tmp_path / "rows.csv", ["exact_match"]).summary("exact_match").value == 1.0
