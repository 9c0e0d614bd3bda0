"""`ringtrue score` as a user meets it: real processes, real files, exit codes."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from ringtrue.records import DEFAULT_STORE
from support.command import ringtrue

ROWS = [
    {"id": "a", "question": "Capital of France?", "answer": "Paris", "response": "Paris"},
    {"id": "b", "question": "Capital of Spain?", "answer": "Madrid", "response": "It is Madrid."},
    {"id": "c", "question": "Capital of Peru?", "answer": "Lima", "response": "Quito"},
    {"id": "d", "question": "Capital of Atlantis?", "answer": None, "response": "?"},
]


@pytest.fixture
def answers(tmp_path: Path) -> Path:
    path = tmp_path / "answers.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    return path


def summary(said: dict[str, Any], key: str = "exact_match") -> dict[str, Any]:
    """The one summary of a key, in a run of one dataset and one system."""
    ((own,),) = ([*systems.values()] for systems in said["summaries"].values())
    return dict(own[key])


def test_the_table(answers: Path) -> None:
    said = ringtrue("score", str(answers), "-e", "answer_quality", "-e", "word_count(max_words=2)").stdout
    lines = {line.split()[0]: line.split()[1:] for line in said.splitlines() if line.strip()}
    assert lines["exact_match"] == ["33.3", "%", "6.1–79.2", "3", "–", "–", "–", "1", "0"]
    assert lines["word_count"] == ["75.0", "%", "30.1–95.4", "4", "1.00", "3", "1", "0", "0"]
    assert said.startswith("score · 4 rows · ")
    assert f"{answers.name}   f1, passes at 0.50\n" in said


def test_without_evaluators_answers_are_scored_as_a_run_scores_them(answers: Path) -> None:
    said = ringtrue("score", str(answers)).stdout
    assert f"{answers.name}   answer_found, passes at 0.33\n" in said
    report = json.loads(ringtrue("score", str(answers), "--json").stdout)
    assert (summary(report, "answer_found")["value"], summary(report, "answer_found")["n"]) == (pytest.approx(2 / 3), 3)


def test_a_benchmark_whose_own_metric_was_not_measured_has_the_headline_of_other_rows(tmp_path: Path) -> None:
    """It was the first evaluator's, f1, which a right answer in a sentence does not reach."""
    rows = [{"dataset": name, "answer": "4", "response": "It is 4."} for name in ("gsm8k", "hotpotqa")]
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = json.loads(ringtrue("score", str(tmp_path / "rows.jsonl"), "--json").stdout)["made"]["datasets"]
    assert {one["name"]: one["headline"] for one in found} == {"gsm8k": "answer_found", "hotpotqa": "f1"}


def test_a_report_says_how_to_look_at_its_rows(answers: Path, tmp_path: Path) -> None:
    unkept = ringtrue("score", str(answers), "-e", "exact_match", cwd=tmp_path)
    assert "next: add -o rows.jsonl, then ringtrue show rows.jsonl --failed" in unkept.stdout
    written = ringtrue("score", str(answers), "-e", "exact_match", "-o", "my rows.jsonl", cwd=tmp_path)
    assert "next: ringtrue show 'my rows.jsonl' --failed" in written.stdout
    ringtrue("score", str(answers), "-e", "exact_match", "--store", DEFAULT_STORE, cwd=tmp_path)
    assert "Quito" in ringtrue("show", "last", "--failed", cwd=tmp_path).stdout


def test_json(answers: Path) -> None:
    said = json.loads(ringtrue("score", str(answers), "-e", "exact_match", "--json").stdout)
    assert said["rows"] == 4
    assert summary(said) == {
        "value": pytest.approx(1 / 3),
        "n": 3,
        "interval": [pytest.approx(0.06149, abs=1e-5), pytest.approx(0.79234, abs=1e-5)],
        "method": "wilson",
        "passed": 1,
        "failed": 2,
        "skipped": 1,
        "errors": 0,
        "bounds": [pytest.approx(1 / 3), pytest.approx(1 / 3)],
        "threshold": 1.0,
        "unit": "share",
        "caveats": {},
    }
    (evaluator,) = said["made"]["evaluators"]
    assert evaluator["signature"].startswith("exact_match=ExactMatch(")
    assert evaluator["threshold"] == 1.0


def test_standard_input_and_a_mapping() -> None:
    data = "".join(json.dumps({"said": row["response"], "label": row["answer"]}) + "\n" for row in ROWS)
    said = ringtrue(
        "score", "-", "-e", "exact_match", "--map", "response=said", "--map", "expected=label", "--json", data=data
    )
    assert summary(json.loads(said.stdout))["passed"] == 1


