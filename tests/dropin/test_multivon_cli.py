"""The command line: each command writes, prints and exits as documented."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from zipfile import ZipFile

import multivon_eval
import pytest
from multivon_eval import (
    AcceptancePolicy,
    CheckRequirement,
    ComplianceReporter,
    Contains,
    EvalCase,
    EvalReport,
    EvalSuite,
    ExactMatch,
    Experiment,
    NotEmpty,
)
from multivon_eval.cli_words import _COMMANDS, command_parser
from multivon_eval.templates import list_templates, render

from support.multivon_cli import Run, runs
from support.saying import SayingEndpoint


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command: its exit code, what it printed and what it complained about."""
    return runs(capsys)


def report(answer: str = "a", name: str = "suite") -> EvalReport:
    cases = [EvalCase(question, "a") for question in ("q0", "q1")]
    return EvalSuite(name).add_cases(cases).add_evaluator(ExactMatch()).run(lambda question: answer, verbose=False)


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """A report in a file."""
    report().save_json(tmp_path / "report.json")
    return tmp_path / "report.json"


@pytest.mark.parametrize("template", list_templates())
def test_a_template_is_a_suite_that_can_be_imported(template: str, tmp_path: Path, run: Run) -> None:
    code, out, _ = run("init", "-t", template, "-d", tmp_path / "new", "--ci", "github")
    assert code == 0
    written = {str(path.relative_to(tmp_path / "new")) for path in (tmp_path / "new").rglob("*") if path.is_file()}
    assert {"eval.py", "README.md", "requirements.txt", ".gitignore", ".github/workflows/eval.yml"} <= written
    assert (".env.example" in written) == (template != "quickstart")
    assert all(name in out for name in written)
    space: dict[str, object] = {"__name__": "imported"}
    exec(compile((tmp_path / "new" / "eval.py").read_text(), "eval.py", "exec"), space)
    suite = space["suite"]
    assert isinstance(suite, EvalSuite)
    assert suite.cases
    assert suite.evaluators
    assert f"eval-{template}" in (tmp_path / "new" / ".github/workflows/eval.yml").read_text()
    assert "${{ secrets.OPENAI_API_KEY }}" in (tmp_path / "new" / ".github/workflows/eval.yml").read_text()


