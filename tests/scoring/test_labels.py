"""Which label of inference a reply commits to."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.scoring.nli.labels import family_of, read_label, same_label
from support.phrasings import phrasings

FAMILIES = ("entailment", "contradiction", "neutral")


@pytest.mark.parametrize("row", phrasings("nli"))
def test_phrasing(row: dict[str, Any]) -> None:
    found = read_label(row["reply"])
    assert found.label == row["label"], found.rule


def test_the_table_is_broad() -> None:
    labels = [param.values[0]["label"] for param in phrasings("nli")]
    assert len(labels) >= 200
    assert {label: labels.count(label) >= 30 for label in (*FAMILIES, None)} == dict.fromkeys((*FAMILIES, None), True)


@pytest.mark.parametrize(
    ("label", "family"),
    [
        ("Entailment", "entailment"),
        ("SUPPORTS", "entailment"),
        ("SUPPORT", "entailment"),
        ("supported", "entailment"),
        ("True", "entailment"),
        ("yes", "entailment"),
        ("consistent", "entailment"),
        ("Contradiction", "contradiction"),
        ("CONTRADICT", "contradiction"),
        ("REFUTES", "contradiction"),
        ("Refuted", "contradiction"),
        ("FALSE", "contradiction"),
        ("No", "contradiction"),
        ("not_entailment", "contradiction"),
        ("inconsistent", "contradiction"),
        ("neutral", "neutral"),
        ("NotMentioned", "neutral"),
        ("Not Mentioned", "neutral"),
        ("not_mentioned", "neutral"),
        ("NOT ENOUGH INFO", "neutral"),
        ("NOT_ENOUGH_INFO", "neutral"),
        ("not enough information", "neutral"),
        ("NEI", "neutral"),
        ("unknown", "neutral"),
        ("neither", "neutral"),
        ("maybe", None),
        ("partially supported", None),
        ("", None),
    ],
)
def test_family(label: str, family: str | None) -> None:
    assert family_of(label) == family


@pytest.mark.parametrize(
    ("gold", "predicted", "same"),
    [
        ("SUPPORTS", "True", True),
        ("SUPPORTS", "entailment", True),
        ("CONTRADICT", "REFUTES", True),
        ("NotMentioned", "neutral", True),
        ("yes", "no", False),
        ("maybe", "Maybe.", True),
        ("maybe", "yes", False),
        ("not_entailment", "neutral", True),
        ("not_entailment", "contradiction", True),
        ("not_entailment", "entailment", False),
        ("contradiction", "neutral", False),
        ("partially supported", "Partially_Supported", True),
        ("partially supported", "supported", False),
        ("", "", False),
    ],
)
def test_same_label(gold: str, predicted: str, same: bool) -> None:
    assert same_label(gold, predicted) is same


@pytest.mark.parametrize(
    ("reply", "labels", "label"),
    [
        ("Supports.", ["SUPPORTS", "REFUTES"], "SUPPORTS"),
        ("This is not true.", ["SUPPORTS", "REFUTES"], "REFUTES"),
        ("Neutral", ["SUPPORTS", "REFUTES"], None),
        ("maybe", ["yes", "no", "maybe"], "maybe"),
        ("The answer is maybe.", ["yes", "no", "maybe"], "maybe"),
        ("It is not maybe; it is yes.", ["yes", "no", "maybe"], "yes"),
        ("Yes", ["yes", "no", "maybe"], "yes"),
        ("The claim is partially supported.", ["supported", "partially supported"], "partially supported"),
        ("It is mostly-false.", ["mostly", "mostly false"], "mostly false"),
        ("banana", ["yes", "x" * 10_000], None),
        ("\x02own7\x03 \x02silent\x03", ["maybe"], None),
    ],
)
def test_labels_of_the_task(reply: str, labels: list[str], label: str | None) -> None:
    assert read_label(reply, labels).label == label


@given(st.text(alphabet=st.characters(exclude_categories=()), max_size=300))
def test_any_text_gives_a_family_or_none(reply: str) -> None:
    assert read_label(reply).label in {*FAMILIES, None}
    assert read_label(reply, ["maybe", "so it goes"]).label in {"maybe", "so it goes", None}


WORDS = (
    "not no nor neither or and , . ? true false yes supports refutes neutral label is : if but cannot say so \n enough"
)


@given(st.lists(st.sampled_from(WORDS.split(" ")), max_size=60).map(" ".join))
def test_any_sequence_of_telling_words_gives_a_family_or_none(reply: str) -> None:
    assert read_label(reply).label in {*FAMILIES, None}


@given(st.text(max_size=30))
def test_a_label_is_the_same_as_itself(label: str) -> None:
    assert same_label(label, label) is bool(label.strip())


@pytest.mark.parametrize("family", FAMILIES)
def test_an_announced_label_wins_over_what_is_said_before(family: str) -> None:
    for other in FAMILIES:
        assert read_label(f"It is {other}. The {other} is clear.\n\nLabel: {family}").label == family


@pytest.mark.parametrize("text", ["so it goes " * 2_000 + "-", "so" + " " * 10_000 + "(", "true, false, " * 100_000])
def test_what_took_others_seconds_gives_no_label(text: str) -> None:
    assert read_label(text).label is None
