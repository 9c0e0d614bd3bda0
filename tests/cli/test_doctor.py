"""`ringtrue doctor` says of each part whether it works, is missing or is broken, and never shows a key."""

from __future__ import annotations

import ast
import json
import os
import re
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from ringtrue.cli.doctor import command
from ringtrue.cli.shared.environment import VARIABLES
from support.endpoint import EndpointServer

SOURCE = Path(__file__).parent.parent.parent / "src" / "ringtrue"


def findings(*words: str) -> tuple[int, dict[str, list[dict[str, Any]]]]:
    result = CliRunner().invoke(command, [*words, "--json"], standalone_mode=False)
    by_part: dict[str, list[dict[str, Any]]] = {}
    for finding in json.loads(result.output)["parts"]:
        by_part.setdefault(finding["part"], []).append(finding)
    return result.return_value, by_part


def test_every_part_is_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret")
    monkeypatch.setenv("RINGTRUE_DATA_DIR", str(tmp_path))
    code, parts = findings()
    assert code == 0
    assert {*parts} == {"version", "key", "endpoint", "extra", "store", "hub", "local"}
    assert parts["key"][0] == {"part": "key", "status": "ok", "detail": "OPENAI_API_KEY is set"}
    assert parts["store"][0]["status"] == "missing"
    assert "secret" not in json.dumps(parts)


def test_a_broken_part_is_exit_1(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    prices, store = tmp_path / "prices.json", tmp_path / "store.db"
    prices.write_text("[]")
    store.write_text("this is not a database, however long it may be " * 50)
    monkeypatch.setenv("RINGTRUE_PRICES", str(prices))
    monkeypatch.setenv("RINGTRUE_DATA_DIR", str(tmp_path / "nowhere"))
    code, parts = findings("--store", f"sqlite:///{store}")
    assert code == 1
    assert [parts[name][0]["status"] for name in ("prices", "store", "hub")] == ["failed"] * 3


def test_an_endpoint_is_asked_one_question() -> None:
    with EndpointServer() as server:
        code, parts = findings("--proxy", server.base_url, "-m", "tiny")
        assert code == 0
        assert "answered in" in parts["endpoint"][0]["detail"]
        assert server.asked().total() == 1


def test_an_endpoint_that_refuses_is_quoted() -> None:
    code, parts = findings("--proxy", "http://127.0.0.1:9", "-m", "tiny")
    assert code == 1
    assert parts["endpoint"][0]["status"] == "failed"
    assert "127.0.0.1:9" in parts["endpoint"][0]["detail"]


@pytest.mark.heavy
def test_a_hub_and_an_endpoint_that_stay_silent_hold_nothing_up(tmp_path: Path) -> None:
    """Both accept the connection and never answer; the parts before them are shown meanwhile."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        words = [sys.executable, "-m", "ringtrue", "doctor", "--proxy", url, "-m", "tiny"]
        done = subprocess.run(
            words, cwd=tmp_path, env={**os.environ, "HF_ENDPOINT": url}, capture_output=True, text=True, timeout=60
        )
    lines = {line.split()[1]: line for line in done.stdout.splitlines() if not line.startswith(" ")}
    assert done.returncode == 1
    assert lines["endpoint"].startswith("failed")
    assert "20 s" in lines["endpoint"]
    assert lines["hub"].startswith("missing")
    assert "timed out" in lines["hub"]


def test_the_table_names_every_variable_that_is_read() -> None:
    name = re.compile(r"(?:OPENAI|AZURE|RINGTRUE|HF)_[A-Z_]+")
    in_code = {
        node.value
        for path in SOURCE.rglob("*.py")
        if path.name != "environment.py"
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and name.fullmatch(node.value)
    }
    assert in_code - {"RINGTRUE_COMPLETE", "RINGTRUE_PROOF"} == {*VARIABLES} - {"NO_COLOR"}
