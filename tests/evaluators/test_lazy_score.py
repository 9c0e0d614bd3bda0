"""A score whose reason is computed when it is read is a score like any other."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from collections.abc import Callable
from typing import Any

import pytest

from ringtrue.errors import RecordError
from ringtrue.evaluators.json_schema import JSONSchemaEval, LazyScore
from ringtrue.records import Score
from ringtrue.store.codec import decode_record, encode_record

PLAIN = Score(0.0, "scored", False, "too long", {}, {"words": 7})


@pytest.mark.parametrize(
    "seen",
    [
        lambda score: score,
        copy.copy,
        copy.deepcopy,
        lambda score: pickle.loads(pickle.dumps(score)),
        dataclasses.replace,
        lambda score: Score(**{item.name: getattr(score, item.name) for item in dataclasses.fields(score)}),
        lambda score: decode_record(Score, encode_record(score)),
    ],
    ids=["itself", "copied", "deeply copied", "pickled", "replaced", "by its fields", "stored"],
)
def test_the_reason_is_computed_once_and_makes_no_difference(seen: Callable[[Score], Score]) -> None:
    explained: list[str] = []

    def explain() -> tuple[str, dict[str, Any]]:
        explained.append("now")
        return "too long", {"words": 7}

    score = LazyScore.of(0.0, False, explain)
    assert (score.value, score.passed, score.parts, explained) == (0.0, False, {}, [])
    assert seen(score) == PLAIN
    assert seen(score) == PLAIN
    assert dataclasses.replace(PLAIN) == seen(score)
    assert seen(score) != Score(0.0, "scored", False, "too short", {}, {"words": 7})
    assert seen(score) != "too long"
    assert (score.metadata, score.reason, explained) == ({"words": 7}, "too long", ["now"])
    assert not hasattr(score, "unknown")
    with pytest.raises(dataclasses.FrozenInstanceError):
        score.value = 1.0  # type: ignore[misc]


def test_it_cannot_be_built_in_a_lying_state() -> None:
    with pytest.raises(RecordError):
        LazyScore.of(1.5, True, lambda: ("", {}))


def test_a_refused_document_says_the_same_alone_and_in_a_column() -> None:
    check = JSONSchemaEval({"type": "integer"})
    texts = ['"x"', "1", "[]"]
    in_a_column = check.grade_texts(texts, [None] * 3)
    assert [type(score) for score in in_a_column] == [LazyScore, Score, LazyScore]
    assert in_a_column == [check.grade_text(text, None) for text in texts]
    assert in_a_column[0].reason.startswith("$: ")
