"""`ringtrue gate`: every kind of rule, slices, exit codes, wrong rules before anything is read, and every output."""

from __future__ import annotations

import json
import shlex
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml

from ringtrue.cli import invoke
from ringtrue.errors import AbsentFile, ConfigurationError
from ringtrue.records import (
    Case,
    DatasetInfo,
    EvaluatorInfo,
    Made,
    Output,
    Row,
    Run,
    Score,
    SystemInfo,
    Trial,
)
from ringtrue.reports.gating.gate_output import gate_lines, github_annotations, verdict_of
from ringtrue.reports.gating.rule_checks import RuleFinding, check_rules
from ringtrue.reports.gating.rules import GateRule, read_rules
from ringtrue.reports.row_file import write_rows
from ringtrue.reports.terminal.canvas import Canvas
from ringtrue.runner.run_from_rows import run_of


def run_with(
    passed: int, failed: int, errors: int = 0, *, tag: str = "", system: str = "app", cost: float = 0.01
) -> Run:
    scores = [Score(1.0, passed=True)] * passed + [Score(0.0, passed=False)] * failed
    scores += [Score.error("the judge is down")] * errors
    rows = []
    for place, score in enumerate(scores):
        tags = (tag,) if tag and place % 2 else ()
        case = Case(id=f"c{place}", input=f"q{place}", expected=("a",), tags=tags, fields={"dataset": "nq"})
        output = Output("a", latency_seconds=0.5 + place / 1_000, cost=cost)
        rows.append(Row(Trial(case, output), {"found": score}, place, system))
    made = Made(
        datasets=(DatasetInfo("nq", "r1", len(rows), "found"),),
        systems=(SystemInfo(system),),
        evaluators=(EvaluatorInfo("found", "found=Found()", 0.5, {"found": "found"}, "found"),),
    )
    return run_of(made, rows)


def outcome(rule: GateRule, run: Run, baseline: Run | None = None) -> RuleFinding:
    (found,) = check_rules([rule], run, baseline)
    return found


@pytest.mark.parametrize(
    ("rule", "run", "expected", "words"),
    [
        pytest.param(
            GateRule(at_least=0.8), run_with(180, 20), "passed", "90.0 % (85.1–93.4) at 0.50 over 200 rows", id="bound"
        ),
        pytest.param(
            GateRule(at_least=0.8), run_with(17, 3), "failed", "its lower end, 64.0 %, is below 80.0 %", id="too-few"
        ),
        pytest.param(
            GateRule(at_least=0.8), run_with(180, 20, 30), "undecided", "30 errors could turn that", id="errors-down"
        ),
        pytest.param(
            GateRule(at_least=0.8), run_with(160, 30, 30), "undecided", "30 errors could turn that", id="errors-up"
        ),
        pytest.param(GateRule(at_least=0.8), run_with(100, 100, 5), "failed", "50.0 %", id="errors-cannot-save-it"),
        pytest.param(
            GateRule(at_least=0.8, score="f2"), run_with(10, 0), "nothing measured", "there is no f2", id="score"
        ),
        pytest.param(GateRule(at_least=0.8), run_with(0, 0, 5), "nothing measured", "5 errors", id="errors-alone"),
        pytest.param(
            GateRule(at_least=0.8, tag="dates"), run_with(180, 20, tag="dates"), "passed", "over 100 rows", id="tag"
        ),
        pytest.param(GateRule(at_least=0.8, dataset="x"), run_with(9, 0), "nothing measured", "no row", id="dataset"),
        pytest.param(GateRule(max_error_rate=0.05), run_with(95, 0, 5), "passed", "5 of 100 rows", id="error-rate"),
        pytest.param(
            GateRule(max_error_rate=0.04), run_with(95, 0, 5), "failed", "5 of 100 rows", id="too-many-errors"
        ),
        pytest.param(
            GateRule(name="few", max_error_rate=0.04),
            run_with(95, 0, 5),
            "failed",
            "ended in errors; allowed: errors at most 4.0 %",
            id="a-named-budget-says-its-limit",
        ),
        pytest.param(GateRule(max_cost=2.0), run_with(100, 0), "passed", "$1.0000 in all", id="cost"),
        pytest.param(GateRule(max_cost_per_answer=0.005), run_with(100, 0), "failed", "$0.0100 for each", id="dear"),
        pytest.param(
            GateRule(max_cost=2.0), run_with(3, 0, cost=None), "undecided", "RINGTRUE_PRICES", id="price-unknown"
        ),  # type: ignore[arg-type]
        pytest.param(GateRule(max_latency_median=0.6), run_with(100, 0), "passed", "0.55 s", id="median"),
        pytest.param(GateRule(max_latency_p95=0.55), run_with(100, 0), "failed", "s over 100 answers", id="p95"),
    ],
)
def test_every_kind_of_rule(rule: GateRule, run: Run, expected: str, words: str) -> None:
    found = outcome(rule, run)
    assert found.outcome == expected
    assert words in found.words


