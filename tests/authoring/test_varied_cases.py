"""Cases made of cases, and of templates."""

from __future__ import annotations

import pytest

from ringtrue import EvalCase
from ringtrue.authoring.varied_cases import VARIATIONS, filled_cases, varied_cases
from ringtrue.errors import ConfigurationError

CASES = [
    EvalCase("When is the museum open?", "at ten", "c", case_id="m"),
    EvalCase("Is it dear?", "no"),
    EvalCase("no answer"),
]


def test_what_is_expected_stays_unless_the_answer_may_change() -> None:
    made, report = varied_cases(CASES, {name: VARIATIONS[name] for name in ("slip", "negated")})
    assert report.generated == report.accepted + report.dropped_malformed
    assert report.dropped_malformed == 1
    by_name = {case.metadata["generation"]["variation"]: case for case in made}
    assert (by_name["slip"].expected_output, by_name["slip"].context) == ("at ten", "c")
    assert (by_name["negated"].expected_output, by_name["negated"].case_id) == (None, None)
    assert by_name["slip"].metadata["generation"]["source_id"] == "m"
    assert CASES[0].metadata == {}


def test_the_same_seed_makes_the_same_cases() -> None:
    first, other = (varied_cases(CASES, seed=seed, per_case=3)[0] for seed in (5, 5))
    assert [case.input for case in first] == [case.input for case in other]
    assert [case.input for case in varied_cases(CASES, seed=6, per_case=3)[0]] != [case.input for case in first]
    assert len({case.input for case in first}) == len(first)


def test_equal_cases_have_equal_variants_and_they_count_once() -> None:
    one = EvalCase("no, that is it.", "a")
    made, report = varied_cases([one, EvalCase("no, that is it.", "a")], {"negated": VARIATIONS["negated"]})
    assert (len(made), report.dropped_duplicate) == (1, 1)


def test_a_number_that_does_not_exist() -> None:
    with pytest.raises(ConfigurationError, match="per_case"):
        varied_cases(CASES, VARIATIONS, per_case=0)


def test_a_template_is_filled() -> None:
    axes = {"what": ["a book", "a lamp"], "where": ["Rome", "Oslo"]}
    made, report = filled_cases("Buy {what} in {where}", axes, lambda text, row: EvalCase(text, row["where"]))
    assert [case.expected_output for case in made] == ["Rome", "Oslo", "Rome", "Oslo"]
    assert (report.requested, report.generated, report.accepted) == (4, 4, 4)
    assert len(filled_cases("Buy {what} in {where}", axes, n=2)[0]) == 2
    assert filled_cases("{what}", {"what": ["", "x", "x"]})[1].summary_line().endswith("1 duplicates, 1 malformed")


@pytest.mark.parametrize(
    ("template", "axes", "sample", "message"),
    [
        ("{a} {b}", {"a": [1]}, "all", r"\['b'\] have no axis"),
        ("{a}", {"a": [1], "c": [2]}, "all", r"\['c'\] do not appear"),
        ("{a}", {"a": [1]}, "some", "sample is"),
        ("{a} {b} {c}", {name: list(range(13)) for name in "abc"}, "all", "above the cap"),
        ("{a}", {"a": []}, "all", "needs a list"),
        ("{", {"a": [1]}, "all", "cannot be read"),
        ("{} {a}", {"a": [1]}, "all", r"\[''\] have no axis"),
        ("{a:{b}}", {"a": [1]}, "all", "cannot be filled"),
    ],
)
def test_a_template_that_does_not_fit(template: str, axes: dict[str, list[int]], sample: str, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        filled_cases(template, axes, sample=sample)
