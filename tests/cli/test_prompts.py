"""`ringtrue prompts`: what it prints, and 0, 1, 2 or 64."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ringtrue.cli import main
from ringtrue.prompts.baseline import DEFAULT_BASELINE_NAME
from ringtrue.prompts.recordings import DEFAULT_RECORDINGS_NAME, write_recordings
from ringtrue.prompts.stamps import read_provenance

APP = "def f():\n    c.messages.create(system='Be kind.')\ndef g(x):\n    c.messages.create(system=x)\n"

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs `ringtrue prompts` in a folder with a program of two prompts and a file of two cases."""
    monkeypatch.chdir(tmp_path)
    Path("app.py").write_text(APP)
    Path("cases.jsonl").write_text('{"input": "a", "tags": ["t"]}\n{"input": "b"}\n')

    def called(*words: object) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as end:
            main(["prompts", *map(str, words)])
        assert isinstance(end.value.code, int)
        return end.value.code, *capsys.readouterr()

    return called


def stamps() -> list[dict[str, Any]]:
    rows = [json.loads(line) for line in Path("cases.jsonl").read_text().splitlines()]
    return [read_provenance(row.get("metadata"))[1] or {} for row in rows]


def test_a_scan_lists_prompts_and_names_what_it_could_not_read(run: Run) -> None:
    Path("bad\x1b.py").write_text("def")
    code, told, complaints = run("scan")
    assert (code, told.splitlines()) == (
        0,
        ["app.py:2:anthropic.system in f: 'Be kind.'", "app.py:4:anthropic.system in g [dynamic]"],
    )
    assert complaints == "ringtrue: not scanned: bad\\x1b.py: syntax error: line 1: invalid syntax\n"
    assert [found["text_preview"] for found in json.loads(run("scan", "--json")[1])] == ["Be kind.", "<dynamic:Name>"]
    Path("app.py").write_text("")
    assert run("scan")[:2] == (0, "no call that sends a prompt in .\n")


def test_a_diff_tells_what_changed(run: Run) -> None:
    for name, words in (("base", "kind"), ("head", "brief")):
        Path(name).mkdir()
        Path(name, "app.py").write_text(APP.replace("kind", words))
    assert run("diff", "base", "head")[:2] == (0, "[modified] app.py:2:anthropic.system\n")
    (change,) = json.loads(run("diff", "base", "head", "--json")[1])
    assert (change["before_text"], change["after_text"]) == ("Be kind.", "Be brief.")
    assert "1 prompt source(s)" in run("diff", "base", "head", "--markdown")[1]
    assert run("diff", "base", "base")[1] == "No prompt changes.\n"


def test_a_check_follows_an_approval(run: Run) -> None:
    code, told, _ = run("check", "--fail-on", "changed")
    assert (code, "`ringtrue prompts approve` writes one" in told) == (2, True)
    assert "would write" in run("approve", "--dry-run")[1]
    assert not Path(DEFAULT_BASELINE_NAME).exists()
    assert run("approve")[:2] == (0, f"wrote {DEFAULT_BASELINE_NAME}: 2 prompts\n")
    assert run("check", "--fail-on", "changed,removed,added")[0] == 0
    Path("app.py").write_text(APP.replace("kind", "brief"))
    assert run("check")[0] == 0
    code, told, complaints = run("check", "--fail-on", " changed, added", "--json")
    assert (code, json.loads(told)["summary"]["changed"]) == (1, 1)
    assert complaints == "ringtrue: gate failed: 1 changed; --fail-on asks for none\n"
    assert "**changed**" in run("check", "--markdown")[1]
    assert run("approve")[1].startswith("changed: app.py:2:anthropic.system\n")
    assert run("check", "--fail-on", "changed")[0] == 0


def test_folders_passed_over_and_another_place(run: Run) -> None:
    Path("tests").mkdir()
    Path("tests", "a.py").write_text("c.messages.create(system='s')")
    kept, gate = ("--baseline", "kept/b.json"), ("--fail-on", "removed")
    assert "3 prompts" in run("approve", *kept, "--include-tests")[1]
    assert run("check", *kept, *gate, "--include-tests")[0] == 0
    assert run("check", *kept, *gate)[0] == 1
    assert run("check", *kept, *gate, "--include-tests", "--ignore", "tests")[0] == 1


def test_cases_are_bound_and_a_check_names_them(run: Run) -> None:
    Path("report.json").write_text("{}")
    site = ("--site", "app.py::f.system")
    assert run("bind", "cases.jsonl", *site, "--tag", "t", "--dry-run")[1].startswith("would bind 1 cases")
    assert stamps() == [{}, {}]
    assert run("bind", "cases.jsonl", *site, "--index", 1, "--evidence", "report.json")[0] == 0
    assert run("bind", "cases.jsonl", *site, "--all")[1] == "bound 1 cases of cases.jsonl; 1 were already\n"
    assert [stamp["evidence"] and stamp["evidence"]["report"] for stamp in stamps()] == [None, "report.json"]
    run("approve")
    Path("app.py").write_text(APP.replace("kind", "brief"))
    assert "2 case(s) were made for it: cases.jsonl#0, cases.jsonl#1" in run("check")[1]
    told = json.loads(run("check", "--cases", "cases.jsonl", "--json")[1])
    assert [case["rollup"] for case in told["cases"]] == ["changed", "changed"]


