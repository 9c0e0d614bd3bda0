"""`multivon-eval attribution` and `staleness`: what they print, and 0, 1 or 2."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from multivon_eval.provenance import new_provenance, read_provenance
from multivon_eval.recorder import DEFAULT_RECORDINGS_NAME, write_recordings
from multivon_eval.staleness import DEFAULT_BASELINE_NAME

from support.multivon_cli import Run, runs

APP = "def f():\n    c.messages.create(system='Be kind.')\ndef g(x):\n    c.messages.create(system=x)\n"


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    return runs(capsys)


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    (tmp_path / "app.py").write_text(APP)
    return tmp_path


def test_a_scan_lists_prompts(repo: Path, run: Run) -> None:
    (repo / "bad.py").write_text("def")
    code, told, complaints = run("attribution", "scan", repo)
    assert (code, told.splitlines()) == (
        0,
        ["app.py:2:anthropic.system in f: 'Be kind.'", "app.py:4:anthropic.system in g [dynamic]"],
    )
    assert "not scanned: bad.py: syntax error" in complaints
    code, told, _ = run("attribution", "scan", repo, "--format", "json")
    assert [found["text_preview"] for found in json.loads(told)] == ["Be kind.", "<dynamic:Name>"]
    (repo / "app.py").write_text("")
    assert run("attribution", "scan", repo)[1].startswith("No SDK prompt")


def test_a_diff_tells_what_changed(tmp_path: Path, run: Run) -> None:
    for name, words in (("base", "kind"), ("head", "brief")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "app.py").write_text(APP.replace("kind", words))
    folders = tmp_path / "base", tmp_path / "head"
    assert "1 modified" in run("attribution", "diff", *folders)[1]
    assert run("attribution", "diff", *folders, "--format", "text")[1] == "[modified] app.py:2:anthropic.system\n"
    (change,) = json.loads(run("attribution", "diff", *folders, "--format", "json")[1])
    assert (change["before_text"], change["after_text"]) == ("Be kind.", "Be brief.")
    assert run("attribution", "diff", folders[0], folders[0], "--format", "text")[1] == "No prompt changes.\n"


def test_a_report_follows_a_baseline(repo: Path, run: Run) -> None:
    assert run("staleness", repo)[0] == 2
    assert "would write" in run("staleness", "baseline", repo, "--dry-run")[1]
    assert not (repo / DEFAULT_BASELINE_NAME).exists()
    assert "2 prompt(s)" in run("staleness", "baseline", repo)[1]
    assert run("staleness", "report", repo, "--fail-on", "changed,removed")[0] == 0
    (repo / "app.py").write_text(APP.replace("kind", "brief"))
    assert run("staleness", repo)[0] == 0
    code, told, _ = run("staleness", repo, "--fail-on", "changed", "--format", "json")
    assert (code, json.loads(told)["summary"]["changed"]) == (1, 1)
    assert "**changed**" in run("staleness", repo, "--format", "markdown")[1]
    assert "changed: app.py" in run("staleness", "baseline", repo)[1]
    assert run("staleness", repo, "--fail-on", "changed")[0] == 0


def test_without_a_path_it_is_this_folder(repo: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(repo)
    assert run("staleness", "baseline")[0] == 0
    assert run("staleness")[0] == 0
    assert {"report", "baseline", "stamp"} <= set(run("staleness", "--help")[1].replace(",", " ").split())


def test_cases_are_stamped_and_bound(repo: Path, run: Run) -> None:
    cases, report = repo / "cases.jsonl", repo / "report.json"
    cases.write_text('{"input": "a", "tags": ["t"]}\n{"input": "b"}\n')
    report.write_text("{}")
    stamp = ["staleness", "stamp", "--repo", repo, "--cases", cases, "--site", "app.py::f.system"]
    assert "would stamp 1" in run(*stamp, "--tag", "t", "--dry-run")[1]
    assert "stamped 1" in run(*stamp, "--index", 1, "--evidence", report)[1]
    assert "stamped 1 case(s)" in run(*stamp, "--all")[1]
    found = [read_provenance(json.loads(line)["metadata"])[1] or {} for line in cases.read_text().splitlines()]
    assert [stamped["evidence"] and stamped["evidence"]["report"] for stamped in found] == [None, str(report)]
    run("staleness", "baseline", repo)
    (repo / "app.py").write_text(APP.replace("kind", "brief"))
    told = json.loads(run("staleness", repo, "--cases", cases, "--format", "json")[1])
    assert [case["rollup"] for case in told["cases"]] == ["changed", "changed"]


def test_what_was_recorded_is_proposed_and_applied_on_request(repo: Path, run: Run) -> None:
    cases = repo / "cases.jsonl"
    stamp = new_provenance(authored_by="me", git={}, targets=[], case_uid="u")
    cases.write_text(json.dumps({"metadata": {"_provenance": stamp}}))
    anchor = {"file_path": "app.py", "qualname": "g", "line": 4, "sdk": "anthropic", "role": "system"}
    seen = {"anchor": anchor, "fingerprint": "f" * 64, "case_uids": ["u"], "count": 2}
    write_recordings(repo / DEFAULT_RECORDINGS_NAME, [seen])
    propose = ["staleness", "stamp", "--repo", repo, "--from-recordings"]
    before = cases.read_bytes()
    code, told, _ = run(*propose, "--cases", cases)
    assert (code, cases.read_bytes()) == (0, before)
    assert "case u -> app.py::g.system (observed 2×" in told
    assert "to 1 case(s)" in run(*propose, "--cases", cases, "--apply")[1]
    assert "to 0 case(s)" in run(*propose, "--cases", cases, "--apply")[1]
    run("staleness", "baseline", repo)
    assert "1 place(s) and 1 text(s)" in run("staleness", "baseline", repo, "--merge-recordings")[1]
    assert "OBSERVED at runtime (1)" in run("staleness", repo)[1]


REFUSED = {
    "no kind of attribution": (["attribution"], "usage"),
    "no folder to scan": (["attribution", "scan", "no"], "does not exist"),
    "a file to scan": (["attribution", "scan", "app.py"], "not a folder"),
    "no folder to compare": (["attribution", "diff", ".", "no"], "does not exist"),
    "no folder to report": (["staleness", "no"], "does not exist"),
    "an unknown failure": (["staleness", ".", "--fail-on", "changed,moved"], "got moved"),
    "no cases": (["staleness", ".", "--cases", "no.jsonl"], "no.jsonl"),
    "no suite": (["staleness", ".", "--suite", "no"], "module:name"),
    "no place for a baseline": (["staleness", "baseline", "--out", "no/b.json"], "--out directory does not exist"),
    "no baseline to merge into": (["staleness", "baseline", "--merge-recordings"], "cannot read the baseline"),
    "no recordings": (["staleness", "stamp", "--from-recordings"], "cannot read the recordings"),
    "nothing to stamp": (["staleness", "stamp"], "--site and --cases"),
    "no selection": (["staleness", "stamp", "--site", "app.py", "--cases", "c.jsonl"], "--index N"),
    "a site of none": (["staleness", "stamp", "--site", "no.py", "--cases", "c.jsonl", "--all"], "no prompt at"),
    "a site of two": (["staleness", "stamp", "--site", "app.py", "--cases", "c.jsonl", "--all"], "app.py::g.system"),
    "cases of none": (["staleness", "stamp", "--site", "app.py::f", "--cases", "c.jsonl", "--all"], "c.jsonl"),
    "evidence of none": (
        ["staleness", "stamp", "--site", "app.py::f", "--cases", "c.jsonl", "--all", "--evidence", "no.json"],
        "no.json",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_done_is_one_message_and_2(
    name: str, repo: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repo)
    words, message = REFUSED[name]
    code, _, complaints = run(*words)
    assert code == 2
    assert message in complaints
    assert "Traceback" not in complaints


def test_who_reads_no_further_ends_the_command_quietly(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text("c.messages.create(system='Be kind.')\n" * 20_000)
    command = [sys.executable, "-m", "multivon_eval", "attribution", "scan", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline()
        process.stdout.close()
        assert process.stderr is not None
        assert process.stderr.read() == b""
    assert process.returncode == 0
