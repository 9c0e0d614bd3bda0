"""Settings that are lists: what is changed in the list is changed in the check."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from multivon_eval import Contains, EvalCase, EvalSuite
from multivon_eval.dependencies import lock_issues

from ringtrue.errors import ConfigurationError
from ringtrue.evaluators import Contains as Native

Change = Callable[[Any], Any]


@pytest.mark.parametrize(
    "change",
    [
        lambda words: words.append("z"),
        lambda words: words.extend(["z", "y"]),
        lambda words: words.insert(0, "z"),
        lambda words: words.remove("b"),
        lambda words: words.pop(),
        lambda words: words.sort(reverse=True),
        lambda words: words.reverse(),
        lambda words: words.__setitem__(slice(None), ["z"]),
        lambda words: words.__delitem__(0),
        lambda words: words.__iadd__(["z"]),
        lambda words: words.__imul__(2),
    ],
    ids=["append", "extend", "insert", "remove", "pop", "sort", "reverse", "set", "delete", "add", "repeat"],
)
def test_a_change_of_the_list_is_a_change_of_the_check(change: Change) -> None:
    check, wanted = Contains(["a", "b"]), ["a", "b"]
    change(check.substrings)
    change(wanted)
    assert check.substrings == wanted
    assert check == Contains(wanted)
    assert check.evaluate(EvalCase("q"), "a b").score == Contains(wanted).evaluate(EvalCase("q"), "a b").score


@given(st.lists(st.text(min_size=1), min_size=1))
def test_a_check_is_what_it_was(words: list[str]) -> None:
    check = Contains(words)
    assert check.signature() == Native(words).signature()
    for other in (copy.deepcopy(check), pickle.loads(pickle.dumps(check))):
        assert (other, hash(other)) == (check, hash(check))


def test_what_a_check_refuses_changes_nothing() -> None:
    check = Contains(["a"])
    for change in (lambda words: words.append(3), lambda words: words.clear(), lambda words: words.append("")):
        with pytest.raises(ConfigurationError, match="substrings"):
            change(check.substrings)
        assert check.substrings == ["a"]


def test_a_check_that_changes_while_it_runs_is_seen() -> None:
    check = Contains(["a"])
    suite = EvalSuite("s").add_case(EvalCase("q")).add_evaluator(check)
    report = suite.run(lambda question: check.substrings.append("b") or "a", verbose=False)
    assert report.suite_lock is not None
    assert "changed during execution" in " ".join(lock_issues(report.suite_lock))
    assert report.suite_lock.evaluators[0].extra["config"]["substrings"] == ["a"]