def test_what_was_recorded_is_approved_and_binds_cases(run: Run) -> None:
    run("bind", "cases.jsonl", "--all")  # an id for each, and no prompt yet
    uids = [stamp["case_uid"] for stamp in stamps()]
    anchor = {"file_path": "app.py", "qualname": "g", "line": 4, "sdk": "anthropic", "role": "system"}
    seen = {"anchor": anchor, "fingerprint": "f" * 64, "case_uids": uids[:1], "count": 2}
    write_recordings(DEFAULT_RECORDINGS_NAME, [seen])
    before = Path("cases.jsonl").read_bytes()
    assert run("bind", "cases.jsonl", "--recorded", "--dry-run")[1].splitlines() == [
        f"case {uids[0]} -> app.py::g.system (observed 2×, ffffffffffff)",
        "would bind 1 cases of cases.jsonl",
    ]
    assert Path("cases.jsonl").read_bytes() == before
    assert "bound 1 cases" in run("bind", "cases.jsonl", "--recorded")[1]
    assert [len(stamp["targets"]) for stamp in stamps()] == [1, 0]
    assert run("approve", "--recorded")[1].endswith("recorded: 1 places, 1 texts\n")
    assert "OBSERVED at runtime (1)" in run("check")[1]


REFUSED = {
    "no kind": ([], "Usage"),
    "no folder to scan": (["scan", "no"], "does not exist"),
    "a file to scan": (["scan", "app.py"], "is a file"),
    "no folder to compare": (["diff", ".", "no"], "does not exist"),
    "an unknown failure": (["check", "--fail-on", "changed,moved"], "got moved"),
    "no cases": (["check", "--cases", "no.jsonl"], "no.jsonl"),
    "no baseline of that name": (["check", "--baseline", "no.json"], "no.json"),
    "no suite": (["check", "--suite", "no"], "module:name"),
    "a suite that raises": (["check", "--suite", "odd_suites:raises"], "RuntimeError: boom"),
    "a suite that is none": (["check", "--suite", "odd_suites:number"], "not iterable"),
    "a suite that cannot be read": (["check", "--suite", "odd_suites_unread:suite"], "SyntaxError"),
    "no recordings": (["approve", "--recorded"], "no recordings"),
    "no recordings to bind": (["bind", "cases.jsonl", "--recorded", "no.jsonl"], "no recordings"),
    "no selection": (["bind", "cases.jsonl"], "--index N"),
    "nothing selected": (["bind", "cases.jsonl", "--index", "9"], "nothing was bound"),
    "a site of none": (["bind", "cases.jsonl", "--site", "no.py", "--all"], "no prompt at"),
    "a site of two": (["bind", "cases.jsonl", "--site", "app.py", "--all"], "prompts; name one of app.py::"),
    "evidence of none": (["bind", "cases.jsonl", "--all", "--evidence", "no.json"], "no.json"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_done_is_one_message_and_64(name: str, run: Run) -> None:
    Path("odd_suites.py").write_text("number = 7\ndef raises(): raise RuntimeError('boom')\n")
    Path("odd_suites_unread.py").write_text("suite = (\n")
    words, message = REFUSED[name]
    code, told, complaints = run(*words)
    assert code == 64
    assert message in told + complaints
    assert "Traceback" not in complaints
    assert "\\n" not in complaints
    assert stamps() == [{}, {}]


def test_broken_cases_are_an_error_and_stay_as_they_are(run: Run) -> None:
    Path("cases.jsonl").write_text("{oops")
    code, _, complaints = run("bind", "cases.jsonl", "--all")
    assert (code, Path("cases.jsonl").read_text()) == (3, "{oops")
    assert complaints.startswith("ringtrue: cases.jsonl:1: not valid JSON")


def test_the_cases_of_a_suite_in_this_folder(run: Run) -> None:
    Path("suite_of_prompts.py").write_text(
        "from ringtrue import EvalCase, EvalSuite\nfrom ringtrue.prompts import stamp\n"
        "suite = EvalSuite('s').add_case(EvalCase('q', metadata=stamp(['app.py::f.system'])))\n"
    )
    run("approve")
    told = json.loads(run("check", "--suite", "suite_of_prompts:suite", "--json")[1])
    del sys.modules["suite_of_prompts"]
    assert [case["rollup"] for case in told["cases"]] == [None, None, "unchanged"]
