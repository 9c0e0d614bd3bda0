"""`--limit` and `--map` mean the same in `run`, `score`, `suite` and `rescore`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ringtrue.cli import main

ROWS = [
    {"id": f"r{number}", "ask": f"{number}", "gold": {"of": str(number)}, "said": f"{number}", "answer": "no"}
    for number in range(3)
]
MAPS = ["--map", "input=ask", "--map", "expected=gold.of"]
SUITE = 'system = { command = "cat" }\nevaluators = ["exact_match"]\ncases = "q.jsonl"\n'
JOBS = {
    "run": ["run", "-d", "q.jsonl", "-s", "command:cat", "-e", "exact_match"],
    "score": ["score", "q.jsonl", "-e", "exact_match", "--map", "response=said"],
    "suite": ["suite", "my.suite.toml"],
    "rescore": ["rescore", "last", "-e", "exact_match"],
}


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("q.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    Path("my.suite.toml").write_text(SUITE)


def call(*words: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main([*words, "-q"])
    assert isinstance(ended.value.code, int)
    return ended.value.code


def rows_of(job: str, *more: str) -> list[tuple[str, str, float]]:
    if job == "rescore":
        assert call("run", "-d", "q.jsonl", "-s", "command:cat", "--map", "input=ask") == 0
    code = call(*JOBS[job], *more, "-o", "rows.jsonl")
    assert code in (0, 1), code
    found = [json.loads(line) for line in Path("rows.jsonl").read_text().splitlines()]
    return [(row["id"], row["input"], row["scores"]["exact_match"]["value"]) for row in found if "id" in row]


@pytest.mark.parametrize("job", JOBS)
def test_map_reads_cases_from_other_fields(job: str) -> None:
    assert rows_of(job, *MAPS) == [("r0", "0", 1.0), ("r1", "1", 1.0), ("r2", "2", 1.0)]


@pytest.mark.parametrize("job", JOBS)
def test_limit_takes_the_first_cases(job: str) -> None:
    assert rows_of(job, *MAPS, "--limit", "2") == [("r0", "0", 1.0), ("r1", "1", 1.0)]


@pytest.mark.parametrize("job", JOBS)
def test_a_field_that_no_row_has_is_named(job: str, capsys: pytest.CaptureFixture[str]) -> None:
    if job == "rescore":
        assert call("run", "-d", "q.jsonl", "-s", "command:cat", "--map", "input=ask") == 0
    # `score` streams its rows, of which a later one may have the field: it ends with nothing measured.
    assert call(*JOBS[job], "--map", "expected=none") == (3 if job == "score" else 64)
    assert "none" in capsys.readouterr().err


def test_cases_in_the_suite_file_itself_are_mapped_too() -> None:
    Path("my.suite.toml").write_text(
        'system = { command = "cat" }\nevaluators = ["exact_match"]\n'
        '[[cases]]\nid = "a"\nquestion = "7"\nexpected_output = "8"\nmetadata = { gold = "7" }\n'
    )
    assert rows_of("suite") == [("a", "7", 0.0)]
    assert rows_of("suite", "--map", "expected=metadata.gold") == [("a", "7", 1.0)]


@pytest.mark.parametrize("job", JOBS)
def test_threshold_is_the_score_at_which_a_row_passes(job: str) -> None:
    Path("q.jsonl").write_text('{"id": "a", "ask": "red", "gold": {"of": "red fox"}, "said": "red"}\n')
    Path("my.suite.toml").write_text(SUITE.replace("exact_match", "answer_found"))
    words = [{"exact_match": "answer_found"}.get(word, word) for word in JOBS[job]]
    for more, code in ([], 0), (["--threshold", "0.5"], 0), (["--threshold", "0.6"], 1):
        if job == "rescore":
            assert call("run", "-d", "q.jsonl", "-s", "command:cat", *MAPS) == 0
        assert call(*words, *MAPS, *more, "--fail-under", "1") == code, more


@pytest.mark.parametrize("job", JOBS)
@pytest.mark.parametrize(
    ("floor", "code", "said"),
    [
        ("answer_quality.exact_match=0", 0, ""),
        ("exact_match=0", 64, "no part 'exact_match'; there are exact_match.exact_match, f1, answer_quality.exact_m"),
        ("latency_mean=0", 64, "no part 'latency_mean'; there are exact_match.exact_match"),
        ("num_passing=0", 64, "no part 'num_passing'; there are exact_match.exact_match"),
    ],
)
def test_a_floor_is_of_a_score_of_the_plan(
    job: str, floor: str, code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two evaluators share a key here; a wrong floor is refused before anything is asked or read."""
    assert job != "rescore" or call("run", "-d", "q.jsonl", "-s", "command:cat", *MAPS) == 0
    assert call(*JOBS[job], *MAPS, "-e", "answer_quality", "--fail-under", floor, "-o", "rows.jsonl") == code
    assert said in capsys.readouterr().err
    assert Path("rows.jsonl").exists() == (code == 0)


@pytest.mark.parametrize("job", JOBS)
def test_a_floor_may_be_of_a_criterion(job: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert job != "rescore" or call("run", "-d", "q.jsonl", "-s", "command:cat", *MAPS) == 0
    judge = ["--judge-url", "http://127.0.0.1:9", "--criterion", "It is polite"]
    assert call(*JOBS[job], *MAPS, *judge, "--fail-under", "nope=0.1") == 64
    assert "no part 'nope'; there are exact_match, check_criteria" in capsys.readouterr().err


@pytest.mark.parametrize("job", ["run", "suite"])
def test_a_spent_budget_says_how_to_go_on(job: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(*JOBS[job], *MAPS, "--max-tokens", "1") == 3
    said = capsys.readouterr().err
    assert "--max-tokens 1 is used up" in said
    assert "continues" in said
