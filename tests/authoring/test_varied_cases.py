"""Cases made of cases."""

from __future__ import annotations

from ringtrue import EvalCase
from ringtrue.authoring.varied_cases import VARIATIONS, varied_cases

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
    first, other = (varied_cases(CASES, seed=seed)[0] for seed in (5, 5))
    assert [case.input for case in first] == [case.input for case in other]
    assert [case.input for case in varied_cases(CASES, seed=6)[0]] != [case.input for case in first]
    assert len({case.input for case in first}) == len(first)


def test_equal_cases_have_equal_variants_and_they_count_once() -> None:
    one = EvalCase("no, that is it.", "a")
    made, report = varied_cases([one, EvalCase("no, that is it.", "a")], {"negated": VARIATIONS["negated"]})
    assert (len(made), report.dropped_duplicate) == (1, 1)
