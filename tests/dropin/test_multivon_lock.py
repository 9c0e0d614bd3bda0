"""A suite of multivon-eval that is locked: whatever its verdicts depend on is told, and what changed since."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from multivon_eval import (
    Contains,
    EvalCase,
    EvalReport,
    EvalResult,
    EvalSuite,
    ExactMatch,
    Faithfulness,
    LockMismatch,
    NotEmpty,
    SuiteLock,
    VQAFaithfulness,
    WordCount,
    __version__,
    compare_reports,
    declare_dependencies,
)
from multivon_eval.dependencies import lock_issues, seal_lock
from multivon_eval.evaluators.base import Evaluator
from multivon_eval.lockfile import fingerprint_evaluator


class Own(Evaluator):
    """A check whose rule is a function."""

    name = "own"

    def __init__(self, rule: Callable[[str], bool] = bool) -> None:
        super().__init__()
        self.rule = rule

    def evaluate(self, case: EvalCase, output: str) -> EvalResult:
        return self._result(float(self.rule(output)))


def suite(*evaluators: Any) -> EvalSuite:
    return EvalSuite("locked").add_case(EvalCase("q", "a")).add_evaluators(*evaluators or [ExactMatch()])


def report(*evaluators: Any) -> EvalReport:
    return suite(*evaluators).run(lambda question: "a", verbose=False)


def test_a_lock_tells_the_suite_and_is_the_same_twice() -> None:
    lock = suite(ExactMatch(), NotEmpty()).lock()
    assert (lock.suite_name, lock.library_version, lock.case_count) == ("locked", __version__, 1)
    assert [row.name for row in lock.evaluators] == ["exact_match", "not_empty"]
    assert lock == suite(ExactMatch(), NotEmpty()).lock()
    assert SuiteLock.from_json(lock.to_json()) == lock
    assert EvalSuite("empty").lock().cases_hash is None


def test_a_locked_suite_is_known_again_from_an_object_a_text_and_a_file(tmp_path: Path) -> None:
    path = suite().write_lock(tmp_path / "deep" / "suite.lock")
    for saved in (suite().lock(), suite().lock().to_json(), path, str(path)):
        suite().verify_lock(saved)
    with pytest.raises(TypeError, match="a lock is"):
        suite().verify_lock(7)  # type: ignore[arg-type]
    with pytest.raises(FileNotFoundError):
        suite().verify_lock(tmp_path / "none.lock")


@pytest.mark.parametrize(
    ("other", "words"),
    [
        pytest.param(suite(WordCount(max=9), NotEmpty()), "evaluator added: .*not_empty", id="one-more"),
        pytest.param(suite(NotEmpty()), "evaluator removed: .*word_count", id="another"),
        pytest.param(suite(WordCount(max=10)), "word_count.config.max_words: 10 vs 9", id="a-setting"),
        pytest.param(suite(WordCount(max=9, threshold=0.5)), r"word_count.threshold: 0.5 vs 1.0", id="threshold"),
        pytest.param(suite(WordCount(max=9)).add_case(EvalCase("r")), "case_count: 2 vs 1", id="a-case"),
    ],
)
def test_what_changed_is_told(other: EvalSuite, words: str) -> None:
    with pytest.raises(LockMismatch, match=words) as failure:
        other.verify_lock(suite(WordCount(max=9)).lock())
    assert any(re.search(words, line) for line in failure.value.differences)


def test_settings_of_a_check_can_be_changed_and_are_checked() -> None:
    check, made = Contains(["a"]), suite(NotEmpty(0.5))
    lock = made.lock()
    made.evaluators[0].threshold = 0.8
    assert any("not_empty.threshold: 0.8 vs 0.5" in line for line in made.lock().diff(lock))
    check.substrings = ["b"]
    assert (check.evaluate(EvalCase("q"), "b").passed, check.evaluate(EvalCase("q"), "a").passed) == (True, False)
    with pytest.raises(ValueError, match="threshold"):
        check.threshold = 7


def test_reference_outputs_and_tags_are_no_part_of_a_lock() -> None:
    plain, more = EvalCase("q", "a"), EvalCase("q", "a", reference_output="r", tags=["t"])
    locks = [EvalSuite("s").add_case(case).lock() for case in (plain, more)]
    assert locks[0] == locks[1]


def test_a_check_of_ones_own_needs_a_declaration() -> None:
    undeclared = report(Own())
    assert any("declared dependency" in issue for issue in lock_issues(undeclared.suite_lock))
    assert compare_reports(undeclared, undeclared).mcnemar_p is None
    with pytest.raises(LockMismatch, match="Opaque settings need a declared dependency contract: rule"):
        suite(Own()).verify_lock(suite(Own()).lock())

    def declared(version: str) -> EvalReport:
        return report(declare_dependencies(Own(), version=version, dependencies={"rule": "git:1"}))

    assert not compare_reports(declared("1"), declared("1")).identity_issues
    assert "the evaluator configuration changed" in compare_reports(declared("1"), declared("2")).identity_issues


def test_declared_files_are_hashed_and_their_paths_are_told_nowhere(tmp_path: Path) -> None:
    path = tmp_path / "private.json"
    path.write_text("1")
    check = declare_dependencies(Own(), version="1", dependencies={}, files={"rule": path})
    first = report(check)
    assert str(tmp_path) not in first.to_json()
    path.write_text("2")
    assert compare_reports(first, report(check)).identity_issues
    path.unlink()
    lost = report(check)
    assert lost.passed
    assert any("unavailable" in issue for issue in lock_issues(lost.suite_lock))


def test_secrets_count_and_are_not_told() -> None:
    check: Any = Own()
    check.api_key, check.headers = "key-1", {"Authorization": "key-1"}
    check.address = "https://user:key-1@host/path?token=key-1"
    before = fingerprint_evaluator(check).extra
    assert "key-1" not in json.dumps(before)
    check.api_key = "key-2"
    assert fingerprint_evaluator(check).extra["config"] != before["config"]


def test_a_tuple_is_no_list_and_a_pattern_no_object() -> None:
    check: Any = Own()
    found = []
    for value in ([(1, 2)], [[1, 2]], re.compile("x"), {"pattern": "x", "flags": 32}):
        check.option = value
        found.append(fingerprint_evaluator(check).extra)
    assert found[0]["config"] == found[1]["config"]
    assert len({json.dumps(extra) for extra in found}) == 4


def test_what_changes_while_a_suite_runs_is_told() -> None:
    check = NotEmpty(0.5)

    def answer(question: str) -> str:
        check.threshold = 0.9
        return "a"

    found = suite(check).run(answer, verbose=False)
    assert any("changed during execution" in issue for issue in lock_issues(found.suite_lock))
    assert found.suite_lock is not None
    assert found.suite_lock.evaluators[0].threshold == 0.5
    assert found.suite_lock.extra["post_run_lock"]["evaluators"][0]["threshold"] == 0.9
    again = EvalReport.from_dict(json.loads(found.to_json()))
    assert again.suite_lock == found.suite_lock
    assert compare_reports(again, again).mcnemar_p is None


def test_a_lock_that_was_changed_by_hand_is_no_evidence() -> None:
    found, other = report(), report()
    assert not compare_reports(found, other).identity_issues
    assert other.suite_lock is not None
    other.suite_lock.extra["engine"]["python"] = "2.7"
    issues = compare_reports(found, other).identity_issues
    assert "proposal: the suite lock's digest does not match what it says" in issues
    assert "the engine's source or environment changed" in issues
    other.suite_lock.extra["engine"] = None
    seal_lock(other.suite_lock)
    assert any("no readable record of the engine" in issue for issue in lock_issues(other.suite_lock))
    other.suite_lock = None
    assert any("Missing suite lock" in issue for issue in compare_reports(other, other).identity_issues)


def test_a_newer_kernel_changes_no_verdict() -> None:
    found, other = report(), report()
    assert other.suite_lock is not None
    other.suite_lock.extra["engine"]["release"] = "another"
    seal_lock(other.suite_lock)
    assert not compare_reports(found, other).identity_issues


def test_a_check_is_named_by_its_documented_module() -> None:
    named = {check: fingerprint_evaluator(check).class_path for check in (Faithfulness(), ExactMatch(), Own())}
    assert list(named.values()) == [
        "multivon_eval.evaluators.llm_judge.Faithfulness",
        "multivon_eval.evaluators.deterministic.ExactMatch",
        f"{__name__}.Own",
    ]


def test_the_words_of_a_judge_of_pictures_are_locked_and_can_be_changed() -> None:
    check = VQAFaithfulness(threshold=0.5)
    before = fingerprint_evaluator(check)
    assert before.extra["config"]["protocol"] == "vision-qag/v2"
    check._CLAIM_PROMPT = check._CLAIM_PROMPT + " Name three at most."  # type: ignore[misc,assignment]
    after = fingerprint_evaluator(check)
    assert (before.prompt_hash is None, before.prompt_hash == after.prompt_hash) == (False, False)
    assert fingerprint_evaluator(VQAFaithfulness(threshold=0.5)).prompt_hash == before.prompt_hash
