"""Every evaluator meets every hostile output: it ends, it never raises, and the score says what happened."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest

from ringtrue import EvalCase
from ringtrue.evaluators import build
from ringtrue.evaluators.built_in import BUILT_IN
from ringtrue.records import Score
from support.golden import golden
from support.hostile import LARGE, SMALL, TOO_LARGE
from support.specs import CASE, SPECS

pytestmark = pytest.mark.filterwarnings("ignore:IFEvalChecker")

SECONDS = 10
"""Of processor time, far above the second each may take: this finds hangs, it does not measure."""


_OFFICIAL = {row["instruction"]: row["kwargs"] for row in golden("ifbench")}
IFBENCH = {"instruction_id_list": list(_OFFICIAL), "kwargs": list(_OFFICIAL.values())}
"""Every instruction of IFBench, with arguments that its authors use."""


@contextmanager
def must_end() -> Iterator[None]:
    def stop(*_: object) -> None:
        raise TimeoutError(f"still running after {SECONDS} s of processor time")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def check(name: str, output: Any, case: EvalCase = CASE) -> None:
    evaluator = build(SPECS.get(name, name))
    if name == "ifbench":
        case = replace(case, metadata={**case.metadata, **IFBENCH})
    with must_end():
        result = evaluator.evaluate(case, output, latency_ms=50)  # type: ignore[attr-defined]
    assert result.status in ("scored", "skipped"), result.reason
    if result.score is not None:
        assert 0.0 <= result.score <= 1.0
        assert result.passed or result.reason or result.score == 1.0


@pytest.mark.parametrize("item", SMALL)
@pytest.mark.parametrize("name", BUILT_IN)
def test_small(name: str, item: str) -> None:
    check(name, SMALL[item])


@pytest.mark.parametrize("item", LARGE)
@pytest.mark.parametrize("name", BUILT_IN)
def test_large(name: str, item: str) -> None:
    check(name, LARGE[item])


@pytest.mark.parametrize("item", ["one_letter", "digits", "spaces", "unicode_words", "latex_plus", "words"])
@pytest.mark.parametrize("name", BUILT_IN)
def test_a_hostile_gold_is_as_harmless(name: str, item: str) -> None:
    check(name, LARGE[item][:50_000], EvalCase("q", LARGE[item], metadata=dict(CASE.metadata, correct_letter="B")))


@pytest.mark.parametrize("name", BUILT_IN)
def test_ten_megabytes_end_and_a_limit_is_named(name: str) -> None:
    evaluator = build(SPECS.get(name, name))
    with must_end():
        result = evaluator.evaluate(CASE, TOO_LARGE, latency_ms=50)  # type: ignore[attr-defined]
    limit = getattr(evaluator, "max_chars", None)
    if limit is not None and limit < len(TOO_LARGE):
        assert result.score == 0.0
        assert f"{limit:,}" in result.reason


def test_a_score_of_a_broken_output_says_what_happened() -> None:
    for name in BUILT_IN:
        result = build(SPECS.get(name, name)).evaluate(CASE, None, latency_ms=50)  # type: ignore[attr-defined]
        assert "None" in result.reason or name in ("latency", "max_latency", "not"), name


def test_the_guard_would_catch_a_hang() -> None:
    with pytest.raises(TimeoutError), must_end():
        signal.raise_signal(signal.SIGPROF)
    assert Score.error("x").status == "error"
