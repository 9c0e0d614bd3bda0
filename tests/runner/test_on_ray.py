"""On a real Ray cluster a run equals the run of one machine, row by row, whatever is killed in the middle."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from ringtrue.api.runs import open_run
from ringtrue.records import Row, Run
from support.command import ringtrue
from support.ray_scenarios import in_namespace, why_not

pytest.importorskip("ray", reason="needs ray: pip install 'ringtrue[ray]'")
pytestmark = pytest.mark.skipif(bool(why_not()), reason=why_not() or "-")

FAILING = ("absent", "elsewhere", "objects")
CODE = {"test": "def check(c):\n    assert c(1, 2) == 3\n", "entry_point": "add"}


def write_rows(path: Path, rows: list[dict[str, object]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def shards(folder: Path, count: int, rows: int, *, named: bool = True) -> None:
    for shard in range(count):
        found: list[dict[str, object]] = [
            {"id": f"{shard}-{n}", "question": f"q{n}", "answer": f"Q{n}" if n % 3 else "no", "response": f"Q{n}"}
            for n in range(rows)
        ]
        if not named:
            found = [{name: value for name, value in row.items() if name != "id"} for row in found]
        write_rows(folder / f"a-{shard:02}.jsonl", found)


def timeless(run: Run) -> list[Row]:
    """The rows of a run without what differs from one time to the next."""
    return [
        replace(row, trial=replace(row.trial, output=replace(row.trial.output, latency_seconds=None)), answered_at=None)
        for row in run.rows
    ]


def test_scored_shards_are_those_of_one_machine(tmp_path: Path) -> None:
    """Rows without an id are called by their place among the rows of all shards."""
    shards(tmp_path, 2, 300, named=False)
    said = in_namespace("smoke", tmp_path, 300)
    assert said["code"] == 0, said["said"]
    ringtrue("score", str(tmp_path / "a-*.jsonl"), "-e", "exact_match", "-o", str(tmp_path / "here.jsonl"))
    here, there = open_run(tmp_path / "here.jsonl"), open_run(tmp_path / "out")
    assert list(there.rows) == list(here.rows)
    assert [row.trial.case.id for row in there.rows] == list(range(600))
    assert there.summaries == here.summaries
    assert there.rows.page(offset=299, limit=2) == here.rows.page(offset=299, limit=2)
    shown = ringtrue("show", str(tmp_path / "out" / "manifest.json"), "--json")
    assert json.loads(shown.stdout)["summaries"]


@pytest.mark.heavy
def test_a_worker_and_a_node_die_and_nothing_is_lost(tmp_path: Path) -> None:
    shards(tmp_path, 8, 60)
    programs: list[dict[str, object]] = [
        {"id": 1, "context": "def add(a, b):\n", "response": "    return a + b\n", **CODE},
        {"id": 2, "context": "def add(a, b):\n", "response": "    return a - b\n", **CODE},
    ]
    write_rows(tmp_path / "code.jsonl", programs)
    for shard in range(3):
        cities = [(shard, n) for n in range(30)]
        asked: list[dict[str, object]] = [
            {"id": f"{one}-{n}", "question": f"Say [[city {one} {n}]] please.", "answer": f"city {one} {n}"}
            for one, n in cities
        ]
        write_rows(tmp_path / f"cities-{shard}.jsonl", asked)
    found = in_namespace("kills", tmp_path, 600)

    assert found["killed"] > 0
    assert found["parts_when_the_node_died"] < 8, "the node died too late to matter"
    code, said = found["run"]
    assert code == 0, said
    (tmp_path / "slow.py").write_text("def answer(text):\n    return text.upper()\n")
    store = f"sqlite:///{tmp_path / 'here.db'}"
    here = ("run", "-d", "a-*.jsonl", "-s", "slow:answer", "-e", "exact_match", "--store", store)
    ringtrue(*here, "-o", "here.parquet", cwd=tmp_path)
    one, other = open_run(tmp_path / "here.parquet"), open_run(tmp_path / "out")
    assert timeless(other) == timeless(one)
    key = "exact_match"
    assert other.summary(key) == one.summary(key)
    assert other.status == "finished"

    code, said = found["rescore"]
    assert code == 0, said
    again = open_run(tmp_path / "again")
    assert [row.position for row in again.rows] == [row.position for row in other.rows]
    assert again.summary("starts_with").value == 1.0

    code, said = found["code"]
    assert code == 0, said
    assert [row.scores["code_execution"].value for row in open_run(tmp_path / "code").rows] == [1.0, 0.0]

    code, said = found["asked"]
    assert code == 0, said
    assert found["requests"] == 90
    assert found["most_at_once"] <= 4, "the limit of an endpoint holds for all workers together"
    assert open_run(tmp_path / "asked").summary(key).value == 1.0
    code, said = found["stopped"]
    assert "max-tokens 400" in open_run(tmp_path / "few").stopped_by
    assert found["requests_before_the_limit"] < 90


@pytest.mark.heavy
def test_shards_and_parts_in_object_storage(tmp_path: Path) -> None:
    """Inputs by pattern from a bucket and parts into it, over the S3 protocol; the bucket's folder is a RUN."""
    pytest.importorskip("moto", reason="needs moto: pip install 'moto[server]' s3fs")
    pytest.importorskip("s3fs", reason="needs s3fs: pip install s3fs")
    shards(tmp_path, 3, 200)
    found = in_namespace("object_storage", tmp_path, 1_200)
    failed = {name: said for name, said in found.items() if name not in FAILING and said[0]}
    assert not failed
    parts = [f"bucket/scored/part-{number:06}.parquet" for number in range(3)]
    assert found["objects"] == ["bucket/scored/manifest.json", *parts], "nothing unfinished is left behind"
    one, other = open_run(tmp_path / "local.jsonl"), open_run(tmp_path / "exported.jsonl")
    assert list(other.rows) == list(one.rows)
    assert open_run(tmp_path / "more.jsonl").summary("contains").value == 1.0
    assert found["absent"] == [64, "ringtrue: no file matches 's3://bucket/none/*.jsonl'\n"]
    code, said = found["elsewhere"]
    assert (code, "--executor ray writes to object storage" in said) == (64, True), said
