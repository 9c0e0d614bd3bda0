"""Two functions, one judge, both orders."""

from __future__ import annotations

from typing import Any

import pytest
from multivon_eval import EvalCase, EvalSuite, JudgeConfig, JudgeUnavailable, PairwiseReport, PairwiseResult

from support.judge_endpoint import JudgeEndpoint


class Preferring(JudgeEndpoint):
    """A judge that prefers the response with this word, wherever it stands; without it, the first."""

    def __init__(self, word: str) -> None:
        super().__init__("chat")
        self.word = word

    def reply(self, body: dict[str, Any]) -> dict[str, Any]:
        said = str(body["messages"][-1]["content"])
        second = said.partition("[[[second ")[2].partition("[[[end of second")[0]
        self.says = {"better": "second" if self.word in second else "first", "reasoning": "so it is"}
        return super().reply(body)


def compared(endpoint: JudgeEndpoint, first: Any, second: Any, cases: int = 3, **settings: Any) -> PairwiseReport:
    suite = EvalSuite("pairs").add_cases([EvalCase(f"q{number}") for number in range(cases)])
    judge = JudgeConfig(provider="openai", model="m", base_url=endpoint.base_url)
    return suite.run_pairwise(first, second, judge=judge, **{"verbose": False, **settings})


def test_the_better_one_wins_in_both_orders() -> None:
    with Preferring("good") as endpoint:
        report = compared(endpoint, lambda _: "a good answer", lambda _: "an answer", cases=6)
        turned = compared(endpoint, lambda _: "an answer", lambda _: "a good answer")
    assert (report.wins_a, report.wins_b, report.ties, report.total) == (6, 0, 0, 6)
    assert report.p_value() == pytest.approx(2 / 2**6)
    assert (turned.wins_a, turned.wins_b) == (0, 3)
    assert report.results[0].reason == "so it is"
    assert len(endpoint.asked) == 18
    assert endpoint.asked[0]["model"] == "m"


def test_a_verdict_that_changes_with_the_order_is_a_tie() -> None:
    with Preferring("nowhere") as endpoint:
        report = compared(endpoint, lambda _: "one", lambda _: "other")
    assert (report.ties, report.p_value()) == (3, 1.0)


def test_what_cannot_be_compared_is_nobodys_win() -> None:
    def broken(question: str) -> str:
        raise RuntimeError("not today")

    with Preferring("x") as endpoint:
        report = compared(endpoint, broken, lambda _: "x")
    assert (report.errors, report.ties, report.wins_b) == (3, 0, 0)
    assert "not today" in report.results[0].reason
    assert endpoint.asked == []


def test_a_judge_that_fails_is_an_error_and_no_tie() -> None:
    suite = EvalSuite("pairs").add_case(EvalCase("q"))
    judge = JudgeConfig("openai", "m", "http://127.0.0.1:9/v1", timeout=1)
    report = suite.run_pairwise(lambda _: "a", lambda _: "b", judge=judge, verbose=False)
    assert (report.errors, report.ties) == (1, 0)


def test_a_judge_without_a_key_is_told_before_anything_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    asked: list[str] = []
    suite = EvalSuite("pairs").add_case(EvalCase("q"))
    for provider in ("openai", "litellm"):
        with pytest.raises(JudgeUnavailable):
            suite.run_pairwise(asked.append, asked.append, judge=JudgeConfig(provider=provider, model="m"))  # type: ignore[arg-type]
    assert asked == []


def test_the_summary(capsys: pytest.CaptureFixture[str]) -> None:
    with Preferring("good") as endpoint:
        compared(endpoint, lambda _: "good", lambda _: "bad", model_a_id="new", model_b_id="old", verbose=True)
    assert "new wins: 3  old wins: 0  Ties: 0" in capsys.readouterr().out
    results = [PairwiseResult("q", "a", "b", winner) for winner in ("A", "B", "Error")]  # type: ignore[arg-type]
    even = PairwiseReport("s", "", "", results)
    assert "Verdict: Tie (p=1.000, not significant)" in str(even)
    assert "Errors: 1" in str(even)


def test_no_cases_are_no_comparison() -> None:
    with Preferring("x") as endpoint:
        assert compared(endpoint, lambda _: "a", lambda _: "b", cases=0).total == 0
