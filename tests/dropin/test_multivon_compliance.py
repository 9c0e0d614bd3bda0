"""Runs in a log that shows what was changed, and which controls of a framework their checks show."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from html.parser import HTMLParser
from importlib.metadata import PathDistribution as Distribution
from pathlib import Path
from typing import Any

import pytest
from multivon_eval import (
    ComplianceError,
    ComplianceReporter,
    EvalCase,
    EvalReport,
    EvalSuite,
    ExactMatch,
    NotEmpty,
    PIIEvaluator,
    build_audit_package,
    github_actions_anchor,
    render_compliance_html,
)
from multivon_eval.compliance import provenance


def suite(name: str = "my suite") -> EvalSuite:
    cases = [EvalCase("q1", "a"), EvalCase("<script>q2</script>", "b", tags=["t"])]
    return EvalSuite(name, model_id="m").add_cases(cases).add_evaluators(NotEmpty(), ExactMatch(), PIIEvaluator())


def run(name: str = "my suite") -> EvalReport:
    return suite(name).run(lambda question: "a", verbose=False)


def reporter(folder: Path, **settings: Any) -> ComplianceReporter:
    return ComplianceReporter(folder, **{"framework": "eu-ai-act", "verbose": False, **settings})


def records(folder: Path, name: str = "my_suite") -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / f"{name}.audit.ndjson").read_text().splitlines()]


def test_a_run_is_one_record_with_what_it_was_made_by(tmp_path: Path) -> None:
    name = reporter(tmp_path).record(run(), {"release": "7"})
    (record,) = records(tmp_path)
    assert (record["record_id"], record["record_type"], record["framework"]) == (name, "summary", "eu-ai-act")
    assert (record["summary"]["total"], record["summary"]["passed"], record["summary"]["tags"]) == (
        2,
        1,
        {"release": "7"},
    )
    checks = {check["evaluator"]: check for check in record["evaluator_results"]}
    assert checks["exact_match"]["pass_rate"] == 0.5
    assert checks["pii_detection"]["controls"] == [{"id": "Art. 10(5)", "description": "Personal data"}]
    assert record["provenance"]["suite_lock"]["suite_name"] == "my suite"
    assert set(record["provenance"]["host"]) == {"python", "platform", "machine"}
    assert (tmp_path / "my_suite.audit.sha256").read_text().startswith(record["record_hash"])


def test_every_case_is_a_record_of_its_own_where_that_is_wanted(tmp_path: Path) -> None:
    tips: list[str] = []
    names = reporter(tmp_path, anchor_fn=tips.append).record(run(), mode="case")
    found = records(tmp_path)
    assert [record["record_id"] for record in found] == names
    assert [(record["case"]["input"], record["case"]["passed"]) for record in found] == [
        ("q1", True),
        ("<script>q2</script>", False),
    ]
    assert found[1]["prev_hash"] == found[0]["record_hash"]
    assert tips == [found[1]["record_hash"]]


@pytest.mark.parametrize("change", ["edit", "delete", "garble"])
def test_a_log_that_was_changed_is_found_out(tmp_path: Path, change: str, capsys: pytest.CaptureFixture[str]) -> None:
    kept = reporter(tmp_path, verbose=True)
    for _ in range(3):
        kept.record(run())
    assert kept.verify("my suite")
    path = tmp_path / "my_suite.audit.ndjson"
    lines = path.read_text().splitlines()
    other = {"edit": [lines[0], lines[1].replace('"passed":1', '"passed":2'), lines[2]],
             "delete": [lines[0], lines[2]], "garble": [lines[0], "{", lines[2]]}[change]  # fmt: skip
    path.write_text("\n".join(other) + "\n")
    capsys.readouterr()
    assert not kept.verify("my suite")
    words = {"edit": "TAMPERED", "delete": "CHAIN BROKEN", "garble": "UNREADABLE"}[change]
    assert words in capsys.readouterr().out
    assert "FAIL: the log is not whole" in render_compliance_html(kept, run())


def test_where_there_is_no_log_nothing_is_verified(tmp_path: Path) -> None:
    assert not reporter(tmp_path).verify("none")


def test_a_name_of_a_suite_is_no_path(tmp_path: Path) -> None:
    kept = reporter(tmp_path / "logs")
    kept.record(run("../evil"))
    assert [path.name for path in tmp_path.iterdir()] == ["logs"]
    assert kept.verify("../evil")


def test_a_wrong_call_says_so(tmp_path: Path) -> None:
    def down(tip: str) -> None:
        raise RuntimeError("no ledger")

    with pytest.raises(ComplianceError, match="framework is one of eu-ai-act, nist-ai-rmf, hipaa, none; got 'eu'"):
        reporter(tmp_path, framework="eu")
    with pytest.raises(ComplianceError, match="mode is"):
        reporter(tmp_path).record(run(), mode="all")
    with pytest.raises(ComplianceError, match="anchor_fn failed: no ledger"):
        reporter(tmp_path, anchor_fn=down).record(run())
    assert len(records(tmp_path)) == 1


def test_coverage_tells_what_is_missing(tmp_path: Path) -> None:
    found = reporter(tmp_path).coverage(suite().add_evaluator(_Own()))
    assert found.covered == {"art_15_2": ["not_empty", "exact_match"], "art_10_5": ["pii_detection"]}
    assert [control.id for control in found.missing] == ["Art. 9(2)(b)", "Art. 10(2)(f-g)", "Art. 15(1)"]
    assert (len(found.process), found.unmapped_evaluators) == (5, ["own"])
    assert "Coverage: 2/5" in str(found)
    assert json.loads(json.dumps(found.to_dict()))["missing"][0]["id"] == "Art. 9(2)(b)"
    assert not reporter(tmp_path).coverage(EvalSuite.eu_ai_act_high_risk()).missing


class _Own(NotEmpty):
    def __init__(self) -> None:
        super().__init__(name="own")


def test_the_page_has_everything_and_text_stays_text(tmp_path: Path) -> None:
    kept, report = reporter(tmp_path), run()
    kept.record(report, mode="case")
    page = render_compliance_html(kept, report, suite=suite())
    for words in ("Run summary", "Regulatory coverage", "Audit log integrity", "PASS", "Per-case detail", "Evaluators"):
        assert words in page
    assert "<script>q2" not in page
    assert "Regulatory coverage" not in render_compliance_html(kept, report)
    HTMLParser().feed(page)


def test_the_last_hash_is_an_output_of_the_workflow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GITHUB_OUTPUT", raising=False)
    github_actions_anchor("abc")
    monkeypatch.setenv("GITHUB_OUTPUT", str(tmp_path / "out"))
    github_actions_anchor("abc")
    assert (tmp_path / "out").read_text() == "multivon_audit_tip=abc\n"


def unpacked(folder: Path, **settings: Any) -> Path:
    kept = reporter(folder / "logs")
    kept.record(run())
    kept.record(run(), mode="case")
    about = {"logs_dir": folder / "logs", "suite_name": "my suite", "framework": "eu-ai-act"}
    path = build_audit_package(**about, out_path=folder / "deep" / "p.zip", period_label="2026 Q2", **settings)
    with zipfile.ZipFile(path) as package:
        package.extractall(folder)
    return folder / "compliance-evidence-2026_Q2"


def verified(folder: Path) -> tuple[int, str]:
    done = subprocess.run([sys.executable, "verify.py"], cwd=folder, capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout


def test_a_package_can_be_checked_without_the_library(tmp_path: Path) -> None:
    inside = unpacked(tmp_path, extra_files={"letters/cover.txt": b"signed"})
    manifest = json.loads((inside / "manifest.json").read_text())
    assert (manifest["records"], manifest["framework"], len(manifest["files"])) == (3, "eu-ai-act", 6)
    assert "| Art. 10(5) | Personal data | pii_detection |" in (inside / "coverage_report.md").read_text()
    assert manifest["chain_tip"] in (inside / "README.md").read_text()
    assert verified(inside) == (0, "VERIFICATION PASSED\n")


def test_the_commit_is_the_one_that_was_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str | None] = [
        '{"url": "x", "vcs_info": {"vcs": "git", "commit_id": "abc"}}',
        '{"url": "file:///x"}',
        None,
    ]
    for text, commit in zip(told, ("abc", None, None), strict=True):
        monkeypatch.setattr(Distribution, "read_text", lambda self, name, text=text: text)
        found = provenance(EvalReport("s", []))
        assert found.get("package_git_sha") == commit


def packed(folder: Path, *locks: dict[str, Any] | None) -> dict[str, Any]:
    """The manifest of a package of a log whose records hold these locks, with the table of thresholds in it."""
    folder.mkdir(exist_ok=True)
    lines = [json.dumps({"record_hash": "", "provenance": {"suite_lock": lock}}) for lock in locks]
    (folder / "s.audit.ndjson").write_text("".join(f"{line}\n" for line in lines))
    path = build_audit_package(logs_dir=folder, suite_name="s", framework="hipaa", out_path=folder / "p.zip")
    with zipfile.ZipFile(path) as package:
        (name,) = [name for name in package.namelist() if "/calibration_" in name]
        (told,) = [name for name in package.namelist() if name.endswith("manifest.json")]
        manifest: dict[str, Any] = json.loads(package.read(told))
        return {**manifest, "table": (name.partition("/")[2], json.loads(package.read(name)))}


def test_a_package_holds_the_thresholds_that_its_log_was_made_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check = {"name": "faithfulness", "calibration": {"version": "v2"}}
    for locks, label, source in (
        ([{"calibration_version": "v1", "evaluators": [check]}], "v1", "logged"),
        ([None, {"evaluators": [{"calibration": None}, check]}], "v2", "logged"),
        ([None, {}], "v2", "default"),
        ([], "v2", "default"),
    ):
        found = packed(tmp_path / "logs", *locks)
        assert (found["calibration_version"], found["calibration_source"]) == (label, source)
        assert (found["table"][0], found["table"][1]["version_label"]) == (f"calibration_{label}.json", label)
    with pytest.raises(FileNotFoundError, match="not shipped"):
        packed(tmp_path / "logs", {"calibration_version": "mine"})
    own = {"version_label": "mine", "entries": []}
    (tmp_path / "own.json").write_text(json.dumps(own))
    monkeypatch.setenv("MULTIVON_CALIBRATION_FILE", str(tmp_path / "own.json"))
    assert packed(tmp_path / "logs", {"calibration_version": "mine"})["table"] == ("calibration_mine.json", own)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda lines: [lines[0].replace('"passed":1', '"passed":2'), *lines[1:]], "record 1 was changed"),
        (lambda lines: lines[1:], "a record before record 1 is missing"),
        (lambda lines: ["{", *lines], "record 1 cannot be read"),
    ],
    ids=["changed", "missing", "unreadable"],
)
def test_a_package_that_was_changed_fails(tmp_path: Path, change: Any, words: str) -> None:
    log = unpacked(tmp_path) / "audit_log.ndjson"
    log.write_text("\n".join(change(log.read_text().splitlines())) + "\n")
    code, said = verified(log.parent)
    assert (code, words in said, "audit_log.ndjson was changed" in said) == (1, True, True)
    log.unlink()
    (log.parent / "coverage_report.md").unlink()
    assert "FAIL: audit_log.ndjson is missing\n" in verified(log.parent)[1]


@pytest.mark.parametrize("name", ["manifest.json", "verify.py", "/etc/passwd", "../evil", "a\\b"])
def test_a_file_that_would_take_anothers_place_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match="extra_files"):
        unpacked(tmp_path, extra_files={name: b"x"})


def test_no_log_no_package(tmp_path: Path) -> None:
    about: dict[str, Any] = {"suite_name": "none", "out_path": tmp_path / "p.zip", "logs_dir": tmp_path / "none"}
    with pytest.raises(FileNotFoundError, match="no log of the suite 'none'"):
        build_audit_package(framework="hipaa", **about)
    with pytest.raises(ComplianceError, match="framework is one of"):
        build_audit_package(framework="eu", **about)
    assert not list(tmp_path.iterdir())
