"""`assert_evaluators`: checks of one output in a test; `--multivon-runs N` asks every check N times."""

from __future__ import annotations

from collections.abc import Iterable
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pytest

    from multivon_eval.assertions import EvaluatorFailure as EvaluatorFailure
    from multivon_eval.case import EvalCase
    from multivon_eval.case_result import EvalResult

__all__ = ["EvaluatorFailure", "assert_evaluators"]

_RUNS: ContextVar[int] = ContextVar("multivon_runs", default=1)


def __getattr__(name: str) -> object:
    # pytest loads this module in every run: what is heavy waits until a test asks for it.
    if name != "EvaluatorFailure":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from multivon_eval import assertions

    return assertions.EvaluatorFailure


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of every run under pytest."""
    group = parser.getgroup("multivon", "checks of what LLM systems say")
    group.addoption("--multivon-runs", type=int, default=1, metavar="N", help="Ask every check N times.")
    group.addoption("--record-prompts", action="store_true", help="Note the prompts that the tests send to models.")
    group.addoption("--record-prompts-out", metavar="PATH", help="Where to (default: prompt_recordings.jsonl).")
    group.addoption("--record-text", action="store_true", help="Keep the texts, too, and not their fingerprints alone.")


def pytest_configure(config: pytest.Config) -> None:
    """Keep the option where `assert_evaluators` finds it, and record if that is wanted."""
    _RUNS.set(config.getoption("--multivon-runs"))
    if config.getoption("--record-prompts"):
        from ringtrue.prompts.recorded_tests import RecordedTests

        from multivon_eval.recorder import PromptRecorder

        place, texts = config.getoption("--record-prompts-out"), config.getoption("--record-text")
        config.pluginmanager.register(RecordedTests(PromptRecorder(config.rootpath, place, record_text=texts)))


def assert_evaluators(case: EvalCase, output: str, evaluators: Iterable[Any], *, runs: int = 1) -> list[EvalResult]:
    """The results of the checks, or an EvaluatorFailure where one fails or breaks, or where none measured anything.

    Each check is asked `runs` times about the same output, and most of its verdicts decide.
    """
    from multivon_eval.assertions import EvaluatorFailure
    from multivon_eval.case_result import EvalStatus, aggregated
    from multivon_eval.suite import EvalSuite

    __tracebackhide__ = True
    times = max(runs, _RUNS.get())
    suite = EvalSuite("assert_evaluators").add_evaluators(*evaluators)
    report = suite.run_on_cases([(case, output)] * times, verbose=False)
    found = report.case_results[0] if times == 1 else aggregated(report.case_results)
    measured = found.measured
    broken = found.status not in (EvalStatus.PASSED, EvalStatus.FAILED_QUALITY)
    if broken or not measured or not all(result.passed for result in measured):
        raise EvaluatorFailure(found.results, case=case, output=output)
    return found.results
