"""A wrong argument of the Python API raises an error that says what is wrong and what to pass, before the first call."""

# ruff: noqa: E501 - one call a line
from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import ringtrue
from ringtrue import EvalCase, EvalSuite, as_evaluator, assess_sync, evaluators
from ringtrue.errors import RingtrueError

ROWS = [{"question": "Capital of France?", "answer": "Paris", "response": "Paris"}]


def app(question: str) -> str:
    raise AssertionError("a wrong call asks nothing")


run = partial(ringtrue.evaluate, progress=False, store=None)
case = EvalCase(input="a")

WRONG: list[tuple[Callable[[], Any], str]] = [
    (lambda: run(app, ROWS, evaluator=["exact_match"]), "evaluate() has no parameter 'evaluator'; did you mean 'evaluators'?"),
    (lambda: run(app, ROWS, evaluators=["exactmatch"]), "no evaluator named 'exactmatch'; did you mean 'exact_match'?"),
    (lambda: run(app, ROWS, evaluators=[]), "no evaluator given; 'ringtrue list evaluators' shows all"),
    (lambda: run(app, ROWS, evaluators=[None]), "None is not an evaluator: it needs score(original, processed)"),
    (lambda: run(app, ROWS, evaluators=[evaluators.ExactMatch]), "ExactMatch is a class; pass an object: ExactMatch(...)"),
    (lambda: run(None, ROWS), "None is not a system: pass a function, or an object with process(example)"),
    (lambda: run("gpt", ROWS), "'gpt' is not a system: pass a function"),
    (lambda: run([], ROWS), "no system given: pass a function"),
    (lambda: run([app, app], ROWS), "two systems are named 'app'; give each its own: -s NAME=SPEC, or the attribute `name`"),
    (lambda: run(app, None), "a dataset is a name, a file, a data frame or an iterable of dicts; got NoneType"),
    (lambda: run(app, {"question": "x"}), "a dataset is a name, a file, a data frame or an iterable of dicts; got dict"),
    (lambda: run(app, "none.jsonl"), "'none.jsonl' does not exist"),
    (lambda: run(app, ["a"]), "row 1 of the dataset is str, not a dict or a case"),
    (lambda: run(app, [{"frage": "x"}]), "mapping={'input': FIELD} in Python"),
    (lambda: run(app, ROWS, metrics=["accuracy"]), "'accuracy' is not a metric: pass an object of ringtrue.metrics"),
    (lambda: run(app, ROWS, metrics="accuracy"), "'accuracy' is not a metric"),
    (lambda: run(app, ROWS, threshold="high"), "threshold must be a number in [0, 1]; got 'high'"),
    (lambda: run(app, ROWS, max_examples="3"), "max_examples must be a whole number of at least 0; got '3'"),
    (lambda: run(app, ROWS, max_workers=0), "max_workers must be a whole number of at least 1; got 0"),
    (lambda: run(app, ROWS, mapping={"foo": "bar"}), "names the field of response, expected, input, context, id, latency"),
    (lambda: run(app, ROWS, mapping="question"), "mapping must be a dict, as in {'response': 'model_said'}; got 'question'"),
    (lambda: evaluators.Contains("Paris"), "substrings must be a list of texts, as in Contains(['Paris'])"),
    (lambda: evaluators.Contains([]), "substrings must be a list of one text or more"),
    (lambda: evaluators.RegexMatch("("), "the regular expression '(' cannot be used: missing )"),
    (lambda: evaluators.JSONSchemaEval("x"), "schema must be a dict (or True or False); got str"),
    (lambda: evaluators.WordCount(min_words=5, max_words=1), "min_words must not exceed max_words; got 5 and 1"),
    (lambda: evaluators.Latency(max_ms=0), "max_ms must be a number above 0; got 0"),
    (lambda: evaluators.BLEU(n=0), "n must be a whole number from 1 to 100; got 0"),
    (lambda: evaluators.AnswerQuality().score("a", "b"), "score(original, processed) takes two dicts; original is str"),
    (lambda: evaluators.NotEmpty().evaluate(None, "x"), "got NoneType: write EvalCase('the question')"),
    (lambda: evaluators.LLMJudge(base_url="foo"), "it must start with http:// or https:// and name a host"),
    (lambda: EvalSuite("x").add_cases("abc"), "cases must be a list; got 'abc'"),
    (lambda: EvalSuite("x").add_cases([1]), "a case is an EvalCase, a dict or an object with input and expected_output; got int"),
    (lambda: EvalSuite("x").run(app), "the suite 'x' has no cases; add_cases([...])"),
    (lambda: EvalSuite("x").add_cases([case]).run(app), "nothing measures the case '#1'; add_evaluators(...)"),
    (lambda: assess_sync(ROWS), "evaluations must be a list of one evaluator or more, such as ['tool_usage']; got ()"),
    (lambda: as_evaluator("exact_match"), "ringtrue.evaluators.build('exact_match') makes an evaluator"),
    (lambda: ringtrue.score_file(None, ["exact_match"]), "give a file, several files, or rows (a list of dicts, a data frame); got NoneType"),
    (lambda: ringtrue.score_file(ROWS, []), "no evaluator given"),
    (lambda: ringtrue.score_file(ROWS, ["exact_match"], output="x.doc"), "cannot tell the format of 'x.doc'"),
    (lambda: ringtrue.open_run(None), "a run is an id, 'last', a file of rows or a Run; got NoneType"),
    (lambda: ringtrue.rescore(None, ["exact_match"]), "a run is an id, 'last', a file of rows or a Run; got NoneType"),
    (lambda: ringtrue.calibrate(ROWS, ["exact_match"], label="human"), "--label FIELD names it, label= in Python"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "message"), WRONG, ids=[message[:50] for _, message in WRONG])
def test_a_wrong_argument(
    call: Callable[[], Any], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(RingtrueError) as raised:
        call()
    assert message in str(raised.value)
    assert not [*tmp_path.iterdir()]


def test_a_call_without_arguments_names_the_function_that_was_called() -> None:
    with pytest.raises(TypeError, match=r"^evaluate\(\) missing 2 required positional arguments"):
        ringtrue.evaluate()  # type: ignore[call-arg]
