"""`examples/compression` as its README describes it: on the endpoint that it brings, and on the embedded model."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.command import ringtrue

EXAMPLE = Path(__file__).parents[1] / "examples" / "compression"
SYSTEMS = ("-s", "identity", "-s", "truncate:1k", "-s", f"{EXAMPLE / 'compressors.py'}:keep_relevant")


@pytest.fixture
def address() -> Iterator[str]:
    with subprocess.Popen([sys.executable, str(EXAMPLE / "endpoint.py")], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        process.terminate()


def summaries(done: Any) -> dict[str, dict[str, Any]]:
    (found,) = json.loads(done.stdout)["summaries"].values()
    return dict(found)


def test_the_compressor_keeps_quality_for_a_quarter_of_the_tokens(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    monkeypatch.setenv("RINGTRUE_PRICES", str(EXAMPLE / "prices.json"))
    words = ("run", "-d", "ruler:niah_multikey_1-4k", "-n", "12", "--proxy", address, "-m", "needle-reader")
    found = summaries(ringtrue(*words, *SYSTEMS, "--json", cwd=tmp_path))
    assert list(found) == ["identity", "truncate-1024", "keep_relevant"]
    value = {name: {key: one["value"] for key, one in numbers.items()} for name, numbers in found.items()}
    assert value["identity"]["mean_score"] == value["keep_relevant"]["mean_score"] == 1.0
    assert value["truncate-1024"]["mean_score"] < 0.8
    assert abs(value["identity"]["compression_ratio"]) < 0.01
    assert 0.6 < value["keep_relevant"]["compression_ratio"] < 0.9
    assert value["keep_relevant"]["cost_of_pass"] < value["identity"]["cost_of_pass"] / 3
    assert value["keep_relevant"]["usd_per_pass"] < value["identity"]["usd_per_pass"] / 3
    assert all(numbers["latency_median"] > 0 for numbers in value.values())
    page = ringtrue("export", "last", "--format", "html", cwd=tmp_path).stdout
    assert "Quality against tokens" in page
    assert all(f"{name}: " in page for name in found), "the picture names every system"
    shown = ringtrue("show", "last", cwd=tmp_path).stdout
    assert "Pareto front, quality against tokens: keep_relevant\n" in shown


@pytest.mark.heavy
def test_it_runs_on_the_embedded_model(tmp_path: Path) -> None:
    words = ("run", "-d", "ruler:niah_single_1-512", "-n", "1", "--proxy", "local", "--max-output-tokens", "20")
    found = summaries(ringtrue(*words, *SYSTEMS, "--json", cwd=tmp_path))
    assert list(found) == ["identity", "truncate-1024", "keep_relevant"]
    sent = {name: numbers["mean_input_tokens"]["value"] for name, numbers in found.items()}
    assert sent["keep_relevant"] < sent["identity"] == sent["truncate-1024"]