@pytest.mark.parametrize("kind", ["jsonl", "json", "parquet"])
def test_a_mapping_leads_into_rows(kind: str, tmp_path: Path) -> None:
    rows = [{"meta": {"gold": [row["answer"]]}, "said": [{"text": row["response"]}]} for row in ROWS]
    path = tmp_path / f"nested.{kind}"
    if kind == "parquet":
        import pyarrow
        import pyarrow.parquet as parquet

        parquet.write_table(pyarrow.Table.from_pylist(rows), path)
    else:
        path.write_text(json.dumps(rows) if kind == "json" else "".join(json.dumps(row) + "\n" for row in rows))
    score = ("score", str(path), "-e", "exact_match", "--json", "--map", "response=said.-1.text")
    found = summary(json.loads(ringtrue(*score, "--map", "answer=meta.gold.0").stdout))
    assert (found["n"], found["passed"]) == (3, 1)
    unknown = ringtrue(*score, "--map", "answer=meta.gld.0", check=3)
    assert "--map names another field (given: response=said.-1.text, answer=meta.gld.0)" in unknown.stderr
    lost = ringtrue(*score, "--map", "response=said.text", check=3)
    assert "looked for said.text; the row has meta, said; 'said' is a list of 1" in lost.stderr


@pytest.mark.parametrize("kind", ["jsonl", "csv", "parquet"])
def test_rows_are_written(kind: str, answers: Path, tmp_path: Path) -> None:
    out = tmp_path / f"scores.{kind}"
    ringtrue("score", str(answers), "-e", "answer_quality", "-e", "not_empty", "-o", str(out))
    if kind == "jsonl":
        rows = [json.loads(line) for line in out.read_text().splitlines()]
        assert [row["id"] for row in rows] == ["a", "b", "c", "d"]
        assert rows[1]["scores"]["answer_quality"]["parts"]["contains"] == 1.0
        assert rows[3]["scores"]["answer_quality"]["status"] == "skipped"
        return
    if kind == "csv":
        table = list(csv.DictReader(out.read_text().splitlines()))
    else:
        import pyarrow.parquet as parquet

        table = parquet.read_table(out).to_pylist()
    assert [row["id"] for row in table] == ["a", "b", "c", "d"]
    assert float(table[1]["f1"]) == 0.5
    assert table[3]["answer_quality.status"] == "skipped"
    assert table[3]["f1"] in ("", None)


def test_spreadsheets_run_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(json.dumps({"id": "=1+1", "response": "x", "answer": "x"}) + "\n")
    ringtrue("score", "a.jsonl", "-e", "exact_match", "-o", "b.csv", cwd=tmp_path)
    assert next(csv.DictReader((tmp_path / "b.csv").read_text().splitlines()))["id"] == "'=1+1"


def test_a_broken_line_is_named_counted_and_stops_nothing(answers: Path) -> None:
    with answers.open("a") as file:
        file.write('{"id": \n[1]\n{"question": "no response"}\n{"id": "e", "response": "x", "answer": "x"}\n')
    done = ringtrue("score", str(answers), "-e", "exact_match")
    assert f"{answers}:5: not JSON" in done.stderr
    assert f"{answers}:6: not an object but a list" in done.stderr
    assert f"{answers}:7: no response (looked for response, output," in done.stderr
    assert "5 rows · " in done.stdout
    assert " · 3 broken rows left out\n" in done.stdout


