"""One trial and many trials give identical results, by trials and by columns."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ringtrue.dialects.suite import case_of
from ringtrue.evaluators import build
from ringtrue.evaluators.built_in import BUILT_IN
from ringtrue.evaluators.check import Check
from ringtrue.evaluators.text_check import TextCheck
from ringtrue.records import Output, Trial
from support.specs import CASE, SPECS

pytestmark = pytest.mark.filterwarnings("ignore:IFEvalChecker")

answers = st.sampled_from(["B", "The answer is B.", "42", r"\boxed{42}", '{"a": 1}', "needle", "", " ", "aaaa", "Yes."])
texts = st.one_of(answers, st.text(max_size=30))
golds = st.none() | st.lists(texts, min_size=1, max_size=2).map(tuple)


@pytest.mark.parametrize("name", [name for name in BUILT_IN if name != "code_execution"])
@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(texts, golds), max_size=6))
def test_the_same(name: str, rows: list[tuple[str, tuple[str, ...] | None]]) -> None:
    evaluator = build(SPECS.get(name, name))
    assert isinstance(evaluator, Check)
    case = case_of(CASE)
    trials = [Trial(replace(case, expected=gold), Output(text, latency_seconds=0.2)) for text, gold in rows]
    alone = [evaluator.measure(trial) for trial in trials]
    assert evaluator.measure_many(trials) == alone
    if isinstance(evaluator, TextCheck):
        assert evaluator.measure_texts([text for text, _ in rows], [gold for _, gold in rows]) == alone


@pytest.mark.parametrize("name", list(BUILT_IN))
def test_a_copy_from_another_process_is_the_same(name: str) -> None:
    import pickle

    evaluator = build(SPECS.get(name, name))
    assert pickle.loads(pickle.dumps(evaluator)).signature() == evaluator.signature()
