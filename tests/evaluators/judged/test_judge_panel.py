"""`JudgePanel`: several judges, some of which may fail, and how far they agree."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from ringtrue.errors import ConfigurationError, ModelError
from ringtrue.evaluators.judged.judge_panel import JudgePanel
from ringtrue.evaluators.judged.llm_judge import LLMJudge
from ringtrue.evaluators.judged.pairwise_judge import PairwiseJudge
from ringtrue.evaluators.judged.scripted import scripted_judge
from ringtrue.records import Case, Output, Score, Trial

TRIAL = Trial(Case(input="What is 2+2?", expected=("4",)), Output("The answer is 4."))


def measured(evaluator: Any, trial: Trial = TRIAL) -> Score:
    return asyncio.run(evaluator.measure(trial))


def judge(reply: Any, **settings: Any) -> LLMJudge:
    verdict = {"reasoning": "so it is", "rating": reply} if isinstance(reply, int) else reply
    return LLMJudge(scripted_judge(lambda _: verdict), **settings)


def panel(*replies: Any, **settings: Any) -> JudgePanel:
    return JudgePanel([judge(reply) for reply in replies], **settings)


def test_a_panel_takes_the_mean_or_the_majority() -> None:
    score = measured(panel(5, 5, 1))
    assert score.value == pytest.approx(2 / 3)
    assert score.parts["panel_agreement"] == pytest.approx(1 / 3)
    assert (score.calls, score.metadata["calls"], len(score.metadata["votes"])) == (3, 3, 3)
    assert measured(panel(5, 5, 1, vote="majority")).value == 1.0
    assert measured(panel(5, 1, vote="majority")).value == 0.0


def test_a_judge_that_fails_is_counted_and_a_quorum_is_needed() -> None:
    score = measured(panel(5, 5, "?"))
    assert score.value == 1.0
    assert [vote["status"] for vote in score.metadata["votes"]] == ["scored", "scored", "error"]
    failed = measured(panel(5, "?", "?"))
    assert failed.status == "error"
    assert "1 of 3 judges" in failed.reason
    assert measured(panel(5, "?", "?", quorum=1)).value == 1.0


def test_the_judges_of_a_panel_are_compared_over_trials() -> None:
    one, other = panel(5, 5, 5), panel(1, 1, 1)
    assert one.alpha([measured(one), measured(other)]) == pytest.approx(1.0)
    split = panel(1, 5)
    assert (split.alpha([measured(split), measured(split)]) or 0) < 0
    assert one.alpha([]) is None


WRONG: list[dict[str, Any]] = [
    {"vote": "best"},
    {"quorum": 0},
    {"quorum": 3},
    {"quorum": 1.5},
    {"quorum": "2"},
    {"threshold": 2},
    {"name": 5},
]


@pytest.mark.parametrize("settings", WRONG, ids=repr)
def test_a_panel_is_checked(settings: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError):
        panel(5, 5, **settings)
    with pytest.raises(ConfigurationError):
        panel(5)
    with pytest.raises(ConfigurationError, match="two or more"):
        JudgePanel(None)  # type: ignore[arg-type]


BROKEN = ["?", ModelError("gone", kind="connection"), RuntimeError("a judge of one's own")]


@pytest.mark.parametrize("reply", BROKEN, ids=["unreadable", "unreachable", "raising"])
def test_a_panel_outlives_a_judge(reply: Any) -> None:
    score = measured(panel(5, reply, 3))
    assert (score.value, score.status, score.reason) == (0.75, "scored", "2 of 2 pass")
    assert score.metadata["votes"][1]["value"] is None


def test_what_no_judge_can_measure_is_skipped() -> None:
    model = scripted_judge([])
    both = JudgePanel([PairwiseJudge(model=model), PairwiseJudge(model=model)])
    assert (measured(both).status, model.asked) == ("skipped", [])


def test_each_judge_passes_by_its_own_threshold() -> None:
    strict = JudgePanel([judge(4, threshold=0.9), judge(4, threshold=0.9), judge(4)], vote="majority")
    assert (measured(strict).value, measured(strict).reason) == (0.0, "1 of 3 pass")


def test_judges_repeat_by_themselves() -> None:
    score = measured(JudgePanel([judge(3, repeats=3), judge(5, repeats=3)]))
    assert (score.value, score.calls) == (0.75, 4)


def test_a_panel_has_names_of_its_own() -> None:
    named = panel(5, 5, name="board")
    assert (panel(5, 5).keys, named.keys) == (JudgePanel.parts, ("board.panel_score", "board.panel_agreement"))
    assert named.signature() != panel(5, 5, vote="majority", name="board").signature()
    with pytest.raises(ConfigurationError, match="two or more judged"):
        JudgePanel([judge(5), lambda trial: 1.0])  # type: ignore[list-item]