@pytest.mark.parametrize(
    ("rule", "title"),
    [
        pytest.param(GateRule(at_least=0.8), "pass_rate at least 80.0 %", id="rate"),
        pytest.param(GateRule(at_least=0.8, score="found"), "found at least 0.8", id="a-score-is-no-percentage"),
        pytest.param(
            GateRule(at_least=0.8, system="app"), "pass_rate at least 80.0 % (system app)", id="slice-is-named"
        ),
        pytest.param(GateRule(no_worse_by=0.02, score="found"), "found no worse by 0.02", id="margin-of-a-score"),
    ],
)
def test_a_finding_is_called_by_its_rule_and_slice(rule: GateRule, title: str) -> None:
    run = run_with(9, 1)
    assert outcome(rule, run, run).title == title


@pytest.mark.parametrize(
    ("run", "expected", "words"),
    [
        pytest.param(run_with(900, 100), "passed", "+0.0 points (95 % interval", id="the-same"),
        pytest.param(run_with(800, 200), "failed", "its lower end is below −2.0 points", id="worse"),
        pytest.param(run_with(45, 5), "failed", "over 50 cases", id="too-few-to-show-it"),
        pytest.param(run_with(900, 50, 50), "undecided", "50 errors could turn that", id="errors"),
    ],
)
def test_no_worse_than_the_baseline(run: Run, expected: str, words: str) -> None:
    found = outcome(GateRule(no_worse_by=0.02), run, run_with(900, 100))
    assert found.outcome == expected
    assert words in found.words


