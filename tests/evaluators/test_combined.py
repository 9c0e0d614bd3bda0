"""`AnyOf`, `AllOf` and `Not`: verdicts combined."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from ringtrue.errors import ConfigurationError
from ringtrue.evaluators.combined import AllOf, AnyOf, CombinedEvaluator, Not
from ringtrue.evaluators.contains import Contains
from ringtrue.evaluators.exact_match import ExactMatch
from ringtrue.evaluators.not_empty import NotEmpty
from ringtrue.evaluators.regex_match import RegexMatch
from ringtrue.records import Case, Output, Score, Trial

TRIAL = Trial(Case(), Output("text"))


def passing(output: str) -> bool:
    return True


def failing(output: str) -> bool:
    return False


def skipping(output: str) -> None:
    return None


def broken(output: str) -> Score:
    return Score.error("the judge is asleep")


def worth(number: float) -> Any:
    def judge(output: str) -> dict[str, float]:
        return {"judge": number}

    return judge


@pytest.mark.parametrize(
    ("members", "any_of", "all_of"),
    [
        ([passing], True, True),
        ([failing], False, False),
        ([passing, failing], True, False),
        ([skipping], "skipped", "skipped"),
        ([skipping, skipping], "skipped", "skipped"),
        ([skipping, passing], True, True),
        ([skipping, failing], False, False),
        ([broken], "error", "error"),
        ([broken, passing], True, "error"),
        ([broken, failing], "error", False),
        ([broken, skipping], "error", "error"),
        ([worth(0.5), passing], True, True),
        ([worth(0.4), failing], False, False),
    ],
)
def test_any_and_all(members: list[Any], any_of: bool | str, all_of: bool | str) -> None:
    for kind, expected in ((AnyOf, any_of), (AllOf, all_of)):
        assert outcome(kind(*members).measure(TRIAL)) == expected
        assert outcome(kind(members).measure(TRIAL)) == expected


@pytest.mark.parametrize(
    ("member", "expected"), [(passing, False), (failing, True), (skipping, "skipped"), (broken, "error")]
)
def test_not(member: Any, expected: bool | str) -> None:
    assert outcome(Not(member).measure(TRIAL)) == expected


def test_the_value_is_the_verdict() -> None:
    partly = Contains(["text", "zzz", "yyy"], threshold=0.3)
    assert AllOf(partly).measure(TRIAL).value == 1.0
    assert Not(partly).measure(TRIAL).value == 0.0


def test_the_reason_names_every_member() -> None:
    score = AllOf(NotEmpty(), Contains(["zzz"]), ExactMatch()).measure(TRIAL)
    assert score.reason.startswith("not_empty passed; contains failed: missing: 'zzz'; exact_match skipped")
    assert [member["passed"] for member in score.metadata["members"]] == [True, False, None]


def test_nesting() -> None:
    assert outcome(AllOf(AnyOf(failing, passing), Not(failing)).measure(TRIAL)) is True
    assert outcome(Not(AllOf(passing, passing)).measure(TRIAL)) is False


@pytest.mark.parametrize("kind", [AnyOf, AllOf, Not])
def test_a_broken_output_never_passes(kind: type[CombinedEvaluator]) -> None:
    assert kind(NotEmpty()).measure(Trial(Case(), Output(problem="the output is None"))).passed is False


def test_not_makes_no_pass_of_a_search_that_was_given_up() -> None:
    score = Not(RegexMatch("(x+x+)+y")).measure(Trial(Case(), Output("x" * 50_000)))
    assert (score.value, score.passed) == (0.0, False)
    assert "given up" in score.reason


def test_not_makes_no_pass_of_a_text_beyond_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Contains, "max_chars", 3)
    score = Not(Contains(["zzz"])).measure(TRIAL)
    assert score.passed is False
    assert "reads 3" in score.reason


@pytest.mark.parametrize(
    "make",
    [
        lambda: AnyOf(),
        lambda: AllOf([]),
        lambda: Not([NotEmpty(), NotEmpty()]),
        lambda: AnyOf(7),
        lambda: AnyOf(NotEmpty),
        lambda: AnyOf("not_empty"),
    ],
)
def test_what_is_not_an_evaluator_raises_in_the_constructor(make: Any) -> None:
    with pytest.raises(ConfigurationError):
        make()


def test_asynchronous_members_are_refused() -> None:
    class Judge:
        name, keys = "judge", ("judge",)

        async def measure(self, trial: Trial) -> Score:
            return Score(1.0)

        def signature(self) -> str:
            return "judge"

    with pytest.raises(ConfigurationError, match="asynchronous"):
        AnyOf(Judge())


def test_names_signatures_and_copies() -> None:
    both = AllOf(NotEmpty(), Not(Contains(["a"])), name="clean")
    assert both.keys == ("clean.all_of",)
    assert "not_empty=NotEmpty" in both.signature()
    assert "contains=Contains" in both.signature()
    assert pickle.loads(pickle.dumps(both)) == both
    assert AnyOf(NotEmpty()).score({}, {"response": "x"}) == {"any_of": 1.0}


def outcome(score: Score) -> bool | str | None:
    return score.passed if score.status == "scored" else score.status
