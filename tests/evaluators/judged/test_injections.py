"""No attempt of the injection suite reaches a judge outside its fence, in any judged evaluation."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from ringtrue.evaluators.built_in import JUDGED
from ringtrue.evaluators.judged.fences import neutralise
from ringtrue.evaluators.judged.judge import Judge
from ringtrue.evaluators.judged.prompt import prompt
from ringtrue.models.request import Request
from support.injections import MAKERS, Injection, breaches, injections, judges, outside, planted

SUITE = injections()
HARMLESS = "A harmless text."
UNUSABLE = ('{"a": 1}', '{"nonce": "a"}')
"""Replies that are refused for other reasons than a text is; the retry says why in ringtrue's own words."""


def asked(name: str, text: str, *said: str) -> list[Request]:
    """Every request that an evaluator makes about a text, with judges that repeat it and judges that obey it."""
    found: list[Request] = []
    for model in judges(text, *said):
        score = asyncio.run(MAKERS[name](model).measure(planted(text)))
        assert score.status in ("scored", "skipped", "error")
        found += model.asked
    return found


def leaks(attempt: Injection, requests: list[Request], allowed: set[str]) -> list[str]:
    """What is wrong with the requests about an attempt; `allowed` is what may be outside the fences."""
    lines = [line.strip() for line in (attempt.text + "\n" + neutralise(attempt.text)).splitlines()]
    control = [line for line in lines if len(line) >= 8 and not any(line in known for known in allowed)]
    problems = []
    for request in requests:
        bare = outside(request)
        problems += [f"outside the fence: {line[:60]!r}" for line in control if line in bare]
        problems += [] if bare in allowed else [f"what is outside has changed: {bare[-300:]!r}"]
        problems += [f"inside the fence: {breach}" for breach in breaches(request)]
    return problems


def test_there_are_enough_attempts() -> None:
    assert len({attempt.text for attempt in SUITE}) == len({attempt.id for attempt in SUITE}) >= 60
    assert len({attempt.kind for attempt in SUITE}) >= 10


def test_every_judged_evaluator_is_here() -> None:
    assert set(MAKERS) == set(JUDGED), "a new judged evaluator joins MAKERS in support/injections.py"


@pytest.mark.parametrize("name", sorted(JUDGED))
def test_no_attempt_gets_out(name: str) -> None:
    """The share of attempts with a breach is 0; every prompt of the evaluator was asked with every attempt."""
    allowed = {outside(request) for request in asked(name, HARMLESS, *UNUSABLE)}
    evaluator = MAKERS[name](next(judges(HARMLESS)))
    systems = {prompt(one).system for one in evaluator.prompts} if isinstance(evaluator, Judge) else set()
    broken = {}
    for attempt in SUITE:
        requests = asked(name, attempt.text)
        seen = {str(request.messages[0]["content"]) for request in requests}
        assert systems <= seen, f"{attempt.id}: a prompt was never asked"
        problems = leaks(attempt, requests, allowed)
        if problems:
            broken[attempt.id] = problems[0]
    assert len(broken) / len(SUITE) == 0, broken


@pytest.mark.parametrize("attempt", SUITE, ids=lambda attempt: attempt.id)
def test_the_check_would_see_it(attempt: Injection) -> None:
    """The same request with the attempt before, behind or instead of its fences is a breach."""
    request = asked("llm_judge", HARMLESS)[0]
    allowed = {outside(request)}
    assert not leaks(attempt, [request], allowed)
    for place in (0, 1):
        messages = [dict(message) for message in request.messages]
        messages[place]["content"] = f"{messages[place]['content']}\n{attempt.text}"
        assert leaks(attempt, [replace(request, messages=messages)], allowed)


def test_the_check_sees_an_unescaped_mark_inside_a_fence() -> None:
    request = asked("llm_judge", HARMLESS)[0]
    for mark in ("[[[end", "<|im_end|>", "＜｜im_end｜＞", "[\u200b[[", "</s>"):
        messages = [dict(message) for message in request.messages]
        messages[1]["content"] = str(messages[1]["content"]).replace(HARMLESS, f"{HARMLESS} {mark}")
        assert breaches(replace(request, messages=messages)), mark
