"""Which files hold a configuration and split, what shape rows have, and what `load_jsonl` counts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ringtrue.datasets import load_jsonl
from ringtrue.datasets.hub.layout import choose_files
from ringtrue.datasets.hub.row_schema import mismatch
from ringtrue.errors import ConfigurationError, InputError

SHARDS = ["all/test-00000-of-00002.parquet", "all/test-00001-of-00002.parquet"]
MMLU = ["README.md", *SHARDS, "all/dev-00000-of-00001.parquet", "anatomy/test-00000-of-00001.parquet"]

LAYOUTS: dict[str, tuple[list[str], str | None, str, list[str]]] = {
    "a folder per configuration": (MMLU, "all", "test", SHARDS),
    "another configuration": (MMLU, "anatomy", "test", ["anatomy/test-00000-of-00001.parquet"]),
    "no such configuration": (MMLU, "virology", "test", []),
    "a synonym of a split": (MMLU, "all", "validation", ["all/dev-00000-of-00001.parquet"]),
    "no such split": (MMLU, "all", "train", []),
    "converted": (["qasper/train/0000.parquet", "qasper/validation/0000.parquet"], None, "validation",
                  ["qasper/validation/0000.parquet"]),
    "a data folder": (["data/test-00000-of-00001.parquet", "data/train-00000-of-00001.parquet"], "default", "test",
                      ["data/test-00000-of-00001.parquet"]),
    "a word in the file's name": (["drop_train.parquet", "drop_validation.parquet"], None, "validation",
                                  ["drop_validation.parquet"]),
    "a file per configuration": (["gpqa_diamond.csv", "gpqa_main.csv"], "gpqa_main", "train", ["gpqa_main.csv"]),
    "no split named is train": (["ifeval_input_data.jsonl", ".gitattributes"], None, "train",
                                ["ifeval_input_data.jsonl"]),
    "no split named is not test": (["rows.jsonl"], None, "test", []),
    "one format of two": (["test.csv", "test.parquet"], None, "test", ["test.parquet"]),
    "gzipped": (["test.jsonl.gz"], None, "test", ["test.jsonl.gz"]),
    "no script": (["qasper.py", "dataset_infos.json", ".cache/x/test.json"], None, "train", []),
    "testing is not a word inside another": (["contest.jsonl", "test.jsonl"], None, "test", ["test.jsonl"]),
}  # fmt: skip


@pytest.mark.parametrize(("names", "config", "split", "expected"), LAYOUTS.values(), ids=LAYOUTS)
def test_files_of_a_split(names: list[str], config: str | None, split: str, expected: list[str]) -> None:
    assert choose_files(names, config, split) == expected


SHAPE = {"id": "integer", "text": "string", "more": {"list": ["string"], "note": "string?"}, "x": "any"}
FITTING: dict[str, Any] = {"id": 1, "text": "", "more": {"list": ["a"], "note": None}, "x": [1], "unnamed": 1}
SHAPES: dict[str, tuple[Any, str]] = {
    "fits": (FITTING, ""),
    "a missing optional": ({**FITTING, "more": {"list": []}}, ""),
    "missing": ({"id": 1}, "the field 'text' is missing; there are 'id'"),
    "inside": ({**FITTING, "more": {"list": ["a", 1]}}, "the field 'more.list[1]' is a number, not a string"),
    "no list": ({**FITTING, "more": {"list": "a"}}, "the field 'more.list' is a string, not a list"),
    "no object": ({**FITTING, "more": []}, "the field 'more' is a list, not an object"),
    "null": ({**FITTING, "id": None}, "the field 'id' is null, not an integer"),
    "true is not a number": ({**FITTING, "id": True}, "the field 'id' is a boolean, not an integer"),
    "no row": ("text", "the row is a string, not an object"),
}


@pytest.mark.parametrize(("row", "problem"), SHAPES.values(), ids=SHAPES)
def test_where_a_row_is_misshapen(row: Any, problem: str) -> None:
    assert mismatch(row, SHAPE) == problem


def test_load_jsonl_counts_rows_and_not_lines(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text('{"a": 1}\n\n{"id": "own", "a": 2}\n   \n{"a": 3}\n')
    assert load_jsonl(path) == [{"id": 0, "a": 1}, {"id": "own", "a": 2}, {"id": 2, "a": 3}]
    assert [row["a"] for row in load_jsonl(path, 2)] == [1, 2]
    assert load_jsonl(path, n=0) == []
    with pytest.raises(ConfigurationError, match="n must be a whole number of at least 0"):
        load_jsonl(path, -1)


def test_load_jsonl_names_the_line_it_cannot_read(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text('{"a": 1}\n{"a":\n')
    with pytest.raises(InputError, match=r"rows\.jsonl:2"):
        load_jsonl(path)
