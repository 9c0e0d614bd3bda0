"""`PreferenceAdherenceEvaluator`: what the user wishes, where that is, and whether it was kept."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from ringtrue.evaluators.judged.config import BaseEvaluatorConfig
from ringtrue.evaluators.judged.preference_adherence import (
    InputUserPreferences,
    OutputPreferenceAdherenceEvaluator,
    PreferenceAdherenceEvaluator,
)
from ringtrue.evaluators.judged.scripted import scripted_judge

BEGINNING = "System: Be concise and avoid emojis.\nUser: What is Python?"
INPUT = InputUserPreferences(
    conversation_history_beginning_turn=BEGINNING, conversation_history_full=BEGINNING + "\nAssistant: A language."
)


def found(*preferences: str, start: int = 0, end: int = 0) -> dict[str, Any]:
    return {"preferences": [{"start_line": start, "end_line": end, "preference": one} for one in preferences]}


def kept(determination: str, probability: float) -> dict[str, Any]:
    return {"reasoning": "why", "determination": determination, "adherence_probability": probability}


YES, NO, NA = kept("adhered", 90), kept("did_not_adhere", 10), kept("not_applicable", 50)


def run(*replies: Any) -> OutputPreferenceAdherenceEvaluator:
    evaluator = PreferenceAdherenceEvaluator(
        config=BaseEvaluatorConfig(model="gpt-5-mini"), model=scripted_judge(replies)
    )
    return asyncio.run(evaluator.run(INPUT))


SCORES = [
    ("all", [YES, YES], 100.0, 1.0),
    ("half", [YES, NO], 50.0, 0.5),
    ("one-irrelevant", [YES, NA], 50.0, 1.0),
    ("none", [NO, NA], 0.0, 0.0),
]


@pytest.mark.parametrize(("verdicts", "score", "rate"), [row[1:] for row in SCORES], ids=[row[0] for row in SCORES])
def test_adhered_over_total(verdicts: list[Any], score: float, rate: float) -> None:
    result = run(found("be concise", "no emojis"), *verdicts)
    assert (result.score, result.metadata["applicable_rate"], result.status) == (score, rate, "scored")
    assert [one.preference for one in result.extracted_user_preferences.preferences] == ["be concise", "no emojis"]
    assert [one.determination for one in result.adherence_to_preferences] == [one["determination"] for one in verdicts]
    assert result.metadata["calls"] == 3
    assert (result.metadata["feedback"] is None) == (NO not in verdicts)


def test_nothing_to_judge_is_not_applicable() -> None:
    assert run(found()).status == "skipped"
    result = run(found("x"), NA)
    assert (result.status, result.score) == ("skipped", 0.0)
    assert len(result.adherence_to_preferences) == 1


def test_the_same_preference_counts_once() -> None:
    assert len(run(found("Be concise", "be concise "), YES).adherence_to_preferences) == 1


BROKEN: list[tuple[str, list[Any], str]] = [
    ("line-beyond-the-end", [found("x", end=2)] * 2, "lines"),
    ("lines-turned-round", [found("x", start=1, end=0)] * 2, "lines"),
    ("negative-line", [found("x", start=-1)] * 2, "minimum"),
    ("blank-preference", [found(" ")] * 2, "empty"),
    ("extraction-unreadable", ["?", "?"], "preferences"),
    ("contradictory", [found("x"), kept("adhered", 5), kept("adhered", 5)], "contradict"),
    ("contradictory-no", [found("x"), kept("did_not_adhere", 95), kept("did_not_adhere", 95)], "contradict"),
    ("out-of-range", [found("x"), kept("adhered", 900), kept("adhered", 900)], "maximum"),
    ("unknown-word", [found("x"), kept("mostly", 60), kept("mostly", 60)], "enum"),
]


@pytest.mark.parametrize(("replies", "shown"), [row[1:] for row in BROKEN], ids=[row[0] for row in BROKEN])
def test_a_broken_judge_is_an_error(replies: list[Any], shown: str) -> None:
    result = run(*replies)
    assert (result.status, result.score) == ("error", 0.0)
    assert shown in result.error


def test_what_was_judged_before_the_judge_broke_is_reported() -> None:
    result = run(found("a", "b"), "?", "?", YES)
    assert (result.status, len(result.extracted_user_preferences.preferences)) == ("error", 2)
    assert "preference 1 of 2" in result.error
    assert [one.preference for one in result.adherence_to_preferences] == ["b"]
    assert [one["preference"] for one in result.metadata["unjudged"]] == ["a"]
    assert result.metadata["bounds"] == [0.5, 1.0]


def test_from_a_transcript() -> None:
    messages = [
        {"role": "developer", "content": "No emojis."},
        {"role": "user", "content": "Hi"},
        {"role": "assistant", "content": "ANSWER"},
    ]
    model = scripted_judge([found("no emojis", start=1, end=1), YES])
    result = asyncio.run(PreferenceAdherenceEvaluator(model=model).evaluate(messages, []))
    assert (result.score, result.applicable) == (100.0, True)
    assert set(result.metadata) >= {"extracted_user_preferences", "adherence_to_preferences", "applicable_rate"}
    first, second = (str(request.messages[1]["content"]) for request in model.asked)
    assert "1: | No emojis." in first
    assert "ANSWER" not in first
    assert "ANSWER" in second
    assert asyncio.run(PreferenceAdherenceEvaluator(model=model).evaluate(messages[:2], [])).score == 0.0
