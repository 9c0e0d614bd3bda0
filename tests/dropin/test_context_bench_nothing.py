"""context-bench with nothing measured: a mean of nothing is a dash, and the reason is shown."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from context_bench.__main__ import main

from support.endpoint import EndpointServer


def test_a_mean_of_nothing_is_a_dash(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = tmp_path / "rows.jsonl"
    rows.write_text("".join(json.dumps({"id": n, "question": f"q {n}", "answer": "x"}) + "\n" for n in range(3)))
    with EndpointServer(shares={"404": 1.0}) as server, pytest.raises(SystemExit, match="3 of 3 rows have no answer"):
        main(["--proxy", server.base_url, "--dataset", str(rows)])
    shown = capsys.readouterr().out
    assert "| – | – |" in shown
    assert "0.0000" not in shown


def test_a_dead_judge_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = tmp_path / "rows.jsonl"
    rows.write_text(json.dumps({"id": 1, "question": "say [[x]]", "answer": "x"}) + "\n")
    with EndpointServer() as server, EndpointServer(shares={"404": 1.0}) as judge:
        words = ["--proxy", server.base_url, "--dataset", str(rows), "--judge-url", judge.base_url]
        with pytest.raises(SystemExit, match=r"1 of 1 scores failed; the first: .*a failure on purpose"):
            main([*words, "--score-field", "judge_score"])
    assert "| 127.0.0.1 | – | – |" in capsys.readouterr().out
