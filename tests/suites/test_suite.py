"""`EvalSuite`: chained building, one runner, honest statuses, artifacts before the terminal before the gate."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from ringtrue import Case, CheckResult, EvalCase, Output, Score, Trial, as_evaluator
from ringtrue.errors import ConfigurationError
from ringtrue.evaluators import Contains, ExactMatch, Latency, NotEmpty, WordCount
from ringtrue.reports.eval_report import EvalReport
from ringtrue.reports.eval_result import EvalResult
from ringtrue.reports.gating.suite_gate import GateFailure
from ringtrue.reports.row_file import write_rows
from ringtrue.reports.run_file import read_run
from ringtrue.suites.suite import EvalSuite
from support.judge_endpoint import JudgeEndpoint

CASES = [
    EvalCase("Capital of France?", "Paris", tags=["europe"], case_id="fr"),
    EvalCase("Capital of Japan?", "Tokyo", tags=["asia"], case_id="jp"),
]
HOSTILE = ["[/INST]", "[red]x[/red]", "\x1b[2J", "\ud800", "\x00", "‮evil", "", "[" * 10_000, "]]>"]


def atlas(question: str) -> str:
    return "Paris" if "France" in question else "Tokyo"


def suite(*evaluators: Any, cases: Any = CASES) -> EvalSuite:
    return EvalSuite("capitals").add_cases(cases).add_evaluators(*(evaluators or (NotEmpty(), ExactMatch())))


def run(built: EvalSuite, fn: Any = atlas, **options: Any) -> EvalReport:
    return built.run(fn, **{"verbose": False, "store": None, **options})


def test_a_suite_is_built_by_chaining_and_run_at_once() -> None:
    built = EvalSuite("s", model_id="m", purpose="regression").add_case(CASES[0]).add_cases(CASES[1:])
    assert built.add_evaluator(NotEmpty(), weight=2.0).add_evaluators("exact_match", WordCount(max_words=3)) is built
    built.cases.clear()
    built.evaluators.clear()
    assert (len(built.cases), len(built.evaluators)) == (2, 3)
    report = run(built)
    assert (report.suite_name, report.model_id, report.purpose) == ("s", "m", "regression")
    assert (report.total, report.passed, report.pass_rate, report.avg_score) == (2, 2, 1.0, 1.0)
    assert [result.evaluator for result in report.case_results[0].results] == ["not_empty", "exact_match", "word_count"]
    assert all(isinstance(result, CheckResult) for result in report.case_results[0].results)


async def leaving() -> str:
    sys.exit(3)


def ending(kind: str) -> Any:
    def answer(question: str) -> Any:
        if kind == "raises":
            raise ValueError("no [/INST] today")
        if kind == "exits":
            sys.exit(3)
        if kind == "exits later":
            return leaving()
        if kind == "hangs":
            time.sleep(30)
        return {"None": None, "int": 42, "dict": {"a": 1}, "bytes": b"x", "output": Output("Paris")}[kind]

    return answer


@pytest.mark.parametrize(
    ("kind", "status", "text"),
    [
        ("None", "failed_quality", ""),
        ("bytes", "failed_quality", ""),
        ("int", "failed_quality", ""),
        ("dict", "failed_quality", ""),
        ("output", "passed", "Paris"),
        ("raises", "model_error", ""),
        ("exits", "model_error", ""),
        ("exits later", "model_error", ""),
        ("hangs", "timeout", ""),
    ],
)
def test_whatever_a_function_does_costs_its_own_case(
    kind: str, status: str, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    built = suite(NotEmpty(), cases=[EvalCase("odd"), EvalCase("fine")])
    odd = ending(kind)
    report = run(built, lambda question: odd(question) if question == "odd" else "yes", timeout=1, verbose=True)
    assert [case.status for case in report.case_results] == [status, "passed"]
    assert report.case_results[0].actual_output == text
    assert report.errors == (status not in ("passed", "failed_quality"))
    assert report.evaluated + report.errors == report.total
    shown = {"passed": "", "failed_quality": "✗ failed  #1  odd\n"}.get(status, "! error  #1  odd\n")
    out = capsys.readouterr().out
    assert shown in out
    assert ("#1  odd" in out) == bool(shown)


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_text_from_outside_never_breaks_the_terminal_or_a_file(text: str, tmp_path: Path) -> None:
    built = EvalSuite(text).add_case(EvalCase(text, text, tags=[text])).add_evaluators(Contains(["nowhere"]))
    paths = {f"save_{kind}": tmp_path / "new" / f"r.{kind}" for kind in ("json", "junit_xml", "csv")}
    report = run(built, lambda _: text, verbose=True, **paths)
    written = json.loads(paths["save_json"].read_text())
    assert written["cases"][0]["output"] == text
    assert written == json.loads(report.to_json())
    write_rows(tmp_path / "rows.jsonl", report.run.rows, report.run.made)
    again = EvalReport(read_run(tmp_path / "rows.jsonl"))
    assert json.loads(again.to_json())["cases"] == written["cases"]
    assert json.loads(again.to_json())["summary"] == written["summary"]
    mark = "failure" if text else "error"  # a case that asks nothing is not asked
    assert len(ElementTree.parse(paths["save_junit_xml"]).findall(f".//{mark}")) == 1


def test_markup_is_shown_not_obeyed(capsys: pytest.CaptureFixture[str]) -> None:
    run(suite(Contains(["x"]), cases=[EvalCase("[red]in[/red] [/INST] \x1b[2J")]), verbose=True)
    out = capsys.readouterr().out
    assert "[red]in[/red] [/INST] \\x1b[2J" in out
    assert "\x1b" not in out


def test_a_terminal_that_knows_only_ascii_gets_escapes(tmp_path: Path) -> None:
    code = (
        "from ringtrue import EvalCase\nfrom ringtrue.suites.suite import EvalSuite\n"
        "EvalSuite('é').add_case(EvalCase('日本', 'x')).add_evaluators('exact_match').run(lambda q: q, store=None)"
    )
    env = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, env=env, cwd=tmp_path)
    assert b"\\u65e5\\u672c" in done.stdout, done.stderr
    assert done.stdout.isascii()


def test_latency_is_measured_and_handed_to_latency() -> None:
    def slow(question: str) -> str:
        time.sleep(0.05)
        return "x"

    report = run(suite(Latency(max_ms=10)), slow)
    case = report.case_results[0]
    assert case.latency_ms is not None
    assert case.latency_ms >= 50
    assert case.status == "failed_quality"


def test_plain_functions_are_asked_one_at_a_time_and_asynchronous_ones_together() -> None:
    here = most = 0

    async def waiting(question: str) -> str:
        nonlocal here, most
        here += 1
        most = max(most, here)
        await asyncio.sleep(0.02)
        here -= 1
        return question

    cases = [EvalCase(str(n)) for n in range(6)]
    run(suite(NotEmpty(), cases=cases), waiting)
    assert most == 6
    here = most = 0

    def blocking(question: str) -> str:
        nonlocal here, most
        here += 1
        most = max(most, here)
        time.sleep(0.01)
        here -= 1
        return question

    run(suite(NotEmpty(), cases=cases), blocking)
    assert most == 1


def test_weights_are_the_weights_of_a_case_score() -> None:
    built = EvalSuite("w").add_cases(CASES[:1]).add_evaluator(NotEmpty(), weight=3).add_evaluator(Contains(["no"]))
    case = run(built).case_results[0]
    assert case.score == 0.75
    assert not case.passed


def test_a_skipped_check_has_no_weight() -> None:
    built = suite(NotEmpty(), ExactMatch(), cases=[EvalCase("no gold here")])
    case = run(built).case_results[0]
    assert (case.status, case.score) == ("passed", 1.0)
    assert [result.score for result in case.results] == [1.0, None]


def test_a_case_that_only_skips_is_skipped_and_never_a_pass() -> None:
    report = run(suite(ExactMatch(), cases=[EvalCase("no gold")]))
    assert (report.skipped, report.evaluated, report.pass_rate, report.avg_score) == (1, 0, None, None)


def test_cases_have_checks_of_their_own() -> None:
    built = EvalSuite("own").add_evaluators(NotEmpty())
    built.add_case(CASES[0], evaluators=[Contains(["Paris"]), "word_count(max_words=1)"])
    built.add_case(CASES[1], evaluators=[(Contains(["Kyoto"]), 3)])
    report = run(built)
    names = [[result.evaluator for result in case.results] for case in report.case_results]
    assert names == [["not_empty", "contains", "word_count"], ["not_empty", "contains"]]
    assert [case.score for case in report.case_results] == [1.0, 0.25]
    assert report.scores_by_evaluator == {"not_empty": 1.0, "contains": 0.5, "word_count": 1.0}
    assert [case.case_id for case in report.filter_by_evaluator("contains")] == ["jp"]


@dataclass(frozen=True)
class Awaited:
    """A judged evaluator: it awaits."""

    name: str = "judged"
    keys: tuple[str, ...] = ("judged",)

    async def measure(self, trial: Trial) -> Score:
        await asyncio.sleep(0)
        return Score(0.5, passed=True)

    def signature(self) -> str:
        return "judged"


def test_a_check_may_await_for_every_case_or_for_one() -> None:
    assert run(suite(Awaited())).scores_by_evaluator == {"judged": 0.5}
    built = suite(NotEmpty(), cases=[]).add_case(CASES[0], [Awaited()]).add_case(CASES[1])
    assert run(built).scores_by_evaluator == {"not_empty": 1.0, "judged": 0.5}
    judged = as_evaluator(lambda output: True, name="judged")
    mixed = suite(NotEmpty(), cases=[]).add_case(CASES[0], [Awaited()]).add_case(CASES[1], [judged])
    with pytest.raises(ConfigurationError, match="named 'judged' are asynchronous and some block"):
        run(mixed, never)


def test_any_dialect_is_a_check() -> None:
    class Spoken:
        name = "spoken"

        def evaluate(self, case: EvalCase, output: str) -> CheckResult:
            return CheckResult("spoken", 0.5, True, "said so")

    class Dicts:
        name = "dicts"

        def score(self, original: dict[str, Any], processed: dict[str, Any]) -> dict[str, float]:
            return {"overlap": 0.8}

    def breaks(output: str) -> float:
        raise ZeroDivisionError("mine")

    report = run(suite(Spoken(), Dicts(), lambda output: output == "Paris", breaks, cases=CASES[:1]))
    case = report.case_results[0]
    assert [(result.score, result.passed) for result in case.results] == [
        (0.5, True),
        (0.8, True),
        (1.0, True),
        (None, False),
    ]
    assert (case.status, report.errors_by_kind) == ("evaluator_error", {"evaluator_error": 1})
    assert "mine" in (case.evaluator_error or "")


def test_no_output_fails_a_check_of_any_dialect() -> None:
    assert run(suite(lambda output: True), lambda question: None).passed == 0


def test_a_function_may_ask_for_the_case() -> None:
    seen: list[Any] = []

    def fn(case: EvalCase) -> str:
        seen.append(case)
        return "x"

    run(suite(NotEmpty(), cases=[EvalCase("q", metadata={"level": 3}, case_id="a")]), fn)
    assert (seen[0].input, seen[0].metadata["level"], seen[0].case_id) == ("q", 3, "a")


def test_plain_dicts_and_records_are_cases() -> None:
    report = run(
        suite(ExactMatch(), cases=[{"question": "q", "answer": "a", "tags": ["t"]}, Case(7, "q", ("a",))]),
        lambda q: "a",
    )
    assert [(case.case_id, case.tags, case.passed) for case in report.case_results] == [
        ("#1", ("t",), True),
        (7, (), True),
    ]


def test_tags_and_ids_choose_cases() -> None:
    assert [case.case_id for case in run(suite(), tags=["asia"]).case_results] == ["jp"]
    assert [case.case_id for case in run(suite(), case_ids=["fr"]).case_results] == ["fr"]
    assert run(suite(), tags=["asia", "europe"], case_ids=["fr"]).total == 1


def never(question: str) -> str:
    raise AssertionError("asked although the plan is wrong")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"runs": 0}, "runs must be a whole number of at least 1; got 0"),
        ({"runs": True}, "runs must be a whole number"),
        ({"workers": 1.5}, "workers must be a whole number"),
        ({"fail_threshold": 80}, "fail_threshold must be a number in [0, 1]; got 80"),
        ({"fail_threshold": float("nan")}, "fail_threshold must be a number in [0, 1]"),
        ({"max_error_rate": -0.1}, "max_error_rate must be"),
        ({"timeout": 0}, "timeout must be a number above 0; got 0"),
        ({"tags": "asia"}, "tags must be a list; got 'asia'"),
        ({"tags": ["azia"]}, "no case has the tag 'azia'; there are asia, europe"),
        ({"case_ids": ["xx"]}, "no case has the id 'xx'; there are fr, jp"),
        ({"save_json": "/"}, "save_json: cannot write '/': is a folder"),
        ({"save_csv": "/dev/null/x/y.csv"}, "save_csv: cannot write"),
        ({"save_html": "/"}, "save_html: cannot write '/': is a folder"),
    ],
    ids=str,
)
def test_options_are_checked_before_the_first_call(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        run(suite(), never, **options)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: EvalSuite("x", purpose="fun"), "purpose must be one of '', 'capability', 'regression'; got 'fun'"),
        (lambda: run(EvalSuite("x").add_evaluators(NotEmpty()), never), "the suite 'x' has no cases"),
        (lambda: run(EvalSuite("x").add_cases(CASES), never), "nothing measures the case 'fr'"),
        (
            lambda: run(suite(Contains(["a"]), Contains(["b"])), never),
            "two evaluators are named 'contains'; give one another name",
        ),
        (lambda: run(suite(cases=[CASES[0], CASES[0]]), never), "two cases of the suite have the id 'fr'"),
        (lambda: run(suite().add_case(EvalCase("q"), [NotEmpty()]), never), "two evaluators are named 'not_empty'"),
        (
            lambda: run(suite().add_case(EvalCase("q"), [Contains(["a"]), Contains(["b"])]), never),
            "the case '#3' has two checks named 'contains'",
        ),
        (lambda: suite().add_evaluator(NotEmpty(), weight=0), "weight must be a number above 0; got 0"),
        (lambda: suite().add_evaluator(NotEmpty(), weight=float("inf")), "weight must be a number above 0; got inf"),
        (lambda: suite().add_evaluators(NotEmpty), "NotEmpty is a class; pass an object"),
        (lambda: suite().add_cases("one"), "cases must be a list; got 'one'"),
        (lambda: suite().add_case("one"), "a case is an EvalCase, a dict or an object with"),  # type: ignore[arg-type]
        (lambda: suite().run_on_cases([(CASES[0], "x")], [1.0, 2.0]), "2 latencies for 1 outputs"),
        (lambda: suite().run_on_cases([(CASES[0], "x")], [-1.0]), "a latency is a number of milliseconds"),
    ],
    ids=lambda value: value[:30] if isinstance(value, str) else "",
)
def test_a_wrong_suite_is_refused(build: Any, message: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        build()
    assert message in str(caught.value)


def test_every_number_of_passes_counts_the_cases_that_pass_every_check() -> None:
    """The metrics once counted those that pass the first check: twice as many passes, half the cost of one."""
    report = suite(NotEmpty(), ExactMatch()).run(lambda question: "Paris", runs=2, verbose=False, store=None)
    found = report.run.summaries["capitals"][report.system]
    values = {name: found[name].value for name in ("pass_rate", "num_passing", "pass@2", "pass^2", "mean_score")}
    assert values == {"pass_rate": 0.5, "num_passing": 2.0, "pass@2": 0.5, "pass^2": 0.5, "mean_score": 0.5}
    tokens = sum(found[name].value or 0.0 for name in ("mean_input_tokens", "mean_output_tokens"))
    assert found["cost_of_pass"].value == pytest.approx(2 * tokens)
    assert EvalResult(report.run).summary[report.system]["num_passing"] == 2.0


def test_runs_show_what_is_flaky() -> None:
    asked: dict[str, int] = {}

    def moody(question: str) -> str:
        asked[question] = asked.get(question, 0) + 1
        return "Paris" if "France" in question or asked[question] != 2 else ""

    report = run(suite(NotEmpty()), moody, runs=3)
    steady, flaky = report.case_results
    assert (steady.passed, steady.is_flaky, steady.pass_count, steady.all_scores) == (True, False, 3, (1.0, 1.0, 1.0))
    assert (flaky.status, flaky.is_flaky, flaky.pass_count) == ("failed_quality", True, 2)
    assert flaky.results[0].score == pytest.approx(2 / 3)
    assert flaky.results[0].reason.startswith("passed 2 of 3 runs; ")
    assert [trial.actual_output for trial in flaky.trials] == ["Paris", "", "Paris"]
    assert (report.runs_per_case, report.flaky_count, report.stability_score) == (3, 1, 0.5)
    assert report.pass_at_k(1).value == pytest.approx((1 + 2 / 3) / 2)
    assert report.pass_hat_k(3).value == 0.5
    assert report.pass_hat_k(4).value is None
    flaky_case = json.loads(report.to_json())["cases"][1]
    assert (flaky_case["pass_count"], flaky_case["is_flaky"], len(flaky_case["trials"])) == (2, True, 3)


def test_two_checks_of_one_class_stay_apart_over_runs() -> None:
    built = suite(Contains(["a"], name="has_a"), Contains(["zzz"], name="has_z"), cases=[EvalCase("q")])
    assert run(built, lambda _: "a", runs=2).scores_by_evaluator == {"has_a": 1.0, "has_z": 0.0}


def test_a_used_up_budget_leaves_skipped_cases_in_the_count() -> None:
    cases = [EvalCase(str(n)) for n in range(5)]
    report = run(suite(NotEmpty(), cases=cases), ending("raises"), max_errors=1)
    assert (report.total, report.errors, report.skipped) == (5, 2, 3)
    assert report.gate(fail_threshold=0.1) is not None


GATES: dict[str, tuple[Any, dict[str, Any], int | None]] = {
    "passes": ("Paris", {"fail_threshold": 1.0}, None),
    "fails": ("", {"fail_threshold": 1.0}, 1),
    "zero-is-reached-by-all": ("", {"fail_threshold": 0.0}, None),
    "an-error-leaves-it-undecided": (ValueError(), {"fail_threshold": 0.5}, 2),
    "errors-without-a-threshold": (ValueError(), {}, None),
    "errors-above-their-rate": (ValueError(), {"max_error_rate": 0.4}, 2),
    "errors-within-their-rate": (ValueError(), {"max_error_rate": 0.5}, None),
    "errors-allowed-and-the-rest-passes": (ValueError(), {"fail_threshold": 1.0, "max_error_rate": 0.5}, None),
}


@pytest.mark.parametrize(("answer", "options", "code"), GATES.values(), ids=GATES)
def test_the_gate(answer: Any, options: dict[str, Any], code: int | None, tmp_path: Path) -> None:
    def fn(question: str) -> str:
        if isinstance(answer, Exception) and question == "first":
            raise answer
        return "fine" if isinstance(answer, Exception) else answer

    built, path = suite(NotEmpty(), cases=[EvalCase("first"), EvalCase("second")]), tmp_path / "r.json"
    if code is None:
        assert run(built, fn, save_json=path, **options).total == 2
    else:
        with pytest.raises(GateFailure) as caught:
            run(built, fn, save_json=path, **options)
        assert caught.value.code == code
        assert caught.value.threshold == options.get("fail_threshold")
    assert path.exists()


def test_a_hopeless_gate_fails_whatever_the_errors_were() -> None:
    cases = [EvalCase(str(n)) for n in range(10)]

    def fn(question: str) -> str:
        if question == "0":
            raise ValueError
        return ""

    with pytest.raises(GateFailure, match="gate failed") as caught:
        run(suite(NotEmpty(), cases=cases), fn, fail_threshold=0.5)
    assert (caught.value.code, caught.value.pass_rate) == (1, 0.0)


def test_a_skipped_case_leaves_the_gate_undecided() -> None:
    with pytest.raises(GateFailure, match="undecided: 1 of 2 cases were skipped") as caught:
        run(suite(ExactMatch(), cases=[CASES[0], EvalCase("no gold")]), fail_threshold=0.5)
    assert caught.value.code == 2


@pytest.mark.parametrize(("answer", "code"), [("Paris", 0), ("", 1), (None, 2)], ids=["passed", "failed", "undecided"])
def test_the_exit_code_of_a_script(answer: str | None, code: int, tmp_path: Path) -> None:
    body = f"return {answer!r}" if answer is not None else "raise ValueError('away')"
    script = (
        "from ringtrue import EvalCase\nfrom ringtrue.suites.suite import EvalSuite\n"
        f"def fn(q):\n    {body}\n"
        "EvalSuite('s').add_case(EvalCase('q')).add_evaluators('not_empty').run(fn, fail_threshold=1, store=None)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == code, done.stderr
    assert bool(code) == ("ringtrue: " in done.stderr)
    assert not list(tmp_path.iterdir())


def test_stored_outputs_are_checked_without_asking() -> None:
    built = suite(ExactMatch(), Latency(100))
    pairs = [(CASES[0], "Paris"), (CASES[1], "Kyoto"), (CASES[0], None)]
    report = built.run_on_cases(pairs, latencies_ms=[50, 250, None], verbose=False)
    assert [case.status for case in report.case_results] == ["passed", "failed_quality", "failed_quality"]
    assert [case.latency_ms for case in report.case_results] == [50, 250, None]
    assert [case.case_id for case in report.case_results] == ["fr", "jp", "fr #3"]
    unknown = built.run_on_cases([(CASES[0], "Paris")], verbose=False).case_results[0]
    assert unknown.results[1].status == "skipped"


def test_the_checks_of_a_case_go_with_its_stored_output() -> None:
    built = suite(NotEmpty(), cases=[]).add_case(CASES[0], [Contains(["Paris"])])
    report = built.run_on_cases([(CASES[0], "Paris"), (EvalCase("other"), "x")], verbose=False)
    assert [len(case.results) for case in report.case_results] == [2, 1]


def test_awaiting_and_running_inside_a_loop() -> None:
    async def inside() -> tuple[EvalReport, EvalReport]:
        return run(suite()), await suite().run_async(atlas, verbose=False, store=None)

    for report in asyncio.run(inside()):
        assert report.pass_rate == 1.0


def test_a_run_is_kept_in_the_store_and_taken_up_again(tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path / 'r.db'}"
    built = suite(NotEmpty(), cases=[EvalCase(str(n)) for n in range(4)])
    asked: list[str] = []
    marker = tmp_path / "second-attempt"

    def fn(question: str) -> str:
        asked.append(question)
        if question == "2" and not marker.exists():
            raise ValueError("the first attempt breaks here")
        return "x"

    first = run(built, fn, store=store, max_errors=0)
    assert (first.errors, first.skipped, first.passed) == (1, 1, 2)
    marker.touch()
    second = run(built, fn, store=store)
    assert second.passed == 4
    assert asked == ["0", "1", "2", "2", "3"]
    assert first.execution["run"] == second.execution["run"]


def test_a_folder_that_vanishes_costs_the_file_and_nothing_else(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "out"
    folder.mkdir()

    def fn(question: str) -> str:
        if folder.is_dir():
            folder.rmdir()
            folder.touch()
        return "Paris"

    with pytest.raises(Exception, match="cannot write"):
        run(suite(NotEmpty()), fn, verbose=True, save_json=folder / "r.json", save_csv=tmp_path / "r.csv")
    assert "fn       100.0" in capsys.readouterr().out
    assert (tmp_path / "r.csv").exists()


def test_a_judge_is_asked_by_the_checks_that_were_given_no_model() -> None:
    with JudgeEndpoint(says={"rating": 4}) as judge:
        built = suite(NotEmpty(), "llm_judge")
        report = run(built, judge=judge.base_url, judge_model="wise")
        assert report.scores_by_evaluator == {"not_empty": 1.0, "llm_judge": 0.75}
        assert {body["model"] for body in judge.asked} == {"wise"}
        later = asyncio.run(built.run_async(atlas, verbose=False, store=None, judge=judge.base_url))
        stored = built.run_on_cases([(CASES[0], "Paris")], verbose=False, judge=judge.base_url)
        assert [found.scores_by_evaluator["llm_judge"] for found in (later, stored)] == [0.75, 0.75]


def test_a_judge_that_no_check_would_ask_checks_every_case() -> None:
    with JudgeEndpoint(says={"rating": 1}) as judge:
        report = run(suite(NotEmpty()), judge=judge.base_url)
    assert [[check.evaluator for check in case.results] for case in report.case_results] == [
        ["not_empty", "llm_judge"]
    ] * 2
    assert report.pass_rate == 0.0


def test_a_judge_model_without_a_judge_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="no evaluator asks the judge 'wise'"):
        run(suite(), judge_model="wise")
