"""multivon-eval's suites: statuses, repeats, gates and stored outputs, run by ringtrue's runner."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import subprocess
import sys
import threading
from collections.abc import Callable
from contextvars import ContextVar
from pathlib import Path
from typing import Any

import pytest
from multivon_eval import (
    AgentStep,
    Contains,
    EvalCase,
    EvalGateFailure,
    EvalReport,
    EvalResult,
    EvalStatus,
    EvalSuite,
    EvaluatorFailure,
    ExactMatch,
    JudgeUnavailable,
    Latency,
    NotEmpty,
    ToolCall,
    ToolCallAccuracy,
    assert_evaluators,
)
from multivon_eval.evaluators.base import Evaluator
from multivon_eval.suite import _aggregate_runs

from ringtrue.evaluators import EndsWith
from ringtrue.records import Score


class Raising(Evaluator):
    name = "raising"

    def evaluate(self, case: EvalCase, output: str) -> EvalResult:
        raise RuntimeError("bad")


class Judging(Evaluator):
    name = "judging"
    uses_llm_judge = True

    def evaluate(self, case: EvalCase, output: str) -> EvalResult:
        raise JudgeUnavailable("no judge", "openai", "gpt")


class Boasting(Evaluator):
    name = "boasting"

    def evaluate(self, case: EvalCase, output: str) -> EvalResult:
        return EvalResult(self.name, 1.5, True)


class Seeing(Evaluator):
    """Sees the case the user wrote, with its methods and objects."""

    name = "seeing"

    def evaluate(self, case: EvalCase, output: str) -> EvalResult:
        if case.context is None:
            return self._skipped("no context")
        return self._result(float(case.context_str() == "a\n\nb"), "seen", context=case.context)


def suite(*evaluators: Any, n: int = 1) -> EvalSuite:
    cases = [EvalCase(f"q{number}", expected_output="a", tags=["t"]) for number in range(n)]
    return EvalSuite("s", model_id="m").add_cases(cases).add_evaluators(*evaluators)


def says(text: str) -> Callable[[str], str]:
    return lambda question: text


def down(question: str) -> str:
    raise ValueError("down")


def one_down(question: str) -> str:
    return "a" if question > "q0" else down(question)


def test_a_suite_measures_and_counts() -> None:
    report = suite(ExactMatch(), Latency(60_000), n=3).run(lambda q: "A" if q == "q0" else "b", verbose=False)
    assert (report.total, report.evaluated, report.passed, report.failed) == (3, 3, 1, 2)
    assert report.pass_rate == pytest.approx(1 / 3)
    assert [str(case.status) for case in report.case_results] == ["passed", "failed_quality", "failed_quality"]
    first = report.case_results[0]
    assert (first.case_input, first.actual_output, first.tags, first.score) == ("q0", "A", ["t"], 1.0)
    assert (first.case_id, first.case_digest) == EvalCase("q0", expected_output="a", tags=["t"]).identity()
    assert first.latency_ms > 0
    assert report.model_id == "m"


@pytest.mark.parametrize(
    ("evaluators", "fn", "status", "field", "message"),
    [
        pytest.param([ExactMatch()], down, "model_error", "model_error", "down", id="the-function-raises"),
        pytest.param(
            [Raising(), NotEmpty()],
            says("a"),
            "evaluator_error",
            "evaluator_error",
            "RuntimeError: bad",
            id="a-check-raises",
        ),
        pytest.param(
            [Judging(), NotEmpty()], says("a"), "judge_error", "judge_error", "no judge", id="a-judge-is-away"
        ),
        pytest.param([Seeing()], says("a"), "skipped", "model_error", None, id="nothing-to-measure"),
        pytest.param([Seeing(), NotEmpty()], says("a"), "passed", "model_error", None, id="a-skip-is-no-failure"),
        pytest.param([], says("a"), "failed_quality", "model_error", None, id="no-checks"),
        pytest.param([NotEmpty()], says(None), "failed_quality", "evaluator_error", None, id="none-is-a-failure"),
    ],
)
def test_statuses(evaluators: list[Any], fn: Any, status: str, field: str, message: str | None) -> None:
    found = suite(*evaluators).run(fn, verbose=False).case_results[0]
    assert found.status == status
    assert getattr(found, field) == message
    assert len(found.results) == len(evaluators)
    if status == "model_error":
        assert found.actual_output == "[MODEL ERROR: down]"
        assert found.results[0].metadata == {"skipped": True, "error_kind": "model_error_skip"}


def test_checks_of_ones_own_see_the_case_as_it_was_written() -> None:
    case = EvalCase("q", context=["a", "b"])
    report = EvalSuite("s").add_case(case).add_evaluators(Seeing(), EndsWith("!")).run(says("x!"), verbose=False)
    assert report.case_results[0].results[0] == EvalResult("seeing", 1.0, True, "seen", {"context": ["a", "b"]})
    assert report.passed == 1


class Twice(Contains):
    """A built-in check with an `evaluate` of its own."""

    def evaluate(self, case: EvalCase, output: str, latency_ms: float | None = None) -> EvalResult:
        return super().evaluate(case, output * 2, latency_ms)


class Broken(EndsWith):
    """A check of ringtrue that cannot measure."""

    def grade_text(self, text: str, expected: tuple[str, ...] | None) -> Score:
        return Score.error("it is broken")


def test_a_changed_check_and_a_check_of_ringtrue_are_asked_as_they_are() -> None:
    report = suite(Twice(["aa"])).run(says("a"), verbose=False)
    assert report.passed == 1
    assert suite(Broken("a")).run(says("a"), verbose=False).errors_by_kind == {"evaluator_error": 1}


def test_a_score_that_is_none_is_an_error_and_spoils_no_mean() -> None:
    report = suite(Boasting(), ExactMatch()).run(says("a"), verbose=False)
    assert report.errors_by_kind == {"evaluator_error": 1}
    assert "[0, 1]" in str(report.case_results[0].evaluator_error)
    assert report.avg_score == 0.0


def test_a_trace_reaches_the_checks() -> None:
    trace = [AgentStep(tool_calls=[ToolCall("search", {"q": object()})])]
    case = EvalCase("q", expected_tool_calls=["search"], agent_trace=trace)
    report = EvalSuite("s").add_case(case).add_evaluators(ToolCallAccuracy()).run(says("x"), verbose=False)
    assert report.passed == 1
    assert report.case_results[0].agent_trace is trace


def test_functions_get_the_input_whatever_their_parameter_is_called() -> None:
    def by_name(case: Any) -> str:
        return str(case).upper()

    class Whole:
        def _call_with_case(self, case: EvalCase) -> str:
            return str(case.expected_output)

        def __call__(self, question: str) -> str:
            raise AssertionError("the hook comes first")

    for fn, wanted in ((by_name, "Q0"), (Whole(), "a"), ({"q0": "z"}.__getitem__, "z")):
        assert suite(NotEmpty()).run(fn, verbose=False).case_results[0].actual_output == wanted


def test_two_checks_of_one_kind_are_told_apart() -> None:
    report = suite(Contains(["a"]), Contains(["zzz"])).run(says("a"), verbose=False, runs=2)
    assert report.scores_by_evaluator() == {"contains": 1.0, "contains #2": 0.0}


def test_equal_cases_are_two_cases() -> None:
    case = EvalCase("q", expected_output="a", case_id="same")
    report = EvalSuite("s").add_cases([case, case]).add_evaluator(ExactMatch()).run(says("a"), verbose=False)
    assert (report.total, report.passed) == (2, 2)


def test_a_case_passes_if_every_run_does() -> None:
    count = itertools.count()
    report = suite(ExactMatch(), NotEmpty()).run(lambda q: "a" if next(count) % 4 else "b", verbose=False, runs=4)
    found = report.case_results[0]
    assert (found.runs, found.pass_count, found.run_pass_rate, found.is_flaky) == (4, 3, 0.75, True)
    assert found.status is EvalStatus.FAILED_QUALITY
    assert found.all_scores == [0.5, 1.0, 1.0, 1.0]
    assert (found.score, found.score_std) == (pytest.approx(0.875), pytest.approx(0.21650635))
    assert found.results[0].passed
    assert found.results[0].reason == "avg over 4 runs (passed 3/4)"
    assert report.flaky_count == 1
    assert report.pass_at_k(2).value == 1.0
    assert report.pass_hat_k(2).value == pytest.approx(0.5)
    assert report.pass_hat_k(5).value is None


def test_the_runs_of_a_case_take_turns_and_cases_do_not() -> None:
    both, lock = threading.Barrier(2, timeout=30), threading.Lock()
    inside: list[str] = []
    order: list[str] = []

    def answer(question: str) -> str:
        with lock:
            assert question not in inside
            inside.append(question)
            order.append(question)
        both.wait()  # no case continues before the other case is asked, too
        with lock:
            inside.remove(question)
        return "a"

    report = suite(NotEmpty(), n=2).run(answer, runs=3, workers=4, verbose=False)
    assert report.passed == 2
    assert [sorted(order[at : at + 2]) for at in (0, 2, 4)] == [["q0", "q1"]] * 3


def test_an_error_in_one_run_is_the_cases() -> None:
    count = itertools.count()
    report = suite(ExactMatch()).run(lambda q: "a" if next(count) else down(q), verbose=False, runs=2)
    found = report.case_results[0]
    assert (found.status, found.model_error, found.all_scores) == (EvalStatus.MODEL_ERROR, "down", [1.0])


def test_runs_can_be_put_together_by_hand() -> None:
    once = suite(ExactMatch()).run(says("a"), verbose=False).case_results[0]
    again = suite(ExactMatch()).run(says("b"), verbose=False).case_results[0]
    together = _aggregate_runs(EvalCase("q0"), [once, again])
    assert (together.runs, together.pass_count, together.results[0].score) == (2, 1, 0.5)
    assert not together.results[0].passed


@pytest.mark.parametrize(
    ("evaluators", "fn", "options", "code", "words"),
    [
        pytest.param(
            [ExactMatch()], says("b"), {"fail_threshold": 0.5}, 1, "pass rate 0.0% < threshold 50.0%", id="failed"
        ),
        pytest.param([ExactMatch()], down, {"fail_threshold": 0.5}, 2, "Eval blocked.*down", id="blocked"),
        pytest.param([Seeing()], says("a"), {"fail_threshold": 0.5}, 2, "INDETERMINATE", id="nothing-measured"),
        pytest.param([ExactMatch()], one_down, {"fail_threshold": 0.5}, 2, "INDETERMINATE.*error", id="one-error"),
        pytest.param(
            [ExactMatch()],
            one_down,
            {"max_error_rate": 0.1},
            2,
            r"error rate 33.3% exceeds error budget 10.0% \(model_error=1\)",
            id="error-budget",
        ),
    ],
)
def test_gates_stay_shut(evaluators: list[Any], fn: Any, options: dict[str, float], code: int, words: str) -> None:
    with pytest.raises(EvalGateFailure, match=words) as caught:
        suite(*evaluators, n=3).run(fn, verbose=False, **options)
    assert isinstance(caught.value, SystemExit)
    assert caught.value.code == (str(caught.value) if code == 1 else code)  # Python exits with 1 on a text
    assert caught.value.threshold == options.get("fail_threshold")
    assert isinstance(caught.value.pass_rate, float)


def test_gates_open() -> None:
    assert suite(ExactMatch(), n=2).run(says("a"), verbose=False, fail_threshold=1.0).pass_rate == 1.0
    budget = {"fail_threshold": 1.0, "max_error_rate": 0.5}
    assert suite(ExactMatch(), n=2).run(one_down, verbose=False, **budget).errors == 1
    assert suite(ExactMatch(), n=0).run(says("a"), verbose=False).total == 0


def test_an_uncaught_gate_ends_the_process_with_its_code_and_a_word(tmp_path: Path) -> None:
    program = (
        "from multivon_eval import EvalCase, EvalSuite, ExactMatch\n"
        "suite = EvalSuite('s').add_case(EvalCase('q', expected_output='a')).add_evaluator(ExactMatch())\n"
        "suite.run(lambda q: 'b', fail_threshold=0.9, save_json='deep/out.json', save_html='out.html')\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 1
    assert "pass rate 0.0% < threshold 90.0%" in done.stderr
    assert "exact_match: expected 'a', got 'b'" in done.stdout
    assert sorted(path.name for path in tmp_path.rglob("*") if path.is_file()) == ["out.html", "out.json"]


@pytest.mark.parametrize(
    "options",
    [{"runs": 0}, {"runs": True}, {"workers": 0}, {"fail_threshold": 2}, {"max_error_rate": float("nan")}],
    ids=lambda options: "-".join(f"{name}={value}" for name, value in options.items()),
)
def test_wrong_options_raise_before_the_first_call(options: dict[str, Any]) -> None:
    asked: list[str] = []
    with pytest.raises(ValueError, match=next(iter(options))):
        suite(ExactMatch()).run(asked.append, verbose=False, **options)
    assert not asked


def test_an_unknown_purpose_is_refused() -> None:
    with pytest.raises(ValueError, match="purpose"):
        EvalSuite("s", purpose="fun")


def test_context_variables_reach_the_function_and_the_checks() -> None:
    seen = ContextVar("seen", default="nothing")

    def answer(question: str) -> str:
        return seen.get()

    class Sees(Evaluator):
        name = "sees"

        def evaluate(self, case: EvalCase, output: str) -> EvalResult:
            return self._result(float(output == seen.get() == "caller"))

    token = seen.set("caller")
    try:
        assert suite(Sees()).run(answer, verbose=False).pass_rate == 1.0
    finally:
        seen.reset(token)


def test_files_are_written_where_the_environment_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MULTIVON_JSON_OUTPUT", str(tmp_path / "r.json"))
    monkeypatch.setenv("MULTIVON_HTML_OUTPUT", str(tmp_path / "r.html"))
    suite(ExactMatch()).run(says("a"), verbose=False, save_json=tmp_path / "given.json")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["given.json", "r.html"]


def test_stored_outputs() -> None:
    pairs = [(EvalCase("q", expected_output="a"), "a"), (EvalCase("q", expected_output="a"), "b")]
    report = suite(ExactMatch(), Latency(10)).run_on_cases(pairs, verbose=False, latencies_ms=[5, None])
    assert [case.passed for case in report.case_results] == [True, False]
    assert report.case_results[1].results[1].metadata["skipped"]
    with pytest.raises(ValueError, match="latencies"):
        suite(ExactMatch()).run_on_cases(pairs, verbose=False, latencies_ms=[1])
    with pytest.raises(EvalGateFailure):
        suite(ExactMatch()).run_on_cases(pairs, verbose=False, fail_threshold=0.9)


def test_functions_that_are_awaited() -> None:
    async def answer(question: str) -> str:
        await asyncio.sleep(0)
        return "a" if question == "q0" else down(question)

    report = asyncio.run(suite(ExactMatch(), n=2).run_async(answer, verbose=False, concurrency=2))
    assert [str(case.status) for case in report.case_results] == ["passed", "model_error"]
    assert report.case_results[1].model_error == "down"


class Waiting(Evaluator):
    """Waits for its answer; its `evaluate` must not be asked where it can be awaited."""

    name = "waiting"

    def __init__(self, answer: Any) -> None:
        super().__init__()
        self.answer, self.now, self.most = answer, 0, 0

    def evaluate(self, case: EvalCase, output: str) -> EvalResult:
        raise AssertionError("aevaluate is there")

    async def aevaluate(self, case: EvalCase, output: str, latency_ms: float = 0.0, **more: Any) -> EvalResult:
        assert latency_ms > 0
        assert case.context_str() == "c"
        self.now += 1
        self.most = max(self.most, self.now)
        await asyncio.sleep(0.01)
        self.now -= 1
        if isinstance(self.answer, Exception):
            raise self.answer
        return self._result(self.answer, "waited") if self.answer is not None else self._skipped("nothing")


@pytest.mark.parametrize(
    ("answer", "status", "reason"),
    [
        pytest.param(1.0, "passed", "waited", id="passed"),
        pytest.param(0.2, "failed_quality", "waited", id="failed"),
        pytest.param(None, "skipped", "[skipped] nothing", id="skipped"),
        pytest.param(JudgeUnavailable("away"), "judge_error", "[judge unavailable: away]", id="no-judge"),
        pytest.param(KeyError("x"), "evaluator_error", "[evaluator error: KeyError: 'x']", id="broken"),
        pytest.param(1.5, "evaluator_error", None, id="no-score"),
    ],
)
def test_a_check_of_ones_own_is_awaited(answer: Any, status: str, reason: str | None) -> None:
    async def model(question: str) -> str:
        return "a"

    waiting = Waiting(answer)
    asked = EvalSuite("s").add_cases([EvalCase(f"q{n}", context="c") for n in range(6)]).add_evaluators(waiting)
    report = asyncio.run(asked.run_async(model, verbose=False, concurrency=4, evaluator_concurrency=2))
    assert {str(case.status) for case in report.case_results} == {status}
    assert reason is None or report.case_results[0].results[0].reason == reason
    assert waiting.most == 2


def test_an_output_that_is_none_is_not_awaited() -> None:
    async def model(question: str) -> Any:
        return None

    waiting = Waiting(1.0)
    report = asyncio.run(suite(waiting).run_async(model, verbose=False))
    assert (report.failed, waiting.most) == (1, 0)


def test_hostile_text_neither_breaks_the_terminal_nor_loses_the_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = "[/INST] [red]x[/red] \x1b[31m \ud800 \x00"
    suite = EvalSuite("[/b]").add_case(EvalCase(said, tags=["[/t]"])).add_evaluators(NotEmpty(), Contains(["other"]))
    report = suite.run(says(said))
    assert report.failed == 1
    assert "[/INST] [red]x[/red]" in capsys.readouterr().out
    for save in (report.save_json, report.save_html, report.save_junit_xml, report.save_csv):
        save(tmp_path / save.__name__)
        assert (tmp_path / save.__name__).read_text(encoding="utf-8")


def test_assertions() -> None:
    case = EvalCase("q", expected_output="a")
    assert [result.evaluator for result in assert_evaluators(case, "a", [NotEmpty(), ExactMatch()])] == [
        "not_empty",
        "exact_match",
    ]
    assert assert_evaluators(EvalCase("q"), "a", [NotEmpty(), ExactMatch()], runs=3)[0].passed
    with pytest.raises(EvaluatorFailure, match="exact_match") as caught:
        assert_evaluators(case, "b", [NotEmpty(), ExactMatch()])
    assert isinstance(caught.value, AssertionError)
    with pytest.raises(AssertionError, match="measured"):
        assert_evaluators(EvalCase("q"), "b", [ExactMatch()])
    with pytest.raises(AssertionError, match="RuntimeError: bad"):
        assert_evaluators(case, "b", [Raising()])


def test_a_failed_assertion_shows_what_failed_and_on_what() -> None:
    with pytest.raises(EvaluatorFailure) as caught:
        assert_evaluators(EvalCase("the question", expected_output="a"), "b", [NotEmpty(), ExactMatch()])
    said = str(caught.value)
    assert all(words in said for words in ("exact_match: score=0.000", "case input: the question", "actual output: b"))
    assert "not_empty" not in said
    assert [result.evaluator for result in caught.value.results] == ["not_empty", "exact_match"]
    [found] = assert_evaluators(EvalCase("q"), "a", [NotEmpty()], runs=3)
    assert found.metadata == {"runs": 3, "all_scores": [1.0, 1.0, 1.0]}


def test_a_gate_raised_by_hand_prints_its_message() -> None:
    program = "from multivon_eval import EvalGateFailure; raise EvalGateFailure('too low', 0.5, 0.8)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr.strip()) == (1, "too low")


def test_most_verdicts_decide_an_assertion() -> None:
    class Wavering(Evaluator):
        name = "wavering"
        count = itertools.count()

        def evaluate(self, case: EvalCase, output: str) -> EvalResult:
            return self._result(float(next(self.count) % 3 != 0))

    assert assert_evaluators(EvalCase("q"), "x", [Wavering()], runs=3)[0].score == pytest.approx(2 / 3)


def test_the_documented_start() -> None:
    answers = {"Capital of France?": "Paris", "Capital of Japan?": "Tokyo"}
    start = EvalSuite("capital lookup")
    start.add_cases([EvalCase(input=question, expected_output=answer) for question, answer in answers.items()])
    start.add_evaluators(ExactMatch())
    report = start.run(answers.__getitem__, fail_threshold=1.0, verbose=False)
    assert isinstance(report, EvalReport)
    assert f"{report.passed}/{report.evaluated} passed; {report.errors} errors" == "2/2 passed; 0 errors"


def test_an_installed_original_is_not_shadowed(tmp_path: Path) -> None:
    record = tmp_path / "multivon_eval-0.20.0.dist-info"
    record.mkdir()
    (record / "METADATA").write_text("Metadata-Version: 2.1\nName: multivon-eval\nVersion: 0.20.0\n")
    program = f"import sys; sys.path.append({str(tmp_path)!r}); import multivon_eval"
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert "multivon-eval 0.20.0" in done.stderr
    assert "pip uninstall" in done.stderr


@pytest.mark.parametrize(("limit", "peak"), [(None, 3), (1, 1), (2, 2)])
def test_as_many_checks_are_awaited_at_once_as_may_be(limit: int | None, peak: int) -> None:
    lock, barrier = threading.Lock(), threading.Barrier(peak)
    working: list[int] = [0, 0]

    class Slow(Evaluator):
        name = "slow"

        def evaluate(self, case: EvalCase, output: str) -> EvalResult:
            with lock:
                working[0] += 1
                working[1] = max(working)
            with contextlib.suppress(threading.BrokenBarrierError):
                barrier.wait(30)
            with lock:
                working[0] -= 1
            return self._result(1.0)

    async def answer(question: str) -> str:
        return "a"

    asked = suite(*(Slow() for _ in range(3 if peak != 2 else 4)))
    report = asyncio.run(asked.run_async(answer, verbose=False, evaluator_concurrency=limit))
    assert (working, report.pass_rate) == ([0, peak], 1.0)


@pytest.mark.parametrize("waits", [False, True], ids=["run", "run-async"])
def test_a_check_of_ones_own_knows_how_long_the_answer_took(waits: bool) -> None:
    class Timed(Evaluator):
        name = "timed"

        def evaluate(self, case: EvalCase, output: str, latency_ms: float = -1.0) -> EvalResult:
            return self._result(float(latency_ms >= 0), f"{latency_ms}")

    async def answer(question: str) -> str:
        return "a"

    asked = suite(Timed())
    found = asyncio.run(asked.run_async(answer, verbose=False)) if waits else asked.run(says("a"), verbose=False)
    assert found.pass_rate == 1.0
