"""The judges of conversations, and SelfConsistency."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest
from multivon_eval import (
    ConversationCompleteness,
    ConversationRelevance,
    EvalCase,
    EvalStatus,
    EvalSuite,
    JudgeConfig,
    JudgeUnavailable,
    KnowledgeRetention,
    NotEmpty,
    SelfConsistency,
    TurnConsistency,
)
from multivon_eval.evaluators.base import Evaluator
from multivon_eval.evaluators.consistency import _load_nli_pipeline
from multivon_eval.evaluators.conversation import Conversing

from support.hostile import SMALL
from support.saying import SayingEndpoint

TALK = [
    {"role": "user", "content": "I do not eat meat."},
    {"role": "assistant", "content": "Noted."},
    {"role": "user", "content": "What shall I cook?"},
]
CASE = EvalCase("What shall I cook?", conversation=TALK)
KINDS = [ConversationRelevance, KnowledgeRetention, ConversationCompleteness, TurnConsistency]
SAMPLES = ["Lima is the capital of Peru.", "The capital of Peru is Lima.", "Peru's capital is Lima."]


def judged(make: Callable[..., Evaluator], replies: Any, *arguments: Any, **named: Any) -> Any:
    """The result, and the endpoint with what it was asked."""
    with SayingEndpoint(replies) as endpoint:
        judge = JudgeConfig(provider="openai", model="m", base_url=endpoint.base_url)
        return make(judge=judge).evaluate(*arguments, **named), endpoint


@pytest.mark.parametrize("kind", KINDS)
def test_good_answers_make_a_perfect_score(kind: type[Conversing]) -> None:
    good = {question: "Yes" if expected else "No" for question, expected in kind.questions}
    result, endpoint = judged(
        kind, lambda prompt: next(good[text] for text in good if text in prompt), CASE, "Mushroom risotto."
    )
    assert (result.score, result.passed, result.evaluator) == (1.0, True, kind.name)
    assert len(endpoint.asked) == len(good)
    assert "USER: I do not eat meat." in endpoint.prompts[0]
    assert "[[[conversation " in endpoint.prompts[0]


@pytest.mark.parametrize("kind", KINDS)
def test_without_a_conversation_there_is_nothing_to_judge(kind: type[Conversing]) -> None:
    for talk in (None, []):
        assert kind().evaluate(EvalCase("q", conversation=talk), "a").metadata["skipped"]


def test_documented_thresholds() -> None:
    assert [kind().threshold for kind in KINDS] == [0.7, 0.7, 0.7, 0.8]


def test_where_the_user_said_nothing_nothing_is_forgotten() -> None:
    case = EvalCase("q", conversation=[{"role": "assistant", "content": "Hello"}])
    result = KnowledgeRetention().evaluate(case, "Hello")
    assert (result.score, result.passed) == (1.0, True)


@pytest.mark.parametrize("name", SMALL)
def test_hostile_conversations_get_a_verdict(name: str) -> None:
    case = EvalCase("q", conversation=[{"role": "user", "content": SMALL[name]}])
    result, _ = judged(TurnConsistency, "Yes", case, SMALL[name])
    assert 0 <= result.score <= 1


def consistency(**settings: Any) -> Callable[..., Evaluator]:
    return lambda judge: SelfConsistency(judge=judge, backend="llm", **settings)


@pytest.mark.parametrize(
    ("reply", "score"),
    [("Consistent", 1.0), ("Contradicts.", 0.0), ("**consistent**", 1.0), ("<think>hm</think>Contradicts", 0.0)],
    ids=range(4),
)
def test_a_statement_is_held_against_every_sample(reply: str, score: float) -> None:
    result, endpoint = judged(consistency(), reply, EvalCase("q"), "The capital of Peru is Lima.", samples=SAMPLES)
    assert (result.score, len(endpoint.asked)) == (score, 3)
    assert result.reason.startswith("llm backend, 3 samples")


@pytest.mark.parametrize("reply", ["Inconsistent", "It is consistent with it", "", "Yes"], ids=range(4))
def test_another_word_is_no_verdict(reply: str) -> None:
    with pytest.raises(JudgeUnavailable, match="neither"):
        judged(consistency(), reply, EvalCase("q"), "The capital of Peru is Lima.", samples=SAMPLES)


def test_missing_samples_are_drawn() -> None:
    drawn: list[str] = []

    def answer(question: str) -> str:
        drawn.append(question)
        return "Lima is the capital of Peru."

    judged(consistency(model_fn=answer), "Consistent", EvalCase("q"), "Lima is the capital.", samples=SAMPLES[:2])
    assert drawn == ["q"] * 3
    drawn.clear()
    judged(consistency(model_fn=answer, n=3), "Consistent", EvalCase("q"), "Lima is the capital.", samples=SAMPLES)
    assert not drawn


@pytest.mark.parametrize(("adaptive", "used"), [(True, 10), (False, 4)])
def test_more_samples_are_drawn_where_the_first_leave_it_open(adaptive: bool, used: int) -> None:
    make = consistency(model_fn=lambda question: "It is Lima, I think.", n=4, max_n=10, adaptive=adaptive)
    replies = (["Consistent", "Contradicts"] * used)[: 4 + (used if adaptive else 0)]
    result, _ = judged(make, replies, EvalCase("q"), "The capital of Peru is Lima.")
    assert result.metadata["samples"] == used
    assert result.score == 0.5


def test_without_samples_there_is_nothing_to_compare() -> None:
    result = SelfConsistency(backend="llm").evaluate(EvalCase("q"), "Lima.")
    assert (result.status, result.score, result.passed) == ("skipped", 0.5, False)
    suite = EvalSuite("s").add_case(EvalCase("q")).add_evaluators(NotEmpty(), SelfConsistency(backend="llm"))
    report = suite.run(lambda question: "Lima.", verbose=False)
    assert (report.passed, report.scores_by_evaluator()) == (1, {"not_empty": 1.0})


def test_an_unknown_backend_is_refused() -> None:
    with pytest.raises(ValueError, match="backend"):
        SelfConsistency(backend="magic")


def test_a_long_answer_says_what_was_not_compared() -> None:
    text = " ".join(f"Sentence number {n} says something long enough." for n in range(12))
    result, endpoint = judged(consistency(), "Consistent", EvalCase("q"), text, samples=SAMPLES[:1])
    assert len(endpoint.asked) == 8
    assert "4 more sentences" in result.reason


@pytest.mark.parametrize("text", ["", "a\ud800b", "\x00", "[" * 2_000], ids=range(4))
def test_hostile_answers_get_a_score(text: str) -> None:
    result, _ = judged(consistency(), "Consistent", EvalCase("q"), text, samples=[text])
    assert result.score == 1.0


def test_a_sampler_that_fails_is_an_error_of_the_check() -> None:
    def broken(question: str) -> str:
        raise RuntimeError("no more")

    suite = EvalSuite("s").add_case(EvalCase("q")).add_evaluator(SelfConsistency(broken, backend="llm"))
    report = suite.run(lambda question: "a", verbose=False)
    assert report.case_results[0].status is EvalStatus.EVALUATOR_ERROR


@pytest.mark.parametrize(("contradiction", "score"), [(0.9, 0.1), (0.0, 1.0)])
def test_a_local_model_compares_where_there_is_one(
    monkeypatch: pytest.MonkeyPatch, contradiction: float, score: float
) -> None:
    def pipeline(task: str, **settings: Any) -> Callable[[dict[str, str]], Any]:
        labels = {"CONTRADICTION": contradiction, "ENTAILMENT": 1 - contradiction}
        return lambda pair: [[{"label": label, "score": value} for label, value in labels.items()]]

    module = ModuleType("transformers")
    module.pipeline = pipeline  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "transformers", module)
    _load_nli_pipeline.cache_clear()
    result = SelfConsistency().evaluate(EvalCase("q"), "The capital of Peru is Lima.", samples=SAMPLES)
    _load_nli_pipeline.cache_clear()
    assert result.score == pytest.approx(score)
    assert result.reason.startswith("nli backend, 3 samples")
