"""`ringtrue calibrate` as a user meets it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ringtrue.cli import invoke, main


def test_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert invoke(["calibrate", "nq@sample", "-e", "answer_quality"]) == 0
    said = capsys.readouterr().out
    assert "answer_quality against human_says_correct: 200 labelled rows, 152 yes, 48 no" in said
    lines = {line.split()[0]: line.split()[1:] for line in said.splitlines() if line.strip()}
    assert lines["agreement"][:3] == ["0.36", "0.30–0.43", "0.91"]
    assert len(lines["kappa"]) == 4
    assert "Recommended threshold: 0.01. Agreement on rows it was not chosen on: 0.365 before, 0.905 after." in said
    assert {"auc", "sensitivity", "specificity", "youden"} <= set(lines)


def test_corrected_means(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "labels.jsonl"
    rows = [{"judge": number % 5 / 4, "human_label": number % 2 if number % 3 else None} for number in range(120)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert invoke(["calibrate", str(path), "--score-field", "judge"]) == 0
    said = capsys.readouterr().out
    assert "labels alone                   80   0.50" in said
    assert "judge, corrected by labels    120" in said
    assert "No threshold is recommended: nothing shows that these scores tell right from wrong" in said


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert invoke(["calibrate", "nq@sample", "-e", "answer_quality", "--part", "contains", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    one = said["evaluators"]["answer_quality"]
    assert one["counts"] == {"true_positives": 122, "false_positives": 1, "false_negatives": 30, "true_negatives": 47}
    assert one["cutoff"]["threshold"] == 0.5
    assert one["metrics"]["precision"]["n"] == 123
    assert said["signatures"]["answer_quality"]


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["--fail-under", "0.3"], 0, ""),
        (
            ["--fail-under", "kappa=0.6"],
            1,
            "gate failed: kappa of answer_quality is 0.09 over 200 rows; the floor is 0.60",
        ),
        (["--fail-under", "luck=0.6"], 64, "no part 'luck'"),
        (["--fail-under", "mean_absolute_error=0.6"], 64, "no part"),
        (["--label", "nothing"], 64, "--label FIELD"),
        (["--label", "system"], 64, "--positive VALUE"),
        (["--label", "system", "--positive", "gpt35"], 0, ""),
        (["--map", "response"], 64, "--map"),
    ],
)
def test_exit_codes(words: list[str], code: int, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["calibrate", "nq@sample", "-e", "answer_quality", *words])
    assert ended.value.code == code
    assert message in capsys.readouterr().err


def test_broken_rows_and_the_error_budget(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "labels.jsonl"
    path.write_text('{"response": "a", "label": 1}\nnot json\n')
    assert invoke(["calibrate", str(path), "-e", "not_empty"]) == 0
    assert invoke(["calibrate", str(path), "-e", "not_empty", "--max-errors", "0"]) == 3
    path.write_text('{"response": "a", "label": 1}\n')
    assert invoke(["calibrate", str(path), "-e", "exact_match"]) == 3
    said = capsys.readouterr()
    assert "broken and left out: 1" in said.out
    assert "no labelled row could be scored" in said.err


def reviewed(path: Path) -> str:
    rows = [{"doc": doc, "judge": doc % 4 / 4, "human_label": doc % 4 > 1} for doc in range(8) for _ in range(2)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


def test_rows_of_one_source_stay_together(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = ["calibrate", reviewed(tmp_path / "r.jsonl"), "--score-field", "judge", "--source"]
    assert invoke([*given, "doc"]) == 0
    doubt = "Doubt: the 16 labelled rows come from 8 sources, and the intervals above count rows."
    assert doubt in capsys.readouterr().out
    with pytest.raises(SystemExit) as ended:
        main([*given, "dok"])
    assert ended.value.code == 64
    assert "source: no row has dok" in capsys.readouterr().err
