"""Datasets of Hugging Face's library as manifests of cases."""

from __future__ import annotations

from typing import Any

import pytest
from multivon_eval import EvalCase
from multivon_eval.integrations.huggingface import from_huggingface

datasets = pytest.importorskip("datasets")

ROWS = [
    {"id": "a", "question": "Where is Lima?", "answer": "Peru", "page": "1"},
    {"id": "b", "question": "Where is Quito?", "answer": "Ecuador", "page": "2"},
]


def mapped(row: dict[str, Any]) -> EvalCase:
    return EvalCase(row["question"], row["answer"], case_id=row["id"], source_id=row["page"])


def halves(**changes: str) -> Any:
    second = {**ROWS[1], **changes}
    return datasets.DatasetDict(
        {"dev": datasets.Dataset.from_list(ROWS[:1]), "test": datasets.Dataset.from_list([second])}
    )


def test_splits_stay_splits() -> None:
    found = from_huggingface(halves(), name="places", record_to_case=mapped, provenance={"file": "x"})
    assert found.manifest["splits"] == {"dev": ["a"], "test": ["b"]}
    assert found.split("test")[0].expected_output == "Ecuador"
    assert found.manifest["provenance"]["file"] == "x"
    assert set(found.manifest["provenance"]["upstream_fingerprints"]) == {"dev", "test"}
    changed = from_huggingface(halves(answer="Peru"), name="places", record_to_case=mapped, provenance={"file": "x"})
    assert changed.digest != found.digest


def test_what_is_learned_is_not_tested() -> None:
    with pytest.raises(ValueError, match="Source leakage"):
        from_huggingface(halves(page="1"), name="places", record_to_case=mapped)


def test_rows_may_be_cases() -> None:
    rows = datasets.Dataset.from_list([{"input": "q", "expected_output": "a", "case_id": "one"}])
    assert [case.expected_output for case in from_huggingface(rows, name="n").cases] == ["a"]


def test_a_stream_is_read_whole_or_refused() -> None:
    stream = datasets.IterableDataset.from_generator(lambda: iter(ROWS))
    with pytest.raises(ValueError, match="max_cases=1"):
        from_huggingface(stream, name="s", record_to_case=mapped, max_cases=1)
    assert len(from_huggingface(stream, name="s", record_to_case=mapped, max_cases=2).cases) == 2


@pytest.mark.parametrize("most", [0, True, None, 1.5], ids=range(4))
def test_a_bound_is_a_positive_number(most: Any) -> None:
    with pytest.raises(ValueError, match="max_cases"):
        from_huggingface(halves(), name="n", max_cases=most)


def test_what_is_no_dataset_and_what_is_no_case() -> None:
    with pytest.raises(TypeError, match="Expected a Hugging Face"):
        from_huggingface(ROWS, name="n")
    with pytest.raises(TypeError, match="return EvalCase"):
        from_huggingface(halves(), name="n", record_to_case=lambda row: row)  # type: ignore[arg-type,return-value]
