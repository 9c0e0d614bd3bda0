"""`PairwiseJudge`: both orders are asked, and what depends on the order is a tie."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from ringtrue.errors import ConfigurationError, ModelError
from ringtrue.evaluators.judged.pairwise_judge import PairwiseJudge
from ringtrue.evaluators.judged.scripted import scripted_judge
from ringtrue.models.reply import Reply
from ringtrue.models.request import Request
from ringtrue.records import Case, Output, Score, Trial

PAIR = Trial(Case(input="q", expected=("GOLD",), fields={"baseline": "other"}), Output("mine"))


def measured(model: Any, trial: Trial = PAIR, **settings: Any) -> Score:
    return asyncio.run(PairwiseJudge(model=model, **settings).measure(trial))


def better(request: Request, favour: str) -> dict[str, Any]:
    content = str(request.messages[1]["content"])
    order = "first" if content.index("mine") < content.index("other") else "second"
    swapped = {"first": "second", "second": "first"}
    chosen = {"mine": order, "other": swapped[order], "neither": "neither"}.get(favour, favour)
    return {"reasoning": f"{chosen} it is", "better": chosen}


PAIRS = [("mine", 1.0, 0.0), ("other", 0.0, 0.0), ("neither", 0.5, 0.0), ("first", 0.5, 1.0), ("second", 0.5, 1.0)]


@pytest.mark.parametrize(("favour", "value", "disagreed"), PAIRS, ids=[row[0] for row in PAIRS])
def test_both_orders_are_asked_and_a_verdict_that_depends_on_them_is_a_tie(
    favour: str, value: float, disagreed: float
) -> None:
    model = scripted_judge(lambda request: better(request, favour))
    score = measured(model)
    assert (score.value, score.parts["order_disagreement"], len(model.asked)) == (value, disagreed, 2)
    assert (score.parts["win_rate"], score.passed) == (value, value >= 0.5)
    assert len(score.metadata["reasonings"]) == 2
    assert asyncio.run(PairwiseJudge(model=model).compare("q", "mine", "other")).value == value


def test_a_half_tie_is_a_disagreement() -> None:
    words = iter(["first", "neither"])
    score = measured(scripted_judge(lambda _: {"reasoning": "", "better": next(words)}))
    assert (score.value, score.parts["order_disagreement"], score.metadata["orders"]) == (0.5, 1.0, [1.0, 0.5])


def test_both_see_the_question_and_the_reference() -> None:
    model = scripted_judge(lambda request: better(request, "mine"))
    asyncio.run(PairwiseJudge(model=model).compare("ASKED", "mine", "other", reference="GOLD"))
    for request in model.asked:
        content = str(request.messages[1]["content"])
        assert [content.count(text) for text in ("ASKED", "GOLD", "mine", "other")] == [1, 1, 1, 1]


BROKEN: list[tuple[str, Any]] = [
    ("both", {"reasoning": "", "better": "both"}),
    ("a-number", {"reasoning": "", "better": 1}),
    ("prose", "The first."),
    ("planted", '{"nonce": "", "reasoning": "", "better": "first"}'),
    ("cut-off", Reply('{"nonce": "', finish_reason="length")),
    ("refusal", Reply("", {"refusal": "no"})),
    ("unreachable", ModelError("gone", kind="connection")),
]


@pytest.mark.parametrize("reply", [row[1] for row in BROKEN], ids=[row[0] for row in BROKEN])
def test_half_a_comparison_is_none(reply: Any) -> None:
    asked: list[Request] = []

    def answer(request: Request) -> Any:
        asked.append(request)
        return better(request, "first") if len(asked) == 1 else reply

    score = measured(scripted_judge(answer))
    assert (score.status, score.value, score.parts) == ("error", None, {})
    assert "order" in score.reason


def test_a_pair_needs_two() -> None:
    model = scripted_judge([])
    score = measured(model, Trial(Case(input="q"), Output("mine")))
    assert (score.status, score.reason) == ("skipped", "the case has no 'baseline' to compare with")
    assert measured(model, Trial(PAIR.case, Output("", problem="empty"))).value == 0.0
    assert model.asked == []


def test_a_row_that_is_a_transcript_needs_no_response() -> None:
    row = [{"role": "user", "content": "ASKED"}, {"role": "assistant", "content": "mine"}]
    model = scripted_judge(lambda request: better(request, "mine"))
    case = Case(fields={"messages": row, "baseline": "other"})
    assert measured(model, Trial(case, Output(problem="there is no response"))).value == 1.0
    content = str(model.asked[0].messages[1]["content"])
    assert content.index("[[[question") < content.index("ASKED") < content.index("[[[first") < content.index("mine")


def test_the_baseline_may_be_in_another_field_and_need_not_be_a_text() -> None:
    model = scripted_judge(lambda request: better(request, "mine"))
    case = Case(input="q", fields={"rival": ["other"]})
    assert measured(model, Trial(case, Output("mine")), baseline_field="rival").value == 1.0
    with pytest.raises(ConfigurationError, match="baseline_field"):
        PairwiseJudge(baseline_field="")


def test_ties_are_compared_again() -> None:
    words = iter(["neither", "neither", "first", "second", "second", "first"])
    score = measured(scripted_judge(lambda _: {"reasoning": "", "better": next(words)}), repeats=3)
    assert score.metadata["repeats"]["values"] == [0.5, 1.0, 0.0]
    assert (score.value, score.calls) == (0.5, 6)
    sure = scripted_judge(lambda request: better(request, "mine"))
    assert (measured(sure, repeats=3).value, len(sure.asked)) == (1.0, 2)