def test_the_first_template_runs_offline(tmp_path: Path, run: Run) -> None:
    run("init", "-t", "quickstart", "-d", tmp_path)
    done = subprocess.run([sys.executable, "eval.py"], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert json.loads((tmp_path / "eval-reports/quickstart.json").read_text())["summary"]["pass_rate"] == 1.0


def test_init_writes_over_nothing_unless_it_is_told_to(tmp_path: Path, run: Run) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    code, _, problem = run("init", "-d", tmp_path)
    assert (code, "--force" in problem, (tmp_path / "eval.py").exists()) == (1, True, False)
    assert run("init", "-d", tmp_path, "--force")[0] == 0
    assert (tmp_path / "mine.txt").read_text() == "mine"
    code, _, problem = run("init", "-d", tmp_path / "mine.txt")
    assert (code, "must be a directory" in problem) == (1, True)


def test_templates_are_checked() -> None:
    with pytest.raises(ValueError, match="quickstart"):
        render("nothing")
    with pytest.raises(ValueError, match="github"):
        render("rag", with_ci="gitlab")
    changed = render("rag")
    changed["more.py"] = ""
    assert "more.py" not in render("rag")


SUITE = """
from multivon_eval import EvalCase, EvalSuite, ExactMatch
suite = EvalSuite("written").add_case(EvalCase("q", "a")).add_evaluator(ExactMatch())
if __name__ == "__main__":
    suite.run(lambda question: {answer!r}, verbose=False, fail_threshold={threshold})
"""


def written(tmp_path: Path, answer: str = "a", threshold: float | None = None) -> Path:
    path = tmp_path / "suite.py"
    path.write_text(SUITE.format(answer=answer, threshold=threshold))
    return path


def test_run_runs_a_file_and_says_where_its_report_goes(tmp_path: Path, run: Run) -> None:
    code, _, _ = run("run", written(tmp_path), "--json", tmp_path / "r.json", "--html", tmp_path / "r.html")
    assert code == 0
    assert json.loads((tmp_path / "r.json").read_text())["suite"] == "written"
    assert "written" in (tmp_path / "r.html").read_text()


def test_a_shut_gate_is_the_exit_code_of_run(tmp_path: Path, run: Run) -> None:
    assert run("run", written(tmp_path, "b", 1.0))[0] == 1
    assert run("run", tmp_path / "nothing.py")[0] == 2


def test_a_file_is_run_as_python_runs_it(tmp_path: Path, run: Run) -> None:
    (tmp_path / "beside_it.py").write_text("WORD = 'found'")
    file = tmp_path / "suite.py"
    file.write_text("import sys\nfrom beside_it import WORD\nprint(WORD, len(sys.argv))\nint('no number')")
    before = list(sys.path)
    code, out, problem = run("run", file)
    assert (code, out) == (1, "found 1\n")
    assert "Traceback" in problem
    assert "int('no number')" in problem
    assert sys.path == before


def test_validate_checks_the_checks_of_a_file(tmp_path: Path, run: Run) -> None:
    code, _, _ = run("validate", written(tmp_path), "--json", tmp_path / "v.json")
    assert code == 0
    assert json.loads((tmp_path / "v.json").read_text())
    wrong = tmp_path / "wrong.py"
    wrong.write_text("suite = 1 / 0")
    code, _, problem = run("validate", wrong)
    assert (code, "ZeroDivisionError" in problem, "__main__" in problem) == (2, True, True)
    wrong.write_text("suite = None")
    assert run("validate", wrong)[0] == 2


def test_report_shows_a_report_and_writes_it_anew(saved: Path, run: Run) -> None:
    code, out, _ = run("report", saved, "--html", saved.with_suffix(".html"), "--junit", saved.with_suffix(".xml"))
    assert code == 0
    assert "exact_match" in out
    assert ElementTree.parse(saved.with_suffix(".xml")).getroot().tag == "testsuites"
    assert "suite" in saved.with_suffix(".html").read_text()


@pytest.mark.parametrize(
    "content", [None, "", "{", "[]", '{"cases": 1}', '{"cases": [{}]}', "[" * 100_000], ids=range(7)
)
@pytest.mark.parametrize("command", ["report", "view"])
def test_what_is_no_report_is_said_in_a_line(command: str, content: str | None, tmp_path: Path, run: Run) -> None:
    path = tmp_path / "r.json"
    if content is not None:
        path.write_text(content)
    code, _, problem = run(command, path)
    assert code in (1, 2)
    assert problem.startswith("multivon-eval: ")
    assert problem.count("\n") == 1


def test_experiments(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MULTIVON_HOME", str(tmp_path))
    assert "No experiments" in run("experiments", "list")[1]
    assert "No runs" in run("experiments", "history", "prompts")[1]
    experiment = Experiment("prompts")
    first, second = experiment.record(report()), experiment.record(report("b"))
    assert run("experiments", "list")[1] == "prompts\n"
    assert first in run("experiments", "history", "prompts", "--n", "5")[1]
    assert "pass_rate: 1 -> 0" in run("experiments", "compare", "prompts", first, second)[1]
    assert "Usage" in run("experiments")[1]
    code, _, problem = run("experiments", "compare", "prompts", first, "nothing")
    assert (code, "nothing" in problem) == (2, True)


def test_compare_tells_what_got_worse(tmp_path: Path, run: Run) -> None:
    good, bad, other = tmp_path / "good.json", tmp_path / "bad.json", tmp_path / "other.json"
    report().save_json(good)
    report("b").save_json(bad)
    EvalSuite("s").add_case(EvalCase("else", "a")).add_evaluator(ExactMatch()).run(
        lambda question: "a", verbose=False, save_json=other
    )
    code, out, _ = run("compare", good, bad)
    assert (code, "Regressions (2)" in out) == (0, True)
    assert run("compare", good, bad, "--fail-on-regression")[0] == 1
    assert run("compare", bad, good, "--fail-on-regression")[0] == 0
    assert run("compare", good, other, "--fail-on-regression")[0] == 2
    assert "Improvements" not in run("compare", bad, good, "--regressions-only")[1]
    assert run("compare", good, bad, "--markdown")[1].startswith("## ")
    assert json.loads(run("compare", good, bad, "--json")[1])["deltas"]["pass_rate"] == -1.0
    assert run("compare", good, tmp_path / "nothing.json")[0] == 2


def test_gate_holds_a_report_against_a_policy(saved: Path, tmp_path: Path, run: Run) -> None:
    policy, decision = tmp_path / "policy.json", tmp_path / "decision.json"
    policy.write_text(json.dumps(AcceptancePolicy([CheckRequirement("exact_match")]).to_dict()))
    assert run("gate", saved, "--policy", policy, "--output", decision)[0] == 0
    assert json.loads(decision.read_text())
    report("b").save_json(saved)
    assert run("gate", saved, "--policy", policy)[0] == 1
    policy.write_text(json.dumps(AcceptancePolicy([CheckRequirement("nothing")]).to_dict()))
    assert run("gate", saved, "--policy", policy)[0] == 2
    for text in ("{", "[]", '{"schema": "multivon.policy/v1", "checks": [{"nobody": 1}]}'):
        policy.write_text(text)
        code, _, problem = run("gate", saved, "--policy", policy)
        assert (code, problem.count("\n")) == (2, 1)


def test_discover_lists_what_there_is(run: Run) -> None:
    code, out, _ = run("discover", "--compact")
    found = json.loads(out)
    assert (code, out.count("\n")) == (0, 1)
    names = {entry["name"]: entry for entry in found["evaluators"]}
    assert found["evaluator_count"] == len(names) > 30
    assert names["Contains"]["evaluator_id"] == "contains"
    assert names["TaskCompletion"]["evaluator_id"] == "task_completion"
    assert all(entry["doc"] for entry in names.values())
    assert "Evaluator" not in names
    for entry in names.values():
        exec(entry["import"], {})


def test_doctor_counts_what_it_finds(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MULTIVON_HOME", str(tmp_path))
    monkeypatch.setenv("OPENAI_API_KEY", "top-secret-key")
    with SayingEndpoint("ok") as endpoint:
        monkeypatch.setenv("OPENAI_BASE_URL", endpoint.base_url)
        code, out, _ = run("doctor", "--json")
    found = json.loads(out)
    pings = [check for check in found["checks"] if check["category"] == "ping"]
    assert [check["status"] for check in pings] == ["OK"]
    assert len(endpoint.asked) == 1
    assert sum(found["summary"].values()) == len(found["checks"])
    assert code == (1 if found["summary"]["error"] else 2 if found["summary"]["warn"] else 0)
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")
    assert run("doctor")[0] == 1
    code, out, _ = run("doctor", "--no-ping")
    assert "ping" not in out
    assert "top-secret-key" not in out


SKILLS = sorted((Path(multivon_eval.__file__).parent / "_skills").glob("*/SKILL.md"))


def test_skills_are_linked_into_the_home_folder(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    place = tmp_path / ".claude" / "skills"
    code, out, _ = run("install-skills", "--dry-run")
    assert (code, out.count("would be linked"), place.exists()) == (0, 3, False)
    assert run("install-skills")[1].splitlines() == [f"linked {place / path.parent.name}" for path in SKILLS]
    assert sorted(path.name for path in place.iterdir()) == ["eval-audit", "eval-bootstrap", "eval-explain"]
    (place / "eval-audit").unlink()
    (place / "eval-audit").write_text("mine")
    code, out, _ = run("install-skills")
    assert (code, out.count("unchanged"), out.count("kept")) == (0, 2, 1)
    assert (place / "eval-audit").read_text() == "mine"
    assert run("install-skills", "--force")[1].count("linked /") == 3
    assert (place / "eval-audit" / "SKILL.md").read_bytes() == SKILLS[0].read_bytes()


@pytest.mark.parametrize("path", SKILLS, ids=lambda path: path.parent.name)
def test_a_skill_names_commands_and_options_that_are_here(path: Path) -> None:
    text = path.read_text()
    assert text.startswith(f"---\nname: {path.parent.name}\ndescription: ")
    lines = re.findall(r"(?:^\$ |`)multivon-eval ([a-z-]+ ?[^`\n]*)", text, re.M)
    assert len(lines) >= 2
    parser = command_parser({f"cmd_{name.replace('-', '_')}": "" for name in _COMMANDS})
    for words in map(shlex.split, lines):
        if len(words) > 1:
            assert parser.parse_args(words).command == words[0]
        else:
            assert words[0] in _COMMANDS


def test_without_a_command_there_is_help(run: Run) -> None:
    code, out, _ = run()
    assert code == 0
    assert all(word in out for word in ("init", "run", "compare", "doctor"))
    assert all(template in run("init", "--help")[1] for template in list_templates())
    assert run("unheard-of")[0] == 2


def test_it_is_a_module_that_can_be_run(saved: Path) -> None:
    words = [sys.executable, "-m", "multivon_eval", "report", str(saved)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")
    assert "2 of 2" in done.stdout or "100.0%" in done.stdout


def test_escapes_in_a_report_are_not_obeyed(tmp_path: Path, run: Run) -> None:
    suite = EvalSuite("\x1b[2J\u202e").add_case(EvalCase("\x1b]0;t\x07")).add_evaluators(NotEmpty(), Contains(["a"]))
    suite.run(lambda question: "\x1b[31m", verbose=False, save_json=tmp_path / "r.json")
    for command in (("report",), ("compare", tmp_path / "r.json"), ("compare", "--json", tmp_path / "r.json")):
        assert "\x1b" not in run(*command, tmp_path / "r.json")[1]


def test_an_audit_log_is_packed(tmp_path: Path, run: Run) -> None:
    ComplianceReporter(tmp_path / "logs", "hipaa", verbose=False).record(report())
    words = ("audit-package", "--logs", tmp_path / "logs", "--suite", "suite", "--out", tmp_path / "audit.zip")
    code, out, _ = run(*words, "--framework", "hipaa", "--period", "2026-Q4")
    assert (code, "audit.zip" in out) == (0, True)
    with ZipFile(tmp_path / "audit.zip") as archive:
        assert any(name.endswith("/audit_log.ndjson") for name in archive.namelist())
    code, _, problem = run(*words, "--framework", "magic")
    assert (code, problem.count("\n")) == (2, 1)
    assert run(*words[:4], "nobody", *words[5:], "--framework", "hipaa")[0] == 2
