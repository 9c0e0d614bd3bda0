"""Policies: what is shown to be bad rejects a report, what is not shown leaves it open."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ringtrue import EvalCase, EvalSuite
from ringtrue.api.acceptance import AcceptancePolicy, CheckRequirement, SliceRequirement
from ringtrue.api.gate import GateFailure
from ringtrue.api.report import EvalReport
from ringtrue.cli import invoke, main
from ringtrue.errors import AbsentFile, ConfigurationError
from ringtrue.evaluators import ExactMatch


def policy(**settings: Any) -> AcceptancePolicy:
    return AcceptancePolicy([CheckRequirement("exact_match")], **settings)


def report(*cases: EvalCase, said: str | Callable[[str], str] = "a", runs: int = 1) -> EvalReport:
    suite = EvalSuite("s").add_cases(cases or [EvalCase("q", "a")]).add_evaluators(ExactMatch())
    return suite.run(said if callable(said) else lambda question: said, runs=runs, verbose=False, store=None)


def read(**settings: Any) -> AcceptancePolicy:
    return AcceptancePolicy.from_dict({"schema": AcceptancePolicy.schema, **settings})


def raising(question: str) -> str:
    raise ValueError("down")


def in_turn(*answers: str) -> Callable[[str], str]:
    left = iter(answers)
    return lambda question: next(left)


ONE_SOURCE = (EvalCase("q", "a", source_id="s"), EvalCase("r", "a", source_id="s"))


@pytest.mark.parametrize(
    ("given", "contract", "decision", "reasons"),
    [
        pytest.param({}, policy(), "accept", [], id="right"),
        pytest.param({"said": "b"}, policy(), "reject", ["quality_threshold"], id="wrong"),
        pytest.param(
            {"said": "b"}, policy(min_cases=9), "reject", ["insufficient_cases", "quality_threshold"], id="bad-and-few"
        ),
        pytest.param({"runs": 9}, policy(min_cases=2), "indeterminate", ["insufficient_cases"], id="runs-are-no-cases"),
        pytest.param({"said": in_turn("a", "b"), "runs": 2}, policy(), "reject", ["quality_threshold"], id="lucky-run"),
        pytest.param(
            {"said": raising},
            policy(),
            "indeterminate",
            ["check_coverage", "error_budget", "insufficient_measurements"],
            id="broken",
        ),
        pytest.param(
            {},
            AcceptancePolicy([CheckRequirement("other")]),
            "indeterminate",
            ["check_coverage", "insufficient_measurements"],
            id="no-such-check",
        ),
        pytest.param(
            {"cases": ONE_SOURCE},
            policy(min_source_groups=2),
            "indeterminate",
            ["insufficient_source_groups"],
            id="one-source",
        ),
        pytest.param(
            {},
            policy(min_source_groups=1),
            "indeterminate",
            ["insufficient_source_groups", "missing_source_groups"],
            id="no-source",
        ),
        pytest.param(
            {"cases": [EvalCase("q", "a", tags=["edge"])]},
            policy(slices=[SliceRequirement("edge", min_cases=2)]),
            "indeterminate",
            ["insufficient_measurements", "insufficient_slice"],
            id="small-slice",
        ),
        pytest.param(
            {"said": in_turn("b", "a", "a"), "runs": 3},
            AcceptancePolicy([CheckRequirement("exact_match", min_pass_rate=0, critical=True)]),
            "reject",
            ["critical_failure"],
            id="critical",
        ),
    ],
)
def test_decisions(given: dict[str, Any], contract: AcceptancePolicy, decision: str, reasons: list[str]) -> None:
    found = contract.evaluate(report(*given.pop("cases", ()), **given))
    assert (found.decision, sorted({finding.code for finding in found.findings})) == (decision, reasons)
    assert found.exit_code == {"accept": 0, "reject": 1, "indeterminate": 2}[decision]
    if decision == "accept":
        found.assert_accepted()
        return
    with pytest.raises(GateFailure, match=f"Acceptance {decision}") as failure:
        found.assert_accepted()
    assert failure.value.code == found.exit_code


def test_nothing_shows_nothing() -> None:
    found = policy().evaluate(EvalReport("s", ()))
    assert (found.decision, found.measurements[0]["value"]) == ("indeterminate", None)


def test_a_tag_is_held_to_more_than_the_whole() -> None:
    cases = EvalCase("q", "a"), EvalCase("r", "a", tags=["edge"])
    found = report(*cases, said=lambda question: "a" if question == "q" else "b")
    contract = AcceptancePolicy([CheckRequirement("exact_match", min_pass_rate=0.5)], [SliceRequirement("edge")])
    result = contract.evaluate(found)
    assert (result.decision, {finding.scope for finding in result.findings}) == ("reject", {"tag:edge"})


def test_a_policy_survives_json_and_every_change_changes_its_digest() -> None:
    contract = policy(slices=[SliceRequirement("edge")])
    assert AcceptancePolicy.from_dict(json.loads(json.dumps(contract.to_dict()))) == contract
    assert dataclasses.replace(contract, min_cases=2).digest != contract.digest
    with pytest.raises(ConfigurationError, match="schema"):
        AcceptancePolicy.from_dict({"checks": []})


@pytest.mark.parametrize(
    ("make", "words"),
    [
        pytest.param(lambda: AcceptancePolicy([]), "at least one", id="no-checks"),
        pytest.param(lambda: AcceptancePolicy(["x"]), "checks are CheckRequirements", id="a-name"),  # type: ignore[list-item]
        pytest.param(lambda: AcceptancePolicy([CheckRequirement("a")] * 2), "same evaluator twice", id="twice"),
        pytest.param(lambda: CheckRequirement(""), "evaluator", id="unnamed"),
        pytest.param(lambda: CheckRequirement("a", min_pass_rate=2), "min_pass_rate", id="share"),
        pytest.param(lambda: CheckRequirement("a", critical=1), "critical is True", id="flag"),  # type: ignore[arg-type]
        pytest.param(lambda: SliceRequirement("a", min_cases=0), "min_cases", id="count"),
        pytest.param(lambda: policy(max_error_rate=-1), "max_error_rate", id="errors"),
        pytest.param(lambda: read(checks=5), "checks are a list; got 5", id="a-number"),
        pytest.param(lambda: read(checks=None), "checks are a list; got None", id="none"),
        pytest.param(lambda: read(checks=[5]), "each of checks is an object; got 5", id="numbers"),
        pytest.param(lambda: read(checks=[{}]), "checks: 'evaluator' is missing", id="no-evaluator"),
        pytest.param(lambda: read(checks=[{"name": "a"}]), "checks: no setting 'name'; there are evaluator", id="key"),
        pytest.param(lambda: read(slices=[{"tags": "a"}]), "slices: no setting 'tags'; there are tag", id="slice-key"),
        pytest.param(lambda: read(mincases=2), "a policy: no setting 'mincases'; there are checks", id="policy-key"),
    ],
)
def test_a_wrong_policy_is_refused(make: Callable[[], Any], words: str) -> None:
    with pytest.raises(ConfigurationError, match=words):
        make()


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved, contract = tmp_path / "report.json", tmp_path / "release.toml"
    report().save_json(saved)
    contract.write_text('[[checks]]\nevaluator = "exact_match"\n')
    assert invoke(["accept", str(saved), str(contract)]) == 0
    assert capsys.readouterr().out == "accept\n"
    contract.write_text('min_cases = 2\n[[checks]]\nevaluator = "exact_match"\n')
    assert invoke(["accept", str(saved), str(contract), "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["findings"][0]["code"] == "insufficient_cases"
    report(said="b").save_json(saved)
    assert invoke(["accept", str(saved), str(contract)]) == 1
    assert "  quality: all/exact_match: 0.0% of cases passed, not 100.0%" in capsys.readouterr().out
    for text in ("mincases = 2\n", "", "checks = 3\n", '[[checks]]\nname = "x"\n'):
        contract.write_text(text)
        with pytest.raises(SystemExit) as ended:
            main(["accept", str(saved), str(contract)])
        assert ended.value.code == 64
        assert "release.toml: " in capsys.readouterr().err
    with pytest.raises(AbsentFile, match="there is no policy"):
        AcceptancePolicy.read(tmp_path / "none.toml")
    contract = tmp_path / "list.json"
    contract.write_text("[1]")
    with pytest.raises(ConfigurationError, match=r"a policy is an object with checks; got \[1\]"):
        AcceptancePolicy.read(contract)
