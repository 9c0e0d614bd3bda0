"""The judge bench: what it says of judges whose faults are known."""

from __future__ import annotations

import asyncio
import json
from random import Random
from typing import Any

import pytest

from ringtrue.api.certify import certify_judge
from ringtrue.api.judge_bench import PLANTED
from ringtrue.api.judge_bench_rows import balanced_rows, labelled_answers, labelled_pairs
from ringtrue.errors import ConfigurationError, ModelError
from ringtrue.evaluators.judged.fences import neutralise
from ringtrue.evaluators.judged.scripted import scripted_judge
from ringtrue.models.local.local_model import weights
from ringtrue.models.request import Request

ANSWERS = {(row.question, neutralise(row.response)): row.correct for row in labelled_answers()}
BETTER = {neutralise(row.first if row.better == "first" else row.second) for row in labelled_pairs()}


def part(request: Request, name: str) -> str:
    text = str(request.messages[-1]["content"])
    return text.split(f"[[[{name} ", 1)[1].split("]]]\n", 1)[1].split(f"\n[[[end of {name} ", 1)[0]


def is_about_a_pair(request: Request) -> bool:
    return "[[[first " in str(request.messages[-1]["content"])


def knowing(request: Request) -> dict[str, Any]:
    """A judge that knows the labels, and believes no planted text."""
    if is_about_a_pair(request):
        return {"reasoning": "", "better": "first" if part(request, "first") in BETTER else "second"}
    response = part(request, "response").removesuffix(neutralise(PLANTED))
    return {"reasoning": "", "rating": 5 if ANSWERS[part(request, "question"), response] else 1}


def gullible(request: Request) -> dict[str, Any]:
    reply = knowing(request)
    believed = not is_about_a_pair(request) and neutralise(PLANTED) in part(request, "response")
    return reply | ({"rating": 5} if believed else {})


def partial_to_the_first(request: Request) -> dict[str, Any]:
    return {"reasoning": "", "better": "first"} if is_about_a_pair(request) else knowing(request)


def fond_of_length(request: Request) -> dict[str, Any]:
    if not is_about_a_pair(request):
        return knowing(request)
    longer = len(part(request, "first")) > len(part(request, "second"))
    return {"reasoning": "", "better": "first" if longer else "second"}


def guessing(seed: int = 0) -> Any:
    random = Random(seed)

    def judge(request: Request) -> dict[str, Any]:
        if is_about_a_pair(request):
            return {"reasoning": "", "better": random.choice(("first", "second", "neither"))}
        return {"reasoning": "", "rating": random.randint(1, 5)}

    return judge


def test_a_judge_that_knows_is_found_to() -> None:
    found = certify_judge(scripted_judge(knowing), "m", answers=60, pairs=20, again=10, planted=10)
    figures = {name: one.value for name, one, _ in found.rows()}
    assert figures["agreement"] == figures["kappa"] == figures["auc"] == 1.0
    assert figures["pairs right in both orders"] == figures["same verdict when asked again"] == 1.0
    assert figures["not moved by planted text"] == 1.0
    assert figures["chose the first shown (50 % is fair)"] == 0.5
    assert found.calls == 60 + 10 + 10 + 2 * 20
    assert (found.errors, found.is_no_better_than_chance) == (0, False)
    assert found.without_judge.metrics["agreement"].n == 60
    assert 0.8 < (found.without_judge.metrics["agreement"].value or 0) < 1.0
    assert "agrees with people in 100.0 %" in found.verdict
    assert json.loads(json.dumps(found.record()))["figures"]["auc"]["value"] == 1.0
    assert found.lines()[-1] == f"Verdict: {found.verdict}."


def test_a_coin_is_called_one() -> None:
    for seed in range(3):
        found = certify_judge(scripted_judge(guessing(seed)), "m", answers=60, pairs=10, again=20, planted=0)
        assert found.verdict == "this judge is no better than chance"
        assert found.resisted.value is None


@pytest.mark.parametrize(
    ("judge", "name", "value"),
    [
        (gullible, "not moved by planted text", 0.0),
        (partial_to_the_first, "chose the first shown (50 % is fair)", 1.0),
        (fond_of_length, "chose the longer", 1.0),
    ],
    ids=["gullible", "position", "length"],
)
def test_each_fault_shows_in_its_figure_alone(judge: Any, name: str, value: float) -> None:
    found = certify_judge(scripted_judge(judge), "m", answers=20, pairs=20, again=0, planted=10)
    figures = {reply: one.value for reply, one, _ in found.rows()}
    assert figures[name] == value
    assert figures["agreement"] == 1.0


def test_a_judge_that_cannot_be_asked_gives_its_reason() -> None:
    broken = scripted_judge(lambda request: ModelError("answered 401: no such key", kind="http", status=401))
    found = certify_judge(broken, "m", answers=20, pairs=5)
    assert "nothing could be measured" in found.verdict
    assert "401: no such key" in found.verdict
    assert found.calls < 40, "nobody goes on asking who refuses the key"


def test_a_function_is_a_judge() -> None:
    async def judge(prompt: str) -> str:
        nonce = prompt.split('Put "')[1].split('"')[0]
        await asyncio.sleep(0)
        verdict = {"better": "neither"} if "[[[first " in prompt else {"rating": 3}
        return json.dumps({"reasoning": "", **verdict, "nonce": nonce})

    found = certify_judge(judge, answers=4, pairs=1, again=1, planted=1)
    assert (found.errors, found.answers.counts.n) == (0, 4)


def test_the_rows_name_their_licences_and_are_always_the_same() -> None:
    answers, pairs = labelled_answers(), labelled_pairs()
    assert {row.licence for row in answers} == {"Apache-2.0"}
    assert {row.licence for row in pairs} == {"MIT"}
    some = balanced_rows(answers, lambda row: row.correct, 40)
    assert some == balanced_rows(answers, lambda row: row.correct, 40)
    assert sum(row.correct for row in some) == 20
    assert len(balanced_rows(pairs, lambda row: row.better, 10_000)) == len(pairs)
    with pytest.raises(ConfigurationError, match="answers"):
        certify_judge(scripted_judge([]), answers=1)


@pytest.mark.skipif(
    weights.embedded_path() is None or weights.installed_version(weights.ENGINE) is None,
    reason="the local model is not installed: run 'ringtrue local install'",
)
def test_the_embedded_model_on_the_bench() -> None:
    found = certify_judge("local", answers=2, pairs=0, again=0, planted=0)
    assert found.is_embedded
    assert "the embedded model" in found.lines()[0]
    assert found.calls >= 2
    assert found.cost == 0.0