def test_a_baseline_that_is_not_comparable_leaves_it_open() -> None:
    other = run_with(900, 100)
    made = Made(
        datasets=(DatasetInfo("nq", "r2", 1_000, "found"),),
        systems=other.made.systems,
        evaluators=other.made.evaluators,
    )
    found = outcome(GateRule(no_worse_by=0.02), run_with(900, 100), Run(made, other.rows, other.summaries))
    assert found.outcome == "undecided"
    assert "nq has another revision: r2 in A, r1 in B" in found.words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("rules = 3", "write a list of rules under 'rules'"),
        ("[[rules]]\nat_last = 0.5", "rule 1 has no setting 'at_last'; did you mean 'at_least'?"),
        ("[[rules]]\nname = 'x'", "this one asks for nothing"),
        ("[[rules]]\nat_least = 0.5\nmax_cost = 1", "this one has at_least and max_cost"),
        ("[[rules]]\nat_least = 80", "rule 1: at_least must be a number in [0, 1]; got 80"),
        ("[[rules]]\nat_least = true", "rule 1: at_least must be"),
        ("[[rules]]\nat_least = 0.5\n[[rules]]\nmax_cost = -1", "rule 2: max_cost must be"),
        ("[[rules]]\nmax_cost = 1\nscore = 'f1'", "max_cost is not about a score"),
        ("[[rules]]\nat_least = 0.5\ntag = ''", "tag must be text that is not empty"),
        ("[[rules]]\nat_least = ", "is not valid TOML"),
        ("[[rules]]\nat_least = 0.5\n[more]", "and nothing else"),
    ],
)
def test_wrong_rules_are_refused_before_anything_is_read(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "gate.toml"
    path.write_text(text)
    with pytest.raises(ConfigurationError) as caught:
        invoke(["gate", str(tmp_path / "no-such-run.jsonl"), "--rules", str(path)])
    assert words in str(caught.value)


def test_rules_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(AbsentFile):
        read_rules(tmp_path / "gate.toml")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("g.toml", '[[rules]]\nname = "right"\nat_least = 0.8\n[[rules]]\nmax_cost = 2'),
        ("g.yaml", "rules:\n- name: right\n  at_least: 0.8\n- max_cost: 2\n"),
        ("g.json", '{"rules": [{"name": "right", "at_least": 0.8}, {"max_cost": 2}]}'),
    ],
)
def test_three_formats_say_the_same(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    assert read_rules(tmp_path / name) == [GateRule(name="right", at_least=0.8), GateRule(max_cost=2)]


def save(run: Run, path: Path) -> str:
    write_rows(path, run.rows, run.made)
    return str(path)


@pytest.mark.parametrize(
    ("run", "code"),
    [
        pytest.param(run_with(180, 20), 0, id="passed"),
        pytest.param(run_with(100, 100), 1, id="failed"),
        pytest.param(run_with(180, 20, 30), 2, id="undecided"),
        pytest.param(run_with(0, 0, 3), 3, id="nothing"),
        pytest.param(replace(run_with(180, 20), made=replace(run_with(180, 20).made, trials=300)), 3, id="unfinished"),
    ],
)
def test_exit_codes(tmp_path: Path, capsys: pytest.CaptureFixture[str], run: Run, code: int) -> None:
    rules = tmp_path / "gate.toml"
    rules.write_text('[[rules]]\nname = "answers are right"\nat_least = 0.8\n')
    path = save(run, tmp_path / "rows.jsonl")
    assert invoke(["gate", path, "--rules", str(rules)]) == code
    assert "answers are right" in capsys.readouterr().out


def test_a_gate_without_a_finding_measured_nothing() -> None:
    assert verdict_of([]) == "nothing measured"


def test_every_output(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    rules = tmp_path / "gate.toml"
    rules.write_text('[[rules]]\nname = "a | b, c: 100%"\nat_least = 0.99\n[[rules]]\nno_worse_by = 0.05\n')
    new, old = save(run_with(180, 20), tmp_path / "new.jsonl"), save(run_with(180, 20), tmp_path / "old.jsonl")
    summary, junit, markdown = tmp_path / "summary.md", tmp_path / "gate.xml", tmp_path / "gate.md"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    words = [
        "gate",
        new,
        "--rules",
        str(rules),
        "--junit",
        str(junit),
        "--markdown",
        str(markdown),
        "--github",
        "--json",
    ]
    with pytest.raises(ConfigurationError, match="--baseline RUN"):
        invoke(words)
    assert invoke([*words, "--baseline", old]) == 1
    printed = capsys.readouterr()
    assert [one["outcome"] for one in json.loads(printed.out)["findings"]] == ["failed", "passed"]
    assert "::error title=a | b%2C c%3A 100%25::90.0 %25 (85.1–93.4) at 0.50 over 200 rows" in printed.err
    suite = ElementTree.parse(junit).getroot()
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("2", "1", "0")
    assert [case.get("name") for case in suite.iter("testcase")][:1] == ["a | b, c: 100%"]
    assert summary.read_text().strip() == markdown.read_text().strip()
    assert "| ✗ failed | a \\| b, c: 100% | 90.0 %" in markdown.read_text()


@pytest.mark.parametrize("tags", [["even", "short"], "even, short"], ids=["a list", "a cell"])
@pytest.mark.parametrize("command", ["run", "score"])
def test_a_slice_is_that_of_the_tags_in_the_file(tmp_path: Path, command: str, tags: object) -> None:
    questions, rules, rows = (str(tmp_path / name) for name in ("q.jsonl", "gate.toml", "rows.jsonl"))
    lines = [
        {"question": "4", "answer": "4", "response": "4", "tags": tags},
        {"question": "5", "answer": "no", "response": "5"},
    ]
    Path(questions).write_text("".join(json.dumps(line) + "\n" for line in lines))
    Path(rules).write_text('[[rules]]\ntag = "even"\nat_least = 0.2\n')
    system = ["-s", "identity"] if command == "run" else []
    invoke([command, questions, *system, "-e", "answer_found", "-o", rows, "-q", "--store", str(tmp_path / "s.db")])
    assert invoke(["gate", rows, "--rules", rules]) == 0


def test_what_did_not_pass_has_colour_and_ascii_has_words() -> None:
    finding = RuleFinding(GateRule(name="x\x1b[31m", at_least=0.5), "", "failed", "40 %")
    lines = list(gate_lines([finding], Canvas(30)))
    assert [(line.plain, str(line.style)) for line in lines] == [
        ("✗ failed  x\\x1b[31m", "bold red"),
        ("    40 %", ""),
        ("", ""),
        ("gate failed: 0 of 1 check", "bold red"),
        ("passed", "bold red"),
    ]
    assert next(gate_lines([finding], Canvas(plain=True))).plain.startswith("FAIL  x")


def test_an_annotation_is_one_command() -> None:
    finding = RuleFinding(GateRule(name="x\n::error::y", at_least=0.5), "", "undecided", "50 %\r\n::error::z")
    (line,) = github_annotations([finding])
    assert line.startswith("::warning title=x")
    assert "\n" not in line
    assert "::error" not in line.partition("::")[2].partition("::")[0]


EXAMPLES = Path(__file__).parents[3] / "examples" / "ci-gate"


def test_the_rules_of_the_example_are_rules() -> None:
    assert [rule.kind for rule in read_rules(EXAMPLES / "gate.toml")][:2] == ["at_least", "no_worse_by"]


def test_the_commands_of_the_workflow_are_commands() -> None:
    """Every option that the example workflow writes exists."""
    workflow = yaml.safe_load((EXAMPLES / "github-actions.yml").read_text())
    lines = [line for step in workflow["jobs"]["gate"]["steps"] for line in step.get("run", "").splitlines()]
    commands = [shlex.split(line.partition(" >> ")[0])[1:] for line in lines if line.startswith("ringtrue ")]
    assert [words[0] for words in commands] == ["run", "gate", "compare"]
    for name, *words in commands:
        command = import_module(f"ringtrue.cli.{name}").command
        command.make_context(name, words, resilient_parsing=False, obj=words)
