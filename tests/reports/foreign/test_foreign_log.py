"""Logs of other tools, made by running them, are RUNs: shown, compared and scored again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ringtrue.api.compare import compare
from ringtrue.api.runs import open_run, rescore
from ringtrue.cli import invoke
from ringtrue.errors import InputError
from ringtrue.reports.foreign.promptfoo_output import promptfoo_rows

FIXTURES = Path(__file__).parent / "fixtures"
INSPECT, ARCHIVE, PROMPTFOO, DEEPEVAL = (
    FIXTURES / name
    for name in (
        "inspect_ai-0.3.285.json",
        "inspect_ai-0.3.285.eval",
        "promptfoo-0.121.20.json",
        "deepeval-4.3.1.json",
    )
)
WRITTEN, CHOSEN = (
    next((FIXTURES / "lm_eval-0.4.13").glob(f"samples_{task}_2*.jsonl")) for task in ("capitals", "capitals_choice")
)


@pytest.mark.parametrize("path", [INSPECT, ARCHIVE], ids=["json", "eval"])
def test_inspect_ai(path: Path) -> None:
    run = open_run(path)
    rows = list(run.rows)
    assert [row.trial.case.id for row in rows] == ["c1", "c2", "c3"]
    assert [row.trial.output.text for row in rows] == ["It is Paris.", "Lima", "I do not know."]
    assert rows[0].trial.case.expected == ("Paris",)
    assert (rows[0].trial.output.input_tokens, rows[0].trial.output.output_tokens) == (6, 12)
    assert [row.scores["includes"].passed for row in rows] == [True, True, False]
    assert run.summary("includes").value == pytest.approx(2 / 3)
    assert (run.made.systems[0].name, run.made.datasets[0].name) == ("mockllm/model", "capitals")


@pytest.mark.parametrize(
    ("columns", "names"),
    [
        pytest.param([("a", "p")], ["a"], id="one"),
        pytest.param([("a", "p"), ("b", "p")], ["a", "b"], id="one-prompt-is-not-named"),
        pytest.param(
            [("a", "p"), ("a", "q"), ("b", "p"), ("b", "q")],
            ["a, prompt 1", "a, prompt 2", "b, prompt 1", "b, prompt 2"],
            id="a-prompt-has-one-number-with-every-provider",
        ),
        pytest.param([("a", "p"), ("a", "p")], ["a, prompt 1", "a, prompt 2"], id="one-provider-twice"),
    ],
)
def test_a_system_of_promptfoo_is_a_provider_with_its_prompt(columns: list[tuple[str, str]], names: list[str]) -> None:
    results = [
        {"provider": {"id": provider}, "prompt": {"label": prompt}, "promptIdx": at, "testIdx": 0}
        for at, (provider, prompt) in enumerate(columns)
    ]
    assert [row.system for row in promptfoo_rows({"results": {"results": results}})] == names


def test_promptfoo() -> None:
    run = open_run(PROMPTFOO)
    rows = list(run.rows)
    assert [row.trial.output.text for row in rows] == [
        "The capital of France is Paris.",
        "The capital of Peru is unknown.",
    ]
    assert [row.scores["promptfoo"].passed for row in rows] == [True, False]
    assert rows[1].scores["icontains"].reason == 'Expected output to contain "Lima"'
    assert rows[0].system == "echo"
    assert rows[0].trial.case.fields["country"] == "France"
    assert [row.trial.case.expected for row in rows] == [None, ("Lima",)], "of two texts, neither is the answer"


@pytest.mark.parametrize(
    ("values", "asserted", "expected"),
    [
        ({}, [{"type": "equals", "value": "Lima"}], ("Lima",)),
        ({}, [{"type": "icontains-any", "value": ["Lima", "Callao"]}, {"type": "latency"}], ("Lima", "Callao")),
        ({}, [{"type": "equals", "value": 42}], ("42",)),
        ({"answer": "Lima"}, [{"type": "equals", "value": "x"}], ("Lima",)),
        ({}, [{"type": "contains-all", "value": ["Lima", "Peru"]}], None),
        ({}, [{"type": "not-equals", "value": "Lima"}], None),
        ({}, [{"type": "equals", "value": "{{country}}"}], None),
        ({}, [{"type": "equals", "value": {"city": "Lima"}}], None),
        ({}, [], None),
    ],
)
def test_what_a_test_of_promptfoo_expects(values: Any, asserted: list[Any], expected: Any) -> None:
    """Rescoring measured nothing where only an assertion names the answer."""
    result = {"provider": {"id": "a"}, "promptIdx": 0, "testIdx": 0, "vars": values, "testCase": {"assert": asserted}}
    (row,) = promptfoo_rows({"results": {"results": [result]}})
    assert row.trial.case.expected == expected


def test_lm_evaluation_harness() -> None:
    run = open_run(WRITTEN)
    rows = list(run.rows)
    assert [row.trial.output.text for row in rows] == ["Paris", "It is #### Lima", "I do not know."]
    assert (rows[0].trial.case.input, rows[0].trial.case.expected) == ("What is the capital of France?", ("Paris",))
    assert (rows[0].system, rows[0].dataset, rows[0].trial.case.fields["id"]) == ("mock", "capitals", "c1")
    found = {name: [row.scores[name].passed for row in rows] for name in rows[0].scores}
    assert found == {"exact_match,as-is": [True, False, False], "exact_match,after-mark": [False, True, False]}


def test_likelihoods_of_choices() -> None:
    """The answer is the likeliest choice, which the harness calls right exactly where it is the expected one."""
    rows = list(open_run(CHOSEN).rows)
    right = [row.trial.case.expected == (row.trial.output.text,) for row in rows]
    assert right == [bool(row.scores["acc"].passed) for row in rows]
    assert sorted(right) == [False, True, True]


def test_samples_without_results(tmp_path: Path) -> None:
    """A renamed file is known by what it holds; nothing says which model answered."""
    (tmp_path / "a.jsonl").write_bytes(WRITTEN.read_bytes())
    row = next(iter(open_run(tmp_path / "a.jsonl").rows))
    assert (row.system, row.dataset) == ("lm-eval", "a")


def test_deepeval() -> None:
    run = open_run(DEEPEVAL)
    rows = list(run.rows)
    assert [row.trial.case.id for row in rows] == ["c1", "c2", "c3"]
    assert [row.scores["deepeval"].passed for row in rows] == [False, True, False]
    assert [row.scores["Contains"].passed for row in rows] == [True, True, False]
    assert rows[2].scores["Judge"].reason == "RuntimeError: the judge is down"
    assert (run.summary("Judge").n, run.summary("Judge").errors) == (2, 1)
    assert rows[0].system == "capitals"


def test_a_metric_without_a_number_is_not_a_failure(tmp_path: Path) -> None:
    log = json.loads(DEEPEVAL.read_text())["testRunData"]
    log["testCases"][2]["metricsData"][0] |= {"success": True, "score": 1.0}
    (tmp_path / "x.json").write_text(json.dumps(log))
    assert [row.scores["deepeval"].status for row in open_run(tmp_path / "x.json").rows] == [
        "scored",
        "scored",
        "error",
    ]


def test_two_logs_are_compared(capsys: pytest.CaptureFixture[str]) -> None:
    assert compare(INSPECT, ARCHIVE).pairs[0].cases == 3
    assert invoke(["compare", str(INSPECT), str(ARCHIVE)]) == 0
    assert "3 cases paired" in capsys.readouterr().out
    assert invoke(["show", str(ARCHIVE)]) == 0
    assert "66.7" in capsys.readouterr().out


@pytest.mark.parametrize("path", [ARCHIVE, WRITTEN, DEEPEVAL], ids=["inspect_ai", "lm_eval", "deepeval"])
def test_a_log_is_scored_again(path: Path) -> None:
    found = rescore(path, ["exact_match"], store=None, progress=False)
    assert found.summary("exact_match").value == pytest.approx(1 / 3)


@pytest.mark.parametrize("path", [INSPECT, PROMPTFOO, WRITTEN, DEEPEVAL], ids=lambda path: path.name.split("_")[0])
def test_every_log_is_gated_and_compared(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for floor, code in ((0.01, 0), (0.99, 1)):
        Path("rules.json").write_text(json.dumps({"rules": [{"at_least": floor}, {"no_worse_by": 0.9}]}))
        assert invoke(["gate", str(path), "--baseline", str(path), "--rules", "rules.json"]) == code
    assert invoke(["compare", str(path), str(path)]) == 0
    assert "0 gained, 0 lost" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("x.json", "{}"),
        ("x.json", "["),
        ("x.json", "[" * 100_000),
        ("x.json", '{"eval": {}, "samples": [3]}'),
        ("x.json", '{"results": {"results": [{}]}}'),
        ("x.json", '{"testCases": [{}]}'),
        ("x.json", '{"testCases": [], "conversationalTestCases": [{}]}'),
        ("x.eval", "no zip"),
        ("x.jsonl", '{"doc_id": 0, "doc": {}, "arguments": {}, "resps": [], "filtered_resps": []}'),
        ("x.jsonl", '{"doc_id": 0, "doc": {}, "arguments": {}, "resps": [], "filtered_resps": []}\n3\n'),
        ("x.jsonl", '{"doc_id": [], "doc": {}, "arguments": {}, "resps": [], "filtered_resps": []}'),
    ],
)
def test_what_is_not_a_log_is_refused(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError):
        open_run(tmp_path / name)


def test_a_broken_archive_is_refused(tmp_path: Path) -> None:
    data = bytearray(ARCHIVE.read_bytes())
    for place in range(1_000, 6_000):
        data[place] ^= 0xFF
    (tmp_path / "x.eval").write_bytes(data)
    with pytest.raises(InputError):
        open_run(tmp_path / "x.eval")


def test_a_sample_with_an_error_is_an_error(tmp_path: Path) -> None:
    log = json.loads(INSPECT.read_text())
    log["samples"][0] |= {"error": {"message": "down"}, "scores": {}}
    (tmp_path / "x.json").write_text(json.dumps(log))
    share = open_run(tmp_path / "x.json").summary("pass_rate")
    assert (share.n, share.errors) == (2, 1)
