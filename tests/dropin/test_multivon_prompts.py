"""What multivon-eval calls attribution, staleness, provenance and recorder is ringtrue's, in multivon-eval's words."""

from __future__ import annotations

import subprocess
import sys
import types
from pathlib import Path
from typing import Any

import pytest
from multivon_eval import (
    EvalCase,
    EvalSuite,
    NotEmpty,
    PromptRecorder,
    build_staleness_report,
    load_recordings,
    record_prompts,
    stamp_provenance,
    write_baseline,
)
from multivon_eval.attribution import ast_extractor, diff, fingerprint, render, schema
from multivon_eval.provenance import atomic_write_text
from multivon_eval.staleness import render_json, render_markdown, render_text
from ringtrue.prompts.fingerprint import fingerprint_text

APP = """
import litellm
def ask(text):
    return litellm.completion(model="m", messages=[{"role": "user", "content": text}])
async def wait(text):
    return await litellm.acompletion(model="m", messages=[{"role": "user", "content": text}])
"""
LITELLM = "def completion(**given): return 'a'\nasync def acompletion(**given): return 'a'\n"


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The functions of a program that asks litellm."""
    module = types.ModuleType("litellm")
    exec(LITELLM, vars(module))
    monkeypatch.setitem(sys.modules, "litellm", module)
    path = tmp_path / "app.py"
    path.write_text(APP)
    space: dict[str, Any] = {}
    exec(compile(APP, str(path), "exec"), space)
    return space


def test_the_modules_of_attribution_are_there(tmp_path: Path, app: dict[str, Any]) -> None:
    records = ast_extractor.scan(tmp_path)
    assert [(type(record), record.role) for record in records] == [(schema.PromptRecord, "user")] * 2
    assert render.render_markdown(diff.diff_records(records, records)).endswith("No prompt changes.\n")
    assert fingerprint.fingerprint_text("a") == fingerprint_text("a")


def test_pages_name_the_commands_of_multivon_eval(tmp_path: Path, app: dict[str, Any]) -> None:
    for page in (render_text, render_markdown, render_json):
        told = page(build_staleness_report(tmp_path))
        assert "multivon-eval staleness baseline" in told
        assert "ringtrue" not in told
    write_baseline(tmp_path)
    assert "multivon-eval staleness stamp" in render_text(build_staleness_report(tmp_path))


def test_stamped_cases_of_a_suite_are_recorded_under_their_ids(tmp_path: Path, app: dict[str, Any]) -> None:
    suite = EvalSuite("s").add_evaluators(NotEmpty())
    suite.add_cases([EvalCase(uid, metadata=stamp_provenance(repo=tmp_path, case_uid=uid)) for uid in "ab"])
    suite.add_case(EvalCase("none"))
    with record_prompts(tmp_path) as recorder:
        assert hasattr(sys.modules["litellm"].completion, "__multivon_recorder__")
        for function in (app["ask"], app["wait"], lambda text: app["wait"](text)):
            suite.run(function, verbose=False)
    assert isinstance(recorder, PromptRecorder)
    assert {(one["fingerprint"], *one["case_uids"]) for one in load_recordings(recorder.out_path)} == {
        (fingerprint_text("a"), "a"),
        (fingerprint_text("b"), "b"),
        (fingerprint_text("none"),),
    }


def test_tests_record_texts_on_request(tmp_path: Path) -> None:
    files = {
        "litellm.py": LITELLM,
        "pytest.ini": "[pytest]\n",
        "app.py": APP,
        "test_it.py": "from app import ask\ndef test_one(): assert ask('one')\n",
    }
    for name, text in files.items():
        atomic_write_text(tmp_path / name, text)
    plugin = ["-p", "no:multivon_eval", "-p", "multivon_eval.pytest_plugin", "-p", "no:cacheprovider"]
    command = [sys.executable, "-m", "pytest", "-q", *plugin, "--record-prompts", "--record-text", "test_it.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert "recorded 1 prompt(s)" in done.stdout, done.stdout + done.stderr
    (found,) = load_recordings(tmp_path / "prompt_recordings.jsonl")
    assert (found["text"], found["case_uids"]) == ("one", ["test_it.py::test_one"])
