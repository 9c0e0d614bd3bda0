"""Runs in a log that shows what was changed, and which controls of a framework their checks show."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from ringtrue import EvalCase, EvalSuite
from ringtrue.api.audit import AuditLog
from ringtrue.api.report import EvalReport
from ringtrue.cli import invoke
from ringtrue.errors import AbsentFile, ConfigurationError
from ringtrue.evaluators import ExactMatch, NotEmpty
from ringtrue.evaluators.personal_data import PersonalData
from ringtrue.evaluators.table import BUILT_IN, JUDGED
from ringtrue.reports.audit_package import audit_package
from ringtrue.reports.chained_log import ChainedLog
from ringtrue.reports.controls import CATALOGS, controls_for, coverage

FRAMEWORKS = [name for name in CATALOGS if name != "none"]


def report() -> EvalReport:
    suite = EvalSuite("capitals", model_id="m").add_cases([EvalCase("q1", "a"), EvalCase("q2", "b")])
    suite.add_evaluators(NotEmpty(), ExactMatch(), PersonalData())
    return suite.run(lambda question: "a", verbose=False, store=None)


def test_a_run_is_a_record(tmp_path: Path) -> None:
    log = AuditLog(tmp_path / "deep" / "x.ndjson", "eu-ai-act")
    tip = log.add(report(), {"release": "7"})
    (link,) = log.links()
    record = link.record
    assert (link.fault, record["record_hash"], record["suite"], record["tags"]) == (
        "", tip, "capitals", {"release": "7"},
    )  # fmt: skip
    assert (record["summary"]["total"], record["summary"]["passed"]) == (2, 1)
    checks = {check["evaluator"]: check for check in record["checks"]}
    assert (checks["exact_match"]["passed"], checks["exact_match"]["failed"]) == (1, 1)
    assert checks["personal_data"]["controls"] == [{"id": "Art. 10(5)", "description": "Personal data"}]
    assert record["engine"]["packages"]


@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_every_control_that_a_check_is_said_to_show_is_in_the_catalogue(framework: str) -> None:
    catalog = CATALOGS[framework]
    assert {key for keys in catalog.by_evaluator.values() for key in keys} == set(catalog.measurable)
    assert [control.framework for control in controls_for(framework, "personal_data")][:1] == [framework]
    assert not controls_for("none", "personal_data")


def test_every_evaluator_that_can_show_something_is_in_the_catalogues() -> None:
    """Combinations show what their members show."""
    known = {*BUILT_IN, *JUDGED} - {"all_of", "any_of", "not"}
    for framework in ("eu-ai-act", "nist-ai-rmf"):
        assert not known - CATALOGS[framework].by_evaluator.keys()


def test_coverage_tells_what_is_missing() -> None:
    found = coverage("eu-ai-act", "s", ["exact_match", "personal_data", "mine", "exact_match"])
    assert found.covered == {"art_15_2": ["exact_match"], "art_10_5": ["personal_data"]}
    assert (found.unmapped_evaluators, len(found.missing), len(found.process)) == (["mine"], 3, 5)
    assert "  [x] Art. 15(2)             Robustness: exact_match" in str(found)
    assert "| Art. 15(1) | Accuracy | no check shows it |" in found.to_markdown()
    assert json.loads(json.dumps(found.to_dict()))["missing"][0]["id"]
    with pytest.raises(ConfigurationError, match=r"framework is one of eu-ai-act, .*; got 'gdpr'"):
        coverage("gdpr", "s", [])


def unpacked(folder: Path, **settings: Any) -> Path:
    log = AuditLog(folder / "x.ndjson", "eu-ai-act")
    log.add(report())
    log.add(report())
    about = {"suite_name": "s", "framework": "eu-ai-act", "period": "2026 Q2"}
    content = {"note.txt": (b"so it is", "a note.")}
    (folder / "p.zip").write_bytes(audit_package(ChainedLog(log.path), about, content, **settings))
    with zipfile.ZipFile(folder / "p.zip") as package:
        package.extractall(folder)
    return folder / "compliance-evidence-2026_Q2"


def verified(folder: Path) -> tuple[int, str]:
    done = subprocess.run([sys.executable, "verify.py"], cwd=folder, capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout


def test_a_package_can_be_checked_with_python_alone(tmp_path: Path) -> None:
    inside = unpacked(tmp_path, extra_files={"letters/cover.txt": b"signed"})
    manifest = json.loads((inside / "manifest.json").read_text())
    assert (manifest["records"], manifest["framework"], len(manifest["files"])) == (2, "eu-ai-act", 5)
    readme = (inside / "README.md").read_text()
    assert manifest["chain_tip"] in readme
    assert "- `note.txt`: a note." in readme
    assert verified(inside) == (0, "VERIFICATION PASSED\n")


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


@pytest.mark.parametrize("name", ["manifest.json", "verify.py", "/etc/passwd", "../evil", "a\\b"])
def test_a_file_that_would_take_anothers_place_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ConfigurationError, match="extra_files"):
        unpacked(tmp_path, extra_files={name: b"x"})


def test_a_package_ends_as_its_manifest_says(tmp_path: Path) -> None:
    inside = unpacked(tmp_path)
    manifest = json.loads((inside / "manifest.json").read_text())
    (inside / "manifest.json").write_text(json.dumps(manifest | {"chain_tip": "0" * 64}))
    assert verified(inside) == (1, "FAIL: the log does not end with the hash in manifest.json\nVERIFICATION FAILED\n")
    for text in ("", "[]", '{"files": 5}'):
        (inside / "manifest.json").write_text(text)
        assert verified(inside) == (1, "FAIL: manifest.json is missing or cannot be read\nVERIFICATION FAILED\n")


@pytest.mark.parametrize(
    "line", ['{"checks": 5, "suite": {}}', '{"checks": [{"x": 1}, 5, {"evaluator": [1]}]}', '{"n": 1e999}', "[1]"]
)
def test_a_line_that_anybody_wrote_shows_nothing(tmp_path: Path, line: str) -> None:
    log = AuditLog(tmp_path / "x.ndjson", "hipaa")
    log.add(report())
    before = log.coverage()
    log.path.write_text(log.path.read_text() + line + "\n")
    assert log.coverage() == before
    if "checks" in line:
        ChainedLog(log.path).append(json.loads(line))
    assert log.coverage() == before
    log.package(tmp_path / "p.zip")
    assert zipfile.is_zipfile(tmp_path / "p.zip")


def test_checks_of_a_record_that_was_changed_are_no_evidence(tmp_path: Path) -> None:
    log = AuditLog(tmp_path / "x.ndjson", "hipaa")
    log.add(report())
    log.path.write_text(log.path.read_text().replace('"not_empty"', '"faithfulness"'))
    assert log.coverage().covered == {}


def test_text_that_no_file_can_hold(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    odd = json.loads(report().to_json()) | {"suite": "\ud800\x1b[2J"}
    for case in odd["cases"]:
        case["evaluators"][0]["name"] = "\x1b[31m|\ud800"
    log = AuditLog(tmp_path / "x.ndjson", "hipaa")
    log.add(EvalReport.from_dict(odd))
    package = tmp_path / "p.zip"
    command = ["audit", str(log.path), "--framework", "hipaa", "--package", str(package), "--period", "\udcff/x"]
    assert invoke(command) == 0
    assert "\x1b" not in capsys.readouterr().out
    with zipfile.ZipFile(package) as found:
        assert {name.split("/")[0] for name in found.namelist()} == {"compliance-evidence-__x"}


def test_a_log_that_was_cut_off_at_its_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = AuditLog(tmp_path / "x.ndjson")
    tips = [log.add(report()) for _ in range(3)]
    assert [invoke(["audit", str(log.path), "--holds", tip]) for tip in tips] == [0, 0, 0]
    log.path.write_text("".join(log.path.read_text().splitlines(keepends=True)[:2]))
    assert [invoke(["audit", str(log.path), "--holds", tip]) for tip in tips] == [0, 0, 1]
    assert "no sound record has the hash of --holds" in capsys.readouterr().err
    log.path.write_text("{\n")
    assert invoke(["audit", str(log.path)]) == 1
    assert "1 of 1" in capsys.readouterr().err
    log.path.unlink()
    assert invoke(["audit", str(log.path)]) == 2
    assert "the log has no record" in capsys.readouterr().err


def test_no_log_no_package(tmp_path: Path) -> None:
    with pytest.raises(AbsentFile, match="there is no log"):
        AuditLog(tmp_path / "none").package(tmp_path / "p.zip")


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log, saved, archive = (str(tmp_path / name) for name in ("x.ndjson", "report.json", "p.zip"))
    report().save_json(saved)
    assert invoke(["audit", log]) == 2
    assert invoke(["audit", log, "--add", saved]) == 0
    tip = capsys.readouterr().out.strip()
    assert invoke(["audit", log, "--framework", "hipaa", "--package", archive, "--period", "Q2"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("ok  ")
    assert tip in said
    assert "Coverage: " in said
    with zipfile.ZipFile(archive) as package:
        assert "compliance-evidence-Q2/verify.py" in package.namelist()
    Path(log).write_text(Path(log).read_text().replace("capitals", "capitols"))
    assert invoke(["audit", log]) == 1
    assert capsys.readouterr().out.startswith("changed  ")