def test_a_row_of_csv_is_named_by_its_line(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text('id,said\n1,"two\nlines"\n2,x\n')
    done = ringtrue("score", "a.csv", "-e", "not_empty", cwd=tmp_path, check=3)
    assert "a.csv:2: no response" in done.stderr
    assert "as in a.csv:2, also in 1 more row" in done.stderr
    assert "the row has id, said" in done.stderr


CELLS = "id;answer;response\n1;Lima;Lima\n2;;Quito\n"


def test_csv_means_the_same_wherever_it_comes_from(tmp_path: Path) -> None:
    """A blank cell is not an expected answer, in rows of JSON as well."""
    (tmp_path / "a.csv").write_text(CELLS)
    (tmp_path / "b.jsonl").write_text('{"answer": "", "response": "x"}\n')
    os.mkfifo(tmp_path / "pipe")
    found = []
    for words, data in ((["a.csv"], None), (["-"], CELLS), (["a.csv", "b.jsonl"], None), (["pipe"], None)):
        if words == ["pipe"]:
            Thread(target=(tmp_path / "pipe").write_text, args=(CELLS,), daemon=True).start()
        said = json.loads(ringtrue("score", *words, "-e", "exact_match", "--json", cwd=tmp_path, data=data).stdout)
        shares = [own["exact_match"] for systems in said["summaries"].values() for own in systems.values()]
        found.append([sum(one[key] for one in shares) for key in ("n", "skipped")])
    assert found == [[1, 1], [1, 1], [1, 2], [1, 1]]


def test_json_that_is_not_a_row_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("3")
    assert (
        "a.json: row 1: not an object" in ringtrue("score", "a.json", "-e", "not_empty", cwd=tmp_path, check=3).stderr
    )


def test_the_verdict_of_summaries_is_about_f1(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"answer": "a b c d e f", "response": "a"}\n')
    words = ("score", "a.jsonl", "-e", "summarization_quality")
    done = ringtrue(*words, "--fail-under", "0.5", cwd=tmp_path, check=1)
    assert "a.jsonl   rouge_l_f1, passes at 0.50" in done.stdout
    assert "pass_rate at 0.50 is 0.0 % over 1 row" in done.stderr
    done = ringtrue(*words, "--fail-under", "rouge_l_f1=0.5", cwd=tmp_path, check=1)
    assert "rouge_l_f1 is 0.29 over 1 row; the floor is 0.50" in done.stderr
    ringtrue(*words, "--threshold", "0.2", "--fail-under", "0.5", cwd=tmp_path)


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["--fail-under", "0.3"], 0, ""),
        (["--fail-under", "0.9"], 1, "gate failed: pass_rate at 1.00 is 33.3 % over 3 rows; the floor is 90.0 %"),
        (["--fail-under", "exact_match=0.9"], 1, "gate failed: exact_match is 33.3 % over 3 rows"),
        (["--fail-under", "f1=0.9"], 64, "no part 'f1'; there are exact_match"),
        (["--fail-under", "90%"], 64, "write a number from 0 to 1"),
        (["--fail-under", "0.1", "--fail-under", "0.9"], 64, "'pass_rate' has a floor already"),
        (["--map", "response"], 64, "write MEANING=FIELD"),
        (["--map", "respnse=x"], 64, "names the field of response"),
        (["-e", "exact_mach"], 64, "did you mean 'exact_match'?"),
        (["-e", "exact_match(1, 2, 3, 4)"], 64, "ringtrue explain exact_match"),
        (["-o", "x.xlsx"], 64, "cannot tell the format of 'x.xlsx'"),
        (["--max-workers", "0"], 64, "--max-workers"),
        (["--name", "a", "--name", "a"], 64, "--name is given 2 times"),
        (["--nonsense"], 64, "--nonsense'; 'ringtrue score --help' shows how\n"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_exit_codes(words: list[str], code: int, message: str, answers: Path) -> None:
    done = ringtrue("score", str(answers), "-e", "exact_match", *words, check=code)
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert all(line.startswith("ringtrue: ") for line in done.stderr.splitlines())


def test_errors_above_the_budget(answers: Path, tmp_path: Path) -> None:
    with answers.open("a") as file:
        file.write("not json\n")
    score = ("score", str(answers), "-e", "exact_match")
    assert ringtrue(*score, "--max-errors", "1").returncode == 0
    assert "1 error; the budget is 0" in ringtrue(*score, "--max-errors", "0", check=3).stderr
    assert ringtrue(*score, "--fail-under", "0.1").returncode == 0, "a gate sets no budget of its own"
    undecided = ringtrue(*score, "--fail-under", "0.5", check=2).stderr
    assert "undecided: pass_rate at 1.00 lies between 25.0 % and 50.0 %, depending on 1 unreadable row" in undecided
    misspelt = ringtrue(*score, "--fail-under", "f1=0.1", check=64)
    assert misspelt.stdout == "", "a wrong gate is refused before a row is read"
    (tmp_path / "bad.jsonl").write_text("nothing\n")
    assert (
        "nothing was measured: 0 rows, 1 error"
        in ringtrue("score", "bad.jsonl", "-e", "not_empty", cwd=tmp_path, check=3).stderr
    )
    assert "does not exist" in ringtrue("score", "none.jsonl", "-e", "not_empty", check=64).stderr


def test_many_workers_keep_the_order_and_the_numbers(tmp_path: Path) -> None:
    path = tmp_path / "many.jsonl"
    with path.open("w") as file:
        for n in range(60_000):
            file.write(json.dumps({"id": n, "answer": f"word {n % 7}", "response": f"the word {n % 11}"}) + "\n")
    said = []
    for workers in ("1", "2"):
        out = tmp_path / f"out{workers}.jsonl"
        done = ringtrue(
            "score", str(path), "-e", "answer_quality", "-e", "bleu", "--max-workers", workers, "-o", str(out), "--json"
        )
        rows = [json.loads(line) for line in out.read_text().splitlines()]
        made = rows[0].pop("run")  # when it was made differs
        assert made["job"] == "score"
        said.append((json.loads(done.stdout)["summaries"], rows))
    assert said[0] == said[1]
    assert [row["id"] for row in said[1][1]] == list(range(60_000))


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    peaks = []
    for rows in (5_000, 200_000):
        path = tmp_path / f"{rows}.jsonl"
        line = json.dumps({"answer": "Paris", "response": "The capital is Paris, of course. " * 3}) + "\n"
        path.write_text(line * rows)
        code = (
            "import re\nfrom ringtrue.cli import main\n"
            f"try: main(['score', {str(path)!r}, '-e', 'contains([\"Paris\"])', '-q', '--max-workers', '1'])\n"
            "except SystemExit: print(re.search(r'VmHWM:\\s+(\\d+)', open('/proc/self/status').read())[1])"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        peaks.append(int(done.stdout.split()[-1]))
    assert peaks[1] < peaks[0] * 1.2
    assert peaks[1] < 150_000


def test_an_evaluator_that_measured_nothing_says_what_it_needs(answers: Path) -> None:
    done = ringtrue("score", str(answers), "-e", "ifeval", "--fail-under", "prompt_loose=0.5", check=3)
    said = "ifeval found nothing to measure in any row; it needs `instruct"
    assert said in done.stderr
    assert "nothing was measured: 4 rows, 0 errors" in done.stderr
    both = ringtrue(
        "score", str(answers), "-e", "not_empty", "-e", "ifeval", "--fail-under", "prompt_loose=0.5", check=1
    )
    assert "gate failed: prompt_loose was measured on no row" in both.stderr


@pytest.mark.parametrize(("broken", "more"), [(1, ""), (2, "also in 1 more row\n"), (3, "also in 2 more rows\n")])
def test_a_problem_is_said_once_and_counted(broken: int, more: str, answers: Path) -> None:
    with answers.open("a") as file:
        file.write("not json\n" * broken)
    said = ringtrue("score", str(answers), "-e", "not_empty").stderr
    assert said.count("not JSON") == 1
    assert ("also in" in said) == bool(more)
    assert more in said


def test_list_explain_and_help() -> None:
    assert "exact_match" in ringtrue("list", "evaluators").stdout
    assert {"name", "about"} == set(json.loads(ringtrue("list", "evaluators", "--json").stdout)[0])
    assert "nq@sample" in ringtrue("list", "samples").stdout
    said = ringtrue("explain", "answer_quality").stdout
    for word in ("needs", "parts", "formula", "matches", "settings", "f1, exact_match, recall, contains"):
        assert word in said
    assert max(map(len, said.splitlines())) <= 80
    assert "*evaluators, name=..." in ringtrue("explain", "all_of").stdout
    assert "did you mean 'bleu'" in ringtrue("explain", "blue", check=64).stderr
    part = ringtrue("explain", "f1", check=64).stderr
    assert "no evaluator named 'f1'; it is a part of answer_quality: 'ringtrue explain answer_quality'" in part
    assert "did you mean 'score'" in ringtrue("scor", check=64).stderr
    assert ringtrue("--version").stdout.startswith("ringtrue ")


def test_a_sample_is_at_hand_and_an_unknown_one_is_not() -> None:
    assert "score · 200 rows · " in ringtrue("score", "nq@sample", "-e", "answer_quality").stdout
    hint = ringtrue("score", "nq", "-e", "answer_quality", check=64).stderr
    assert "'nq' is not a file; 'nq@sample' is the sample of that name" in hint
    assert "no sample named 'nope@sample'" in ringtrue("score", "nope@sample", "-e", "not_empty", check=64).stderr


def test_text_from_outside_is_never_obeyed_by_the_terminal(tmp_path: Path) -> None:
    (tmp_path / "\x1b[31mred.jsonl").write_text("{\n")
    done = ringtrue("score", "\x1b[31mred.jsonl", "-e", "not_empty", cwd=tmp_path, check=3)
    assert "\x1b" not in done.stderr
    assert "\\x1b[31mred.jsonl:1" in done.stderr


def test_a_warning_is_said_once_however_many_workers_have_it(tmp_path: Path) -> None:
    path = tmp_path / "many.jsonl"
    row = {"response": "word " * 200, "instruction_id_list": ["no:such", "keywords:existence"], "kwargs": [{}, {}]}
    path.write_text((json.dumps(row) + "\n") * 8_000)
    done = ringtrue("score", str(path), "-e", "ifeval_checker", "-e", "chrf", "--max-workers", "2", "-q")
    (line,) = [line for line in done.stderr.splitlines() if "no:such" in line]
    assert line.startswith("ringtrue: IFEvalChecker does not know the instruction 'no:such'; it passes unless")


def test_parquet_on_standard_input_is_refused_with_a_way_out(tmp_path: Path) -> None:
    for words, code in ((["--format", "parquet"], 64), ([], 3)):
        done = ringtrue("score", "-", "-e", "not_empty", *words, data="PAR1....", check=code)
        assert "Parquet" in done.stderr
        assert "give a file" in done.stderr
