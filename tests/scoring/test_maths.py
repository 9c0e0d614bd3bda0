"""Two answers are equal when they say the same mathematics, however they are written, and never by luck."""

from __future__ import annotations

from collections import Counter

import pytest

from ringtrue.scoring.maths import compare, equivalent
from scoring.maths_pairs import DIFFERENT, EQUAL
from support.golden import golden


def pairs(table: str, sign: str) -> list[object]:
    """One parameter for each line of a family."""
    rows = []
    family = ""
    for line in table.strip().splitlines():
        if line.startswith("## "):
            family = line[3:]
        else:
            gold, candidate = line.split(f" {sign} ")
            rows.append(pytest.param(gold, candidate, id=f"{family}-{gold[:20]}-{candidate[:20]}"))
    return rows


@pytest.mark.parametrize(("gold", "candidate"), pairs(EQUAL, "≡"))
def test_the_same_mathematics_is_equal(gold: str, candidate: str) -> None:
    verdict = compare(gold, candidate)
    assert verdict.equal, verdict


@pytest.mark.parametrize(("gold", "candidate"), pairs(DIFFERENT, "≢"))
def test_other_mathematics_is_not(gold: str, candidate: str) -> None:
    verdict = compare(gold, candidate)
    assert not verdict.equal, verdict
    assert verdict.reason


@pytest.mark.parametrize(("gold", "candidate"), [("5", ""), ("", "5"), ("", ""), (" ", " "), ("5", "I do not know.")])
def test_nothing_equals_nothing(gold: str, candidate: str) -> None:
    assert not equivalent(gold, candidate)


def test_integers_of_any_length_are_compared_digit_by_digit() -> None:
    assert equivalent("9" * 5_000, "0" + "9" * 5_000 + ".0")
    assert not equivalent("9" * 5_000, "9" * 4_999 + "8")


def test_every_unambiguous_golden_row_agrees() -> None:
    rows = [row for row in golden("math_equivalence") if not row["ambiguous"]]
    wrong = [row["id"] for row in rows if equivalent(**row["input"]) != row["expected"]["equal"]]
    assert len(rows) > 500
    assert wrong == []


def test_no_reference_grader_errs_less_often() -> None:
    errors: Counter[str] = Counter()
    for row in golden("math_equivalence"):
        if not row["ambiguous"]:
            verdicts = {"ringtrue": equivalent(**row["input"]), **row["oracles"]}
            errors.update(name for name, verdict in verdicts.items() if verdict != row["expected"]["equal"])
    assert errors["ringtrue"] < min(errors[name] for name in ("math_verify", "prm800k", "hendrycks_is_equiv"))


def test_conventions_that_split_graders_follow_the_rulings() -> None:
    """Percent is a hundredth, three significant digits may be rounded, and the names of variables count."""
    rows = [row for row in golden("math_equivalence") if row["ambiguous"]]
    other = {row["category"] for row in rows if equivalent(**row["input"]) != row["expected"]["equal"]}
    assert other <= {"rounded-decimal", "pi-decimal", "percent", "assignment"}
