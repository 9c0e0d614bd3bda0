"""Logs of other tools, made by running them, are RUNs: shown, compared and scored again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ringtrue.api.compare import compare
from ringtrue.api.runs import open_run, rescore
from ringtrue.cli import invoke
from ringtrue.errors import InputError

FIXTURES = Path(__file__).parent / "fixtures"
INSPECT, ARCHIVE, PROMPTFOO = (
    FIXTURES / name for name in ("inspect_ai-0.3.285.json", "inspect_ai-0.3.285.eval", "promptfoo-0.121.20.json")
)


@pytest.mark.parametrize("path", [INSPECT, ARCHIVE], ids=["json", "eval"])
def test_inspect_ai(path: Path) -> None:
    run = open_run(path)
    rows = list(run.rows)
    assert [row.trial.case.id for row in rows] == ["c1", "c2", "c3"]
    assert [row.trial.output.text for row in rows] == ["It is Paris.", "Lima", "I do not know."]
    assert rows[0].trial.case.expected == ("Paris",)
    assert (rows[0].trial.output.input_tokens, rows[0].trial.output.output_tokens) == (6, 12)
    assert [row.scores["includes"].passed for row in rows] == [True, True, False]
    assert run.summary("includes").value == pytest.approx(2 / 3)
    assert (run.made.systems[0].name, run.made.datasets[0].name) == ("mockllm/model", "capitals")


def test_promptfoo() -> None:
    run = open_run(PROMPTFOO)
    rows = list(run.rows)
    assert [row.trial.output.text for row in rows] == [
        "The capital of France is Paris.",
        "The capital of Peru is unknown.",
    ]
    assert [row.scores["promptfoo"].passed for row in rows] == [True, False]
    assert rows[1].scores["icontains"].reason == 'Expected output to contain "Lima"'
    assert rows[0].system == "echo"
    assert rows[0].trial.case.fields["country"] == "France"


def test_two_logs_are_compared(capsys: pytest.CaptureFixture[str]) -> None:
    assert compare(INSPECT, ARCHIVE).pairs[0].cases == 3
    assert invoke(["compare", str(INSPECT), str(ARCHIVE)]) == 0
    assert "3 cases paired" in capsys.readouterr().out
    assert invoke(["show", str(ARCHIVE)]) == 0
    assert "66.7" in capsys.readouterr().out


def test_a_log_is_scored_again() -> None:
    found = rescore(ARCHIVE, ["exact_match"], store=None, progress=False)
    assert found.summary("exact_match").value == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("x.json", "{}"),
        ("x.json", "["),
        ("x.json", "[" * 100_000),
        ("x.json", '{"eval": {}, "samples": [3]}'),
        ("x.json", '{"results": {"results": [{}]}}'),
        ("x.eval", "no zip"),
    ],
)
def test_what_is_no_log_is_refused(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError):
        open_run(tmp_path / name)


def test_a_broken_archive_is_refused(tmp_path: Path) -> None:
    data = bytearray(ARCHIVE.read_bytes())
    for place in range(1_000, 6_000):
        data[place] ^= 0xFF
    (tmp_path / "x.eval").write_bytes(data)
    with pytest.raises(InputError):
        open_run(tmp_path / "x.eval")


def test_a_sample_with_an_error_is_an_error(tmp_path: Path) -> None:
    log = json.loads(INSPECT.read_text())
    log["samples"][0] |= {"error": {"message": "down"}, "scores": {}}
    (tmp_path / "x.json").write_text(json.dumps(log))
    share = open_run(tmp_path / "x.json").summary("pass_rate")
    assert (share.n, share.errors) == (2, 1)
