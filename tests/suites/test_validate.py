"""Checks compared with what is known to be right and wrong; no system is asked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from ringtrue import EvalCase, EvalSuite, load_suite
from ringtrue.cli.suite import command
from ringtrue.errors import ConfigurationError
from ringtrue.evaluators import Contains, ExactMatch, Latency, NotEmpty, WordCount
from ringtrue.evaluators.judged.llm_judge import LLMJudge
from ringtrue.evaluators.judged.scripted import scripted_judge
from ringtrue.models.scripted import ScriptedModel
from ringtrue.records import Case
from ringtrue.suites.validate import KnownOutputs


def case(expected: Any = "Paris, France", wrong: Any = None, reference: Any = None) -> EvalCase:
    metadata = {} if wrong is None else {"wrong_outputs": wrong}
    return EvalCase("capital?", expected, metadata=metadata, reference_output=reference)


def broken(output: str) -> bool:
    raise RuntimeError("kaboom")


def no_reference(case: EvalCase) -> str:
    raise ValueError("no reference today")


@pytest.mark.parametrize(
    ("checks", "given", "verdict", "reason"),
    [
        pytest.param([Contains(["Paris"])], case(), "ok", "", id="right"),
        pytest.param([Contains(["Rome"])], case(), "fails_right", "contains: missing: 'Rome'", id="fails-right"),
        pytest.param([broken], case(), "fails_right", "kaboom", id="breaks-on-right"),
        pytest.param(
            [NotEmpty(), Contains(["Paris"])], case(wrong="Paris, Spain"), "passes_wrong", "Spain", id="wrong"
        ),
        pytest.param([NotEmpty(), Contains(["France"])], case(wrong=["Paris, Spain"]), "ok", "", id="one-tells"),
        pytest.param([WordCount(max=9)], case(wrong=[""]), "passes_wrong", "''", id="an-empty-output-is-wrong"),
        pytest.param([ExactMatch()], case(["Paris", "Lutetia"], wrong=["Rome", "Nice"]), "ok", "", id="several"),
        pytest.param([Contains(["Paris"])], case(["Paris", "Lutetia"]), "fails_right", "missing", id="one-of-several"),
        pytest.param([Contains(["good"])], case("bad", reference="good"), "ok", "", id="reference-first"),
        pytest.param([Contains(["cap"])], case(None, reference=lambda case: case.input), "ok", "", id="function"),
        pytest.param([NotEmpty()], case(reference=no_reference), "fails_right", "no reference today", id="raises"),
        pytest.param([NotEmpty()], case(None), "unknown", "no output is known to be right", id="nothing-known"),
        pytest.param([Latency(5)], case(), "unknown", "anything to measure", id="nothing-measured"),
    ],
)
def test_one_case(checks: list[Any], given: EvalCase, verdict: str, reason: str) -> None:
    found = EvalSuite("s").add_case(given).add_evaluators(*checks).validate()
    assert (found.cases[0].verdict, found.verdict) == (verdict, verdict)
    assert reason in found.cases[0].reason
    assert bool(found.cases[0].reason) == (verdict != "ok")
    assert found.exit_code == {"ok": 0, "unknown": 2}.get(verdict, 1)


def test_checks_of_one_case_measure_it_alone() -> None:
    suite = EvalSuite("s").add_case(case("Paris"), [Contains(["Paris"])]).add_case(case("Rome"), [Contains(["Nice"])])
    assert [one.verdict for one in suite.validate().cases] == ["ok", "fails_right"]


def test_the_worst_case_is_the_suites() -> None:
    suite = EvalSuite("s").add_cases([case(), case(None), case(wrong="Paris")]).add_evaluators(Contains(["Paris"]))
    found = suite.validate()
    assert [one.verdict for one in found.cases] == ["ok", "unknown", "passes_wrong"]
    assert found.verdict == "passes_wrong"
    assert str(found).splitlines()[0] == "s: passes_wrong: the checks hold in 1 of 2 cases"


def test_a_check_that_never_failed_is_named() -> None:
    suite = EvalSuite("s").add_cases([case("a", "b"), case("a", "c")]).add_evaluators(NotEmpty(), ExactMatch())
    found = suite.validate()
    assert (found.verdict, found.undiscriminating) == ("ok", ["not_empty"])
    assert "never failed a wrong output: not_empty" in str(found)


def test_judges_are_asked_only_where_they_are_wanted() -> None:
    judge = scripted_judge([{"reasoning": "fine", "rating": 5}])
    suite = EvalSuite("s").add_case(case()).add_evaluators(LLMJudge(judge, "m", threshold=0.5))
    offline = suite.validate()
    assert (offline.verdict, offline.cases[0].skipped_checks, len(judge.asked)) == ("unknown", ("llm_judge",), 0)
    assert offline.cases[0].reason == "every check needs a judge, and none was asked"
    asked = suite.validate(judges=True)
    assert (asked.cases[0].skipped_checks, len(judge.asked)) == ((), 1)
    assert asked.verdict == "ok"


def test_a_judge_that_is_away_says_nothing_of_the_checks() -> None:
    away = LLMJudge(ScriptedModel([]), "m")
    found = EvalSuite("s").add_case(case()).add_evaluators(NotEmpty(), away).validate(judges=True).cases[0]
    assert (found.verdict, found.failed_checks) == ("unknown", [])
    assert "a judge could not be asked" in found.reason


def test_a_judge_that_goes_away_leaves_open_whether_what_is_wrong_passes() -> None:
    judge = LLMJudge(scripted_judge([{"reasoning": "fine", "rating": 5}]), "m", threshold=0.5)
    found = EvalSuite("s").add_case(case(wrong="Rome")).add_evaluators(NotEmpty(), judge).validate(judges=True).cases[0]
    assert (found.verdict, len(found.right), len(found.wrong)) == ("unknown", 1, 1)
    assert "what is wrong could not be measured" in found.reason


def test_outputs_can_be_given() -> None:
    suite = EvalSuite("s").add_case(Case("1", "q")).add_evaluators(Contains(["yes"]))
    assert suite.validate([KnownOutputs(["yes"], ["no"])]).verdict == "ok"
    assert suite.validate([KnownOutputs(["yes"], ["yes, no"])]).verdict == "passes_wrong"
    with pytest.raises(ConfigurationError, match="known: 2 for 1 cases"):
        suite.validate([KnownOutputs(), KnownOutputs()])


SUITE = """
evaluators = ["not_empty", "contains(['Paris'])"]
[[cases]]
id = "france"
input = "The capital of France?"
expected_output = "Paris"
wrong_outputs = ["Rome", {wrong!r}]
"""


@pytest.mark.parametrize(
    ("wrong", "code", "said"),
    [
        pytest.param("Nice", 0, "1 of 1", id="holds"),
        pytest.param(
            "Paris, Texas", 1, "france: passes_wrong: every check passes what is wrong: 'Paris, Texas'", id="not"
        ),
    ],
)
def test_the_command(tmp_path: Path, wrong: str, code: int, said: str) -> None:
    path = tmp_path / "x.suite.toml"
    path.write_text(SUITE.replace("{wrong!r}", repr(wrong)))
    result = CliRunner().invoke(command, [str(path), "--validate"], standalone_mode=False)
    assert (result.return_value, result.exception) == (code, None)
    assert said in result.output
    printed = CliRunner().invoke(command, [str(path), "--validate", "--json"], standalone_mode=False)
    assert json.loads(printed.output) == load_suite(path).suite.validate().to_dict()


def test_known_outputs_in_a_file_are_texts(tmp_path: Path) -> None:
    path = tmp_path / "x.suite.json"
    path.write_text(json.dumps({"evaluators": ["not_empty"], "cases": [{"input": "q", "wrong_outputs": [1]}]}))
    with pytest.raises(Exception, match=r"cases\[1\].wrong_outputs: must be a list of texts"):
        load_suite(path)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--validate", "--regrade", "last"], "--validate and --regrade are different things"),
        (["--validate", "--tag", "x"], "--validate is about all cases: leave out --tag, --case, --limit and --repeats"),
        (["--validate", "--case", "x"], "leave out --tag, --case, --limit and --repeats"),
        (["--validate", "--junit", "x.xml"], "leave out -o, --html, --junit, --markdown and --fail-under"),
        (["--validate", "--fail-under", "0.9"], "leave out -o, --html, --junit, --markdown and --fail-under"),
        (
            ["--regrade", "x", "--repeats", "2"],
            "--regrade checks what the run holds: leave out --tag, --case, --limit and",
        ),
        (["--regrade", "x", "--tag", "x"], "--regrade checks what the run holds: leave out --tag, --case, --limit and"),
        (["--judges"], "--judges goes with --validate"),
    ],
)
def test_an_option_that_would_be_passed_over_is_refused(tmp_path: Path, options: list[str], words: str) -> None:
    path = tmp_path / "x.suite.toml"
    path.write_text(SUITE.replace("{wrong!r}", repr("Nice")))
    refused = CliRunner().invoke(command, [str(path), *options])
    assert (refused.exit_code, words in " ".join(refused.output.split())) == (2, True)
