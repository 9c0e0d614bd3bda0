"""Flat files of rows: every number of every evaluator in a column of its own."""

from __future__ import annotations

import csv
import io
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow.parquet as parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue import score_file
from ringtrue.evaluators import AnswerQuality, ExactMatch, as_evaluator
from ringtrue.evaluators.parts import keys_of, numbers
from ringtrue.records import Case, Output, Row, Score, Trial
from ringtrue.reports.exported import exported
from ringtrue.reports.rows import flat_keys, flat_row, heading


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
    assert list(rows[0])[:9] == [
        "id", "row", "shape.length", "shape.id", "vowels", "shape.passed", "shape.status", "shape.reason",
        "length.length",
    ]  # fmt: skip
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

    def stops(progress: Any) -> None:
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


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_two_evaluators_of_one_class_keep_their_columns(kind: str) -> None:
    """An export once wrote the numbers of the second over those of the first."""
    plain, named = AnswerQuality(), AnswerQuality(name="again")
    declared = {one.name: one.keys for one in (plain, named)} | {"own": ("own",)}
    scores = {"answer_quality": quality(0.25), "again": quality(0.75), "own": Score(1.0, parts={"cost": 1.0, "n": 2.0})}
    rows = [
        Row(Trial(Case(1, "q"), Output("x")), scores),
        Row(Trial(Case(2, "q"), Output("", "no", error="timeout")), dict.fromkeys(scores, Score.error("no answer"))),
    ]
    data = exported(kind, rows, "run", declared)
    if kind == "csv":
        first, second = csv.DictReader(io.StringIO(data.decode()))
        assert (first["f1"], first["again.f1"], second["again.f1"]) == ("0.25", "0.75", "")
    else:
        first, second = parquet.read_table(io.BytesIO(data)).to_pylist()
        assert (first["f1"], first["again.f1"], second["again.f1"]) == (0.25, 0.75, None)
    assert float(first["own.cost"]) == 1.0, "the row's own cost keeps its column"
    assert first["cost"] in ("", None)
    assert float(first["n"]) == 2.0
    assert second["again.status"] == "error"


def test_a_part_that_was_not_measured_leaves_its_own_cell_empty() -> None:
    class Halved:
        name, parts, keys = "halved", ("one", "two", "three"), ("one", "two", "three")

    keys = flat_keys([Halved()])  # type: ignore[list-item]
    assert heading(keys) == ["id", "row", "one", "two", "three", "halved.passed", "halved.status", "halved.reason"]
    score = Score(0.5, parts={"one": 0.5, "three": 1.0})
    assert flat_row(keys, "a", 1, [score]) == ["a", 1, 0.5, None, 1.0, None, "scored", ""]
    assert flat_row(keys, "a", 1, [Score.skipped("no")]) == ["a", 1, None, None, None, None, "skipped", "no"]


names = st.text("abc.", min_size=1, max_size=3)


@given(st.dictionaries(names, st.lists(names, max_size=4, unique=True), min_size=1, max_size=4), st.sets(names))
def test_keys_are_never_shared_except_where_a_name_imitates_one(seen: dict[str, list[str]], taken: set[str]) -> None:
    keys = keys_of(seen, {name: (name,) for name in seen}, taken)
    plain = [key for own in keys.values() for part, key in own.items() if key == part]
    assert len(set(plain)) == len(plain)
    assert not taken & set(plain)
    for name, own in keys.items():
        assert list(own) == (seen[name] or [name])
        assert numbers(Score(0.5), own) == {next(iter(own.values())): 0.5}


def test_builtin_keys_are_the_documented_ones() -> None:
    evaluators = [ExactMatch(), AnswerQuality(name="aq"), as_evaluator(length)]
    keys = flat_keys(evaluators)
    assert keys["exact_match"] == {"exact_match": "exact_match"}
    assert keys["aq"] == {part: f"aq.{part}" for part in AnswerQuality.parts}
