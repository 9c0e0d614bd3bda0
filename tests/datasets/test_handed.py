"""Objects of the `datasets` library are read row by row, as they are and no further than asked."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import pytest

from ringtrue.datasets.files.whole_file import read_rows
from ringtrue.datasets.hub.hf_objects import handed_chunks, handed_rows, is_handed
from ringtrue.errors import ConfigurationError

try:
    version("datasets")
except PackageNotFoundError:
    pytest.skip("the extra `datasets` is not installed", allow_module_level=True)

import pyarrow

from datasets import Dataset, DatasetDict, Features, Image, IterableDataset, IterableDatasetDict, Value


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The library keeps locks of what it generates; not at home."""
    monkeypatch.setattr("datasets.config.HF_DATASETS_CACHE", tmp_path / "cache")


ROWS = [{"question": f"q{n}", "answer": f"a{n}", "more": {"n": [n]}} for n in range(1_200)]
READ: list[int] = []


def counted() -> Iterator[dict[str, Any]]:
    READ.clear()
    try:
        for number in range(1_200):
            READ.append(number)
            yield ROWS[number]
    finally:
        READ.append(-1)


def held() -> Dataset:
    return Dataset.from_list(ROWS)


GIVEN: dict[str, Any] = {
    "a dataset": held,
    "in another format": lambda: held().with_format("numpy"),
    "with some columns in it": lambda: held().with_format("numpy", columns=["answer"]),
    "chosen rows": lambda: Dataset.from_list([{**ROWS[0], "question": "no"}, *ROWS]).select(range(1, 1_201)),
    "a stream": lambda: IterableDataset.from_generator(counted),
    "a stream of a dataset": lambda: held().to_iterable_dataset(num_shards=3),
    "the only split": lambda: DatasetDict(test=held()),
    "the only split of a stream": lambda: IterableDatasetDict(test=IterableDataset.from_generator(counted)),
}


@pytest.mark.parametrize("make", GIVEN.values(), ids=GIVEN)
def test_rows_are_plain_and_in_order(make: Any) -> None:
    given = make()
    assert is_handed(given)
    assert list(handed_rows(given)) == ROWS
    chunks = list(handed_chunks(given))
    assert [position for chunk in chunks for position, _ in chunk.rows] == list(range(1_200))
    assert [row for chunk in chunks for _, row in chunk.read()[0]] == ROWS


def test_a_stream_is_read_no_further_than_asked_and_closed() -> None:
    rows = handed_rows(IterableDataset.from_generator(counted))
    assert [next(rows)["question"] for _ in range(3)] == ["q0", "q1", "q2"]
    rows.close()
    assert READ[-1] == -1, "what it read from was closed"
    assert max(READ) < 10


def test_a_picture_stays_bytes() -> None:
    """Nothing decodes it, so nothing has to be installed for that."""
    features = Features({"question": Value("string"), "picture": Image()})
    rows = [{"question": "What is it?", "picture": {"bytes": b"no picture at all", "path": None}}]
    given = Dataset(pyarrow.Table.from_pylist(rows, schema=features.arrow_schema))
    assert list(handed_rows(given)) == rows
    assert list(handed_rows(given.to_iterable_dataset())) == rows


@pytest.mark.parametrize("kind", [DatasetDict, IterableDatasetDict])
def test_of_several_splits_one_is_to_be_given(kind: type) -> None:
    with pytest.raises(ConfigurationError, match=r"has several splits \(train, test\); give one dataset"):
        next(handed_rows(kind(train=held(), test=held())))
    with pytest.raises(ConfigurationError, match="has no splits"):
        next(handed_rows(kind()))


@pytest.mark.parametrize("other", [ROWS, iter(ROWS), {"test": ROWS}, "gsm8k", None, Dataset])
def test_nothing_else_is_taken_for_one(other: Any) -> None:
    assert not is_handed(other)


@pytest.mark.parametrize("shards", [1, 3])
def test_what_the_library_saved_is_read_without_it(shards: int, tmp_path: Path) -> None:
    held().save_to_disk(tmp_path / "one", num_shards=shards)
    DatasetDict(test=held().select(range(5))).save_to_disk(tmp_path / "several")
    assert [row for _, row in read_rows(tmp_path / "one")] == ROWS
    assert [row for _, row in read_rows(tmp_path / "several")] == ROWS[:5]
