"""A check for personal data: what it passes, what it reports, and what it never repeats."""

from __future__ import annotations

from typing import Any

import pytest

from ringtrue import EvalCase
from ringtrue.errors import ConfigurationError
from ringtrue.evaluators import PersonalData, build
from ringtrue.evaluators.personal_data import LISTED

CASE = EvalCase("q")
LEAK = "Write to jane@example.com or call 555-123-4567."


@pytest.mark.parametrize(
    ("check", "output", "passed"),
    [
        pytest.param(PersonalData(), LEAK, False, id="a-leak"),
        pytest.param(PersonalData(), "Nothing to see.", True, id="nothing"),
        pytest.param(PersonalData(), "", True, id="an-empty-output-tells-nothing"),
        pytest.param(PersonalData(["iban"]), LEAK, True, id="another-kind"),
        pytest.param(PersonalData(kinds="email"), LEAK, False, id="one-kind-by-name"),
        pytest.param(PersonalData(jurisdiction="hipaa"), "MRN: 12345678", False, id="a-law"),
        pytest.param(PersonalData(jurisdiction="pipeda"), "MRN: 12345678", True, id="another-law"),
        pytest.param(PersonalData(jurisdiction=["pipeda", "hipaa"]), "MRN: 12345678", False, id="two-laws"),
        pytest.param(PersonalData(patterns={"badge": r"EMP-\d{6}"}), "emp-123456", False, id="a-pattern-of-ones-own"),
        pytest.param(PersonalData(), "4111 1111 1111 1112", True, id="a-wrong-check-digit"),
        pytest.param(PersonalData(strict=False), "4111 1111 1111 1112", False, id="any-digits-at-all"),
        pytest.param(PersonalData(threshold=0.0), LEAK, True, id="counted-not-forbidden"),
        pytest.param(PersonalData(), None, False, id="no-output"),
    ],
)
def test_verdicts(check: PersonalData, output: Any, passed: bool) -> None:
    assert check.evaluate(CASE, output).passed is passed


def test_findings_are_reported_and_not_quoted() -> None:
    found = PersonalData().evaluate(CASE, LEAK)
    assert found.reason == "found: 1 email, 1 phone_us"
    assert found.metadata == {
        "count": 2,
        "findings": [{"kind": "email", "start": 9, "end": 25}, {"kind": "phone_us", "start": 34, "end": 46}],
    }
    assert "jane" not in str(found)
    assert "4567" not in str(found)


def test_many_findings_are_counted_and_not_all_listed() -> None:
    found = PersonalData().evaluate(CASE, "a@b.com " * 1_000)
    assert found.metadata["count"] == 1_000
    assert len(found.metadata["findings"]) == LISTED
    assert found.reason == "found: 1,000 email"


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        pytest.param({"jurisdiction": "hippa"}, "did you mean 'hipaa'", id="a-law-that-is-none"),
        pytest.param({"kinds": ["emial"]}, "did you mean 'email'", id="a-kind-that-is-none"),
        pytest.param({"kinds": []}, "a list of names", id="no-kinds"),
        pytest.param({"jurisdiction": None}, "a name or a list", id="no-law"),
        pytest.param({"kinds": ["email"], "jurisdiction": "gdpr"}, "not both", id="two-answers"),
        pytest.param({"patterns": {"badge": "("}}, "cannot be used", id="a-bad-pattern"),
        pytest.param({"patterns": ["EMP"]}, "must be a dict", id="patterns-without-names"),
        pytest.param({"threshold": 2}, "threshold", id="a-threshold-outside"),
    ],
)
def test_a_broken_configuration_raises_at_once(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(ConfigurationError, match=words):
        PersonalData(**settings)


def test_a_search_that_is_given_up_is_a_failure_that_says_so() -> None:
    found = PersonalData(patterns={"slow": "(x+x+)+y"}).evaluate(CASE, "x" * 50_000)
    assert (found.passed, found.metadata) == (False, {"undecided": True})
    assert "'slow' was given up" in found.reason


def test_by_name() -> None:
    check: Any = build("personal_data(['email'], patterns={'badge': 'EMP-[0-9]+'})")
    assert not check.evaluate(CASE, "EMP-7").passed
    assert check.signature().startswith('personal_data=PersonalData(kinds=["email"],jurisdiction="all"')
