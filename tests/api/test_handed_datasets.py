"""`evaluate` and `score_file` take objects of the `datasets` library."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

import pytest

from ringtrue import evaluate, score_file
from ringtrue.errors import ConfigurationError

try:
    version("datasets")
except PackageNotFoundError:
    pytest.skip("the extra `datasets` is not installed", allow_module_level=True)

from datasets import Dataset, DatasetDict

ROWS = [{"question": f"Say {n}.", "answer": f"{n}", "response": f"I say {n}"} for n in range(600)]
HELD = Dataset.from_list(ROWS)
GIVEN = {
    "a dataset": HELD,
    "a stream": HELD.to_iterable_dataset(),
    "one split": DatasetDict(test=HELD),
}


@pytest.mark.parametrize("given", GIVEN.values(), ids=GIVEN)
def test_a_dataset_is_evaluated(given: object) -> None:
    result = evaluate(lambda question: question[4:-1], given, max_examples=3, progress=False, store=None)
    assert [(row.example_id, row.scores["exact_match"]) for row in result.rows] == [(0, 1.0), (1, 1.0), (2, 1.0)]


@pytest.mark.parametrize("given", GIVEN.values(), ids=GIVEN)
def test_the_answers_in_a_dataset_are_scored(given: object) -> None:
    run = score_file(given, ["answer_quality"])
    assert (len(run.rows), run.summary("contains").value) == (600, 1.0)


def test_several_are_scored_one_after_the_other() -> None:
    assert len(score_file([HELD, GIVEN["a stream"]], ["not_empty"]).rows) == 1_200


def test_of_several_splits_one_is_to_be_given() -> None:
    several = DatasetDict(train=HELD, test=HELD)
    with pytest.raises(ConfigurationError, match=r"has several splits \(train, test\)"):
        evaluate(len, several, progress=False, store=None)
    with pytest.raises(ConfigurationError, match=r"has several splits \(train, test\)"):
        score_file(several, ["not_empty"])
