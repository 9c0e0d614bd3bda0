"""A benchmark of another package is found by its entry point, read, and wired like one of ours."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest

from ringtrue.api.evaluate import evaluate
from ringtrue.datasets import load
from ringtrue.datasets.catalogue.loading import sampled_names
from ringtrue.datasets.catalogue.table import find, metric_of, names, scorings
from ringtrue.errors import ConfigurationError

MODULE = """
from ringtrue.datasets import Benchmark


def read(source):
    yield {"question": "How many sides has a square?", "answer": ["4"]}
    yield {"question": "How many a triangle?", "answer": ["3"]}


SHAPES = Benchmark(
    name="shapes", task="geometry", path="", split="test", fields={}, load=read, metric="math_equiv",
    evaluators=("answer_quality", "math_equivalence"), licence="MIT", citation="me", homepage="", sources=("me",),
)
WRONG = "no benchmark"
READ = []


def endless(source):
    while True:
        READ.append(len(READ))
        yield {"question": "And one?", "answer": [str(len(READ))]}


ENDLESS = Benchmark(
    name="endless", task="counting", path="", split="test", fields={}, load=endless, metric="exact_match",
    licence="MIT", citation="me", homepage="", sources=("me",),
)
"""


@pytest.fixture(autouse=True)
def _plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "shapes_bench.py").write_text(MODULE)
    package = tmp_path / "shapes_bench-1.0.dist-info"
    package.mkdir()
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: shapes-bench\nVersion: 1.0\n")
    (package / "entry_points.txt").write_text(
        "[ringtrue.datasets]\nshapes = shapes_bench:SHAPES\nwrong = shapes_bench:WRONG\ngsm8k = shapes_bench:SHAPES\n"
        "endless = shapes_bench:ENDLESS\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "shapes_bench", raising=False)


def test_it_is_listed_and_read() -> None:
    assert "shapes" in names()
    found = list(load("shapes"))
    assert [case["answer"] for case in found] == [["4"], ["3"]]
    assert {case["source"] for case in found} == {"the loader of shapes"}


def test_it_is_wired_and_measured_by_its_metric() -> None:
    assert scorings(["shapes", "mine"])["shapes"].evaluators == ("answer_quality", "math_equivalence")
    assert "mine" not in scorings(["shapes", "mine"])
    result = evaluate(lambda question: "The answer is 4.", "shapes", progress=False, store=None)
    assert [row.scores["math_equiv"] for row in result.rows] == [1.0, 0.0]
    assert metric_of(["shapes"], ["f1", "math_equiv"]) == "math_equiv"


def test_one_without_files_has_no_sample() -> None:
    assert "shapes" not in sampled_names()
    with pytest.raises(ConfigurationError, match="shapes is generated: it has no sample; write 'shapes'"):
        load("shapes@sample")


def test_it_does_not_take_a_name_of_ours() -> None:
    assert find("gsm8k").path == "openai/gsm8k"


def test_what_is_not_a_benchmark_is_said() -> None:
    with pytest.raises(ConfigurationError, match="the plug-in dataset 'wrong' is str, not a Benchmark"):
        load("wrong")


def test_the_metric_of_a_benchmark_of_ours_is_found_without_asking_other_packages(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[object] = []
    monkeypatch.setattr(
        "importlib.metadata.MetadataPathFinder.find_distributions", lambda *a, **b: asked.append(a) or []
    )
    assert metric_of(["gsm8k", "mgsm:de"], ["f1", "math_equiv"]) == "math_equiv"
    assert asked == []
    assert metric_of(["", "gsm8k"], ["f1", "math_equiv"]) == "f1"
    assert (metric_of(["rows.jsonl"], ["f1"]), bool(asked)) == ("f1", True), "the others are asked for other names"


def taken(count: int) -> int:
    return len(list(load("endless", count)))


def run(count: int) -> int:
    return len(evaluate(lambda question: "1", "endless", max_examples=count, progress=False, store=None).rows)


@pytest.mark.parametrize("take", [taken, run])
@pytest.mark.parametrize("count", [1, 5])
def test_a_few_rows_of_an_endless_benchmark_cost_as_many(count: int, take: Callable[[int], int]) -> None:
    assert take(count) == count
    assert len(import_module("shapes_bench").READ) == count
