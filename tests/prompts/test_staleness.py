"""A prompt is changed, removed, moved, or nobody can tell; the last is never called unchanged, nor removed."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue import Case, EvalCase, EvalSuite
from ringtrue.errors import ConfigurationError
from ringtrue.prompts.baseline import DEFAULT_BASELINE_NAME, BaselineError, load_baseline, scan_repo, write_baseline
from ringtrue.prompts.matching import Alike, match_records, match_target
from ringtrue.prompts.pages import render_json, render_markdown, render_text
from ringtrue.prompts.places import resolve_site_spec, stamp, target_from_record
from ringtrue.prompts.record import PromptRecord
from ringtrue.prompts.source import scan
from ringtrue.prompts.staleness import check_prompts
from ringtrue.prompts.stamped_file import stamp_jsonl
from ringtrue.prompts.stamps import ProvenanceError

APP = """
def greet(client):
    client.messages.create(system="Be kind.", messages=[{"role": "user", "content": "Hello"}])

def part(client, words):
    client.messages.create(system=words)
"""


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    (tmp_path / "app.py").write_text(APP)
    write_baseline(tmp_path)
    return tmp_path


def verdicts(repo: Path, **options: Any) -> dict[str, tuple[str, list[str], str]]:
    """What became of each prompt, by its function and role."""
    report = check_prompts(repo, **options)
    found = {}
    for verdict in report.verdicts:
        assert verdict.baseline is not None
        key = f"{verdict.baseline.qualname}.{verdict.baseline.role}"
        found[key] = (verdict.status, verdict.labels, verdict.confidence)
    return found


SAME, DYNAMIC = ("unchanged", [], "exact"), ("unknown", ["dynamic"], "structural")
EDITS = {
    "nothing": (lambda source: source, SAME),
    "lines above": (lambda source: "import os\n" * 40 + source, SAME),
    "another order": (lambda source: "def first(): pass\n" + source, SAME),
    "other words": (lambda source: source.replace("kind", "brief"), ("changed", [], "structural")),
    "another indent": (
        lambda source: source.replace("Be kind.", "Be  kind."),
        ("changed", ["formatting-only"], "structural"),
    ),
    "a function renamed": (lambda source: source.replace("greet", "hail"), ("unchanged", ["moved"], "moved")),
    "a prompt taken out": (lambda source: source.replace('system="Be kind.", ', ""), ("removed", [], "structural")),
    "a prompt made at runtime": (
        lambda source: source.replace('"Be kind."', "kindness()"),
        ("unknown", ["became-dynamic"], "structural"),
    ),
    "a broken file": (lambda source: source + "def", ("unknown", ["unscannable"], "structural")),
}


@pytest.mark.parametrize("name", EDITS)
def test_what_became_of_a_prompt(name: str, repo: Path) -> None:
    edit, expected = EDITS[name]
    (repo / "app.py").write_text(edit(APP))
    found = verdicts(repo)
    assert found["greet.system"] == expected
    broken = name == "a broken file"
    assert found["part.system"] == (("unknown", ["unscannable"], "structural") if broken else DYNAMIC)


def test_a_file_renamed_is_moved_and_one_renamed_and_edited_is_removed(repo: Path) -> None:
    (repo / "app.py").rename(repo / "new.py")
    assert verdicts(repo)["greet.system"] == ("unchanged", ["moved"], "moved")
    assert verdicts(repo)["part.system"] == ("removed", [], "structural")
    (repo / "new.py").write_text(APP.replace("kind", "brief").replace("Hello", "Hel lo"))
    assert verdicts(repo)["greet.system"][0] == "removed"
    (repo / "new.py").write_text(APP.replace("Be kind.", "Be\\n kind."))
    assert verdicts(repo)["greet.system"] == ("changed", ["formatting-only", "file-renamed"], "structural")


def record(line: int, text: str, *, file: str = "a.py", name: str = "f", dynamic: bool = False) -> PromptRecord:
    place = (file, line, "openai", "chat.completions.create", "user", 0, name)
    return PromptRecord(*place, text, dynamic, f"print of {text}", f"words of {text}")


def test_the_nearest_line_is_meant_and_a_choice_is_called_ambiguous() -> None:
    old = [record(10, "a"), record(20, "b")]
    found, added = match_records(old, [record(12, "A"), record(22, "B"), record(90, "C")])
    assert [(verdict.live and verdict.live.line, verdict.confidence) for verdict in found] == [
        (12, "ambiguous"),
        (22, "ambiguous"),
    ]
    assert [new.text for new in added] == ["C"]


def test_of_equal_texts_the_one_at_its_own_place_is_meant() -> None:
    old = [record(1, "a", file="b.py"), record(1, "a", file="a.py")]
    found, added = match_records(old, [record(9, "a", file="a.py")])
    assert [(verdict.baseline and verdict.baseline.file_path, verdict.status) for verdict in found] == [
        ("b.py", "removed"),
        ("a.py", "unchanged"),
    ]
    assert not added


def test_prompts_without_loose_fingerprints_are_not_taken_for_each_other() -> None:
    old = replace(record(1, "a", file="old.py"), loose_fingerprint="")
    new = replace(record(1, "b", file="new.py"), loose_fingerprint="")
    assert [verdict.status for verdict in match_records([old], [new])[0]] == ["removed"]


RECORDS = st.lists(
    st.builds(
        record,
        st.integers(1, 30),
        st.sampled_from("abc"),
        file=st.sampled_from(["a.py", "b.py"]),
        name=st.sampled_from("fg"),
        dynamic=st.booleans(),
    ),
    max_size=12,
)


@given(RECORDS, RECORDS)
def test_every_prompt_has_one_verdict_and_no_prompt_is_taken_twice(
    old: list[PromptRecord], new: list[PromptRecord]
) -> None:
    found, added = match_records(old, new)
    assert [verdict.baseline for verdict in found] == old
    taken = [verdict.live for verdict in found if verdict.live is not None]
    assert sorted(map(repr, [*taken, *added])) == sorted(map(repr, new))
    for verdict in found:
        dynamic = any(side.is_dynamic for side in (verdict.baseline, verdict.live) if side is not None)
        assert not (dynamic and verdict.status in ("unchanged", "changed"))
        if verdict.status == "unchanged" and verdict.baseline and verdict.live:
            assert verdict.baseline.fingerprint == verdict.live.fingerprint


@given(RECORDS)
def test_what_did_not_change_is_unchanged(records: list[PromptRecord]) -> None:
    found, added = match_records(records, records)
    assert not added
    assert {verdict.status for verdict in found} <= {"unchanged", "unknown"}
    assert not any("moved" in verdict.labels for verdict in found)


@given(RECORDS, RECORDS)
def test_few_prompts_say_of_a_case_what_all_of_them_say(stamped: list[PromptRecord], live: list[PromptRecord]) -> None:
    alike = Alike(live)
    for target in map(target_from_record, stamped):
        assert match_target(target, alike.of(target)) == match_target(target, live)


TARGETS = {
    "external": ({"source": "external"}, ("unverifiable", [])),
    "runtime": ({"source": "runtime", "fingerprint": "print of a"}, ("unverifiable", ["runtime"])),
    "dynamic": ({"is_dynamic": True}, ("unknown", ["dynamic"])),
    "text": ({"fingerprint": "print of a"}, ("unchanged", ["moved"])),
    "gone": ({"fingerprint": "print of z"}, ("removed", [])),
    "rubbish": ({"fingerprint": [1], "anchor": "here", "loose_fingerprint": {}}, ("removed", [])),
    "unreadable file": ({"anchor": {"file_path": "bad.py", "line": "x"}}, ("unknown", ["unscannable"])),
}


@pytest.mark.parametrize("name", TARGETS)
def test_what_became_of_a_case_s_prompt(name: str) -> None:
    target, expected = TARGETS[name]
    assert match_target(target, [record(1, "a")], {"bad.py"}) == expected


def test_a_report_knows_the_cases_of_a_changed_prompt(repo: Path) -> None:
    cases = repo / "seed_cases.jsonl"
    rows = [{"input": "a"}, {"input": "b", "tags": ["kind"]}, {"metadata": {"_provenance": {"schema_version": 7}}}]
    cases.write_text("\n".join([*map(json.dumps, rows), "{oops", "[1]"]))
    target = target_from_record(resolve_site_spec(scan(repo), "app.py::greet.system"))
    stamp_jsonl(cases, [target], indices=[1], repo=repo)
    (repo / "app.py").write_text(APP.replace("kind", "brief"))
    report = check_prompts(repo, fail_on=["changed"])
    assert report.case_stats() == {
        "total": 5,
        "stamped": 1,
        "bound": 1,
        "unstamped": 1,
        "unreadable": 3,
        "restamped_no_evidence": 0,
    }
    assert [case.rollup for case in report.case_verdicts] == [None, "changed", None, None, None]
    changed = next(verdict for verdict in report.verdicts if verdict.status == "changed")
    assert [case["index"] for case in changed.bound_cases] == [1]
    assert report.coverage() == (1, 2)
    assert report.exit_code == 1
    assert f"{cases}#1" in render_text(report)
    assert check_prompts(repo, case_files=[]).case_stats()["total"] == 0
    with pytest.raises(ProvenanceError, match="cannot read"):
        check_prompts(repo, case_files=[repo / "no.jsonl"])


def test_a_case_stamped_again_is_told_apart_by_its_evidence(repo: Path) -> None:
    cases = repo / "cases.jsonl"
    cases.write_text('{"input": "a"}\n{"input": "b"}\n')
    targets = [target_from_record(one) for one in scan(repo)[:2]]
    stamp_jsonl(cases, targets[:1], select_all=True, repo=repo, _now="2026-01-01T00:00:00Z")
    stamp_jsonl(cases, targets, indices=[0], repo=repo, _now="2026-01-02T00:00:00Z")
    stamp_jsonl(cases, targets, indices=[1], repo=repo, _now="2026-01-02T00:00:00Z", evidence={"report": "r.json"})
    report = check_prompts(repo, case_files=[cases])
    assert [bool(case.notes) for case in report.case_verdicts] == [True, False]
    assert report.case_stats()["restamped_no_evidence"] == 1


def test_cases_of_a_suite_in_python(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    about = stamp(["app.py::greet.user#0"], repo)
    rows = [{"input": "row", "metadata": about}, Case("record", "c", fields=about), {"input": "bare"}]
    suite = EvalSuite("greetings").add_cases([EvalCase("a", metadata=about), EvalCase("b"), *rows])
    module = type(sys)("greetings_of_a_test")
    vars(module).update(suite=suite, make=lambda: suite)
    monkeypatch.setitem(sys.modules, module.__name__, module)
    for name in ("suite", "make"):
        report = check_prompts(repo, case_files=[], suite=f"{module.__name__}:{name}")
        assert [(case.status, case.rollup) for case in report.case_verdicts] == [
            ("bound", "unchanged"),
            ("unstamped", None),
            ("bound", "unchanged"),
            ("bound", "unchanged"),
            ("unstamped", None),
        ]
    for spec in ("greetings_of_a_test", ":suite", f"{module.__name__}:gone", "no_such_module_at_all:suite"):
        with pytest.raises(ConfigurationError, match="no suite at"):
            check_prompts(repo, suite=spec)


def test_cases_of_a_suite_file(repo: Path) -> None:
    cases = [{"input": "q", "metadata": stamp(["app.py::greet.system"], repo)}]
    (repo / "a.suite.json").write_text(json.dumps({"name": "a", "evaluators": ["not_empty"], "cases": cases}))
    report = check_prompts(repo, case_files=[], suite=str(repo / "a.suite.json"))
    assert [(case.status, case.rollup) for case in report.case_verdicts] == [("bound", "unchanged")]


def test_a_check_fails_on_what_it_knows_alone(repo: Path) -> None:
    with pytest.raises(ConfigurationError, match="got moved"):
        check_prompts(repo, fail_on=["changed", "moved"])


def test_a_file_that_an_approval_could_not_read_is_named(repo: Path) -> None:
    (repo / "bad.py").write_text("def")
    assert write_baseline(repo)[1] == ["not scanned: bad.py: syntax error: line 1: invalid syntax"]


def test_a_baseline_says_what_it_replaces_and_a_trial_writes_nothing(repo: Path) -> None:
    place = repo / DEFAULT_BASELINE_NAME
    before = place.read_bytes()
    (repo / "app.py").write_text(
        APP.replace("kind", "brief").replace('"Hello"', "hello()") + "c.messages.create(system='')\n"
    )
    made, lines = write_baseline(repo, dry_run=True)
    assert place.read_bytes() == before
    assert [line.partition(":")[0] for line in lines] == ["changed", "unknown [became-dynamic]", "added"]
    assert len(made.records) == 4
    write_baseline(repo)
    assert [record.fingerprint for record in load_baseline(place).records] == [one.fingerprint for one in made.records]
    assert "Be brief." not in place.read_text()
    assert write_baseline(repo)[1] == []


BASELINES = {
    "no JSON": b"{",
    "no object": b"[]",
    "no version": b"{}",
    "a version that is none": b'{"schema_version": true}',
    "a later version": b'{"schema_version": 2}',
    "records that are none": b'{"schema_version": 1, "records": [{}]}',
    "records of other types": b'{"schema_version": 1, "records": 7}',
    "a record with numbers for texts": b'{"schema_version": 1, "records": ["a"]}',
    "runtime records without a place": b'{"schema_version": 1, "runtime_records": [{"anchor": []}]}',
    "a scanner that is none": b'{"schema_version": 1, "scanner_version": "x"}',
    "git that is none": b'{"schema_version": 1, "git": 5}',
    "nesting": b"[" * 100_000,
    "not UTF-8": b"\xff",
}


@pytest.mark.parametrize("name", BASELINES)
def test_a_baseline_that_cannot_be_read_is_a_warning_and_can_be_replaced(name: str, repo: Path) -> None:
    place = repo / DEFAULT_BASELINE_NAME
    place.write_bytes(BASELINES[name])
    with pytest.raises(BaselineError):
        load_baseline(place)
    report = check_prompts(repo)
    assert (report.baseline, report.no_baseline, report.exit_code) == (None, False, 2)
    assert report.baseline_warning in json.loads(render_json(report))["warnings"]
    assert "unread" in write_baseline(repo)[1][0]
    assert check_prompts(repo).exit_code == 0


def test_a_pipe_and_a_link_to_nothing_hold_no_cases(repo: Path) -> None:
    os.mkfifo(repo / "pipe_cases.jsonl")
    (repo / "gone_cases.jsonl").symlink_to("nowhere")
    (repo / "cases.jsonl").write_text('{"input": "q"}\n')
    assert [case.file for case in check_prompts(repo).case_verdicts] == [str(repo / "cases.jsonl")]


def test_without_a_baseline_nothing_is_called_added(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text(APP)
    report = check_prompts(tmp_path)
    assert (report.no_baseline, report.added, report.exit_code) == (True, [], 2)
    with pytest.raises(BaselineError, match="cannot read"):
        load_baseline(tmp_path / DEFAULT_BASELINE_NAME)


def test_folders_passed_over_are_kept_with_the_baseline(repo: Path) -> None:
    (repo / "tests").mkdir()
    (repo / "tests" / "a.py").write_text("c.messages.create(system='s')")
    assert "tests" in scan_repo(repo)[1]
    report = check_prompts(repo, include_tests=True)
    assert [record.file_path for record in report.added] == ["tests/a.py"]
    assert "passed over" in (report.ignore_warning or "")
    assert report.ignore_warning in json.loads(render_json(report))["warnings"]
    assert check_prompts(repo).ignore_warning is None


def test_pages_hold_hostile_names(tmp_path: Path) -> None:
    name = "a|b\x1b[31m`<img>`\u202e.py"
    (tmp_path / name).write_text("c.messages.create(system='s', messages=[{'role': '|\\ud800<b>', 'content': 'x'}])\n")
    (tmp_path / "\udcff.py").write_text("c.messages.create(system='s')\n")
    write_baseline(tmp_path)
    load_baseline(tmp_path / DEFAULT_BASELINE_NAME)
    (tmp_path / name).write_text("c.messages.create(system='t')\n")
    (tmp_path / "\udcff.py").unlink()
    report = check_prompts(tmp_path)
    assert report.counts()["removed"] == 2
    text, page = render_text(report), render_markdown(report)
    for shown in (text, page):
        assert not {"\x1b", "\u202e"} & set(shown)
        shown.encode()
    rows = [line for line in page.splitlines() if line.startswith("| **")]
    assert all(len(row.replace("\\|", "").split("|")) == 6 for row in rows)
    assert json.loads(render_json(report))["summary"]["removed"] == 2


def test_pages_tell_the_same_numbers(repo: Path) -> None:
    (repo / "app.py").write_text(APP.replace("kind", "brief") + "c.messages.create(system='new')\n")
    (repo / "bad.py").write_text("def")
    report = check_prompts(repo, fail_on=["added"])
    told = json.loads(render_json(report))
    assert told["determinacy"] == {"call_sites": 4, "static": 3, "dynamic": 1, "observed_runtime": 0}
    assert {name: told["summary"][name] for name in ("changed", "added", "unknown_dynamic")} == {
        "changed": 1,
        "added": 1,
        "unknown_dynamic": 1,
    }
    assert told["skipped_files"][0]["path"] == "bad.py"
    assert told["exit_code"] == report.exit_code == 1
    text, page = render_text(report), render_markdown(report)
    assert all(
        words in text for words in ("CHANGED (1)", "UNKNOWN (1)", "ADDED (1)", "bad.py: syntax error", "blind spots")
    )
    assert page.count("**changed**") == page.count("**added**") == page.count("**unknown**") == 1
