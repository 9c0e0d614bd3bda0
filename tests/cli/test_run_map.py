"""`ringtrue run --map`: rows whose fields have names of their own."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from ringtrue.cli import invoke
from ringtrue.errors import ConfigurationError

ROW = {
    "Problem": "Half of nine?",
    "Solution": "4.5",
    "key": "k1",
    "question": "another one",
    "answer": "no",
    "meta": {"gold": ["4.5"]},
}


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("rows.jsonl").write_text(json.dumps(ROW) + "\n")


def run(*more: str) -> int:
    return invoke(["run", "-d", "rows.jsonl", "-s", "command:sed s/.*nine./4.5/", "-q", "-o", "out.jsonl", *more])


@pytest.mark.parametrize("gold", ["Solution", "meta.gold.0", "meta.gold.-1"])
def test_a_mapped_field_is_asked_and_expected_whatever_else_a_row_has(
    gold: str, capsys: pytest.CaptureFixture[str]
) -> None:
    maps = ["--map", "input=Problem", "--map", f"expected={gold}", "--map", "id=key"]
    assert run(*maps, "--headline", "exact_match", "--fail-under", "1") == 0
    assert capsys.readouterr().out == ""
    row = json.loads(Path("out.jsonl").read_text())
    assert (row["id"], row["scores"]["answer_quality"]["parts"]["exact_match"]) == ("k1", 1.0)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("input=prompt", "--map input=prompt: a row has no field 'prompt'; it has Problem, Solution, key"),
        (
            "input=Problem.0",
            "a row has no field 'Problem.0'; it has Problem, Solution, key, question, answer, meta; 'Problem' is text",
        ),
        (
            "Problem=input",
            "names the field of response, expected, input, context, id, latency; got 'Problem'",
        ),
        ("input", "--map 'input': write MEANING=FIELD"),
    ],
    ids=["no such field", "a path into text", "the wrong way round", "half"],
)
def test_a_wrong_map_is_said_before_anybody_is_asked(given: str, message: str) -> None:
    with pytest.raises(ConfigurationError, match=re.escape(message)):
        run("--map", given)
