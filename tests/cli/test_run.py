"""`ringtrue run` and what comes after it, as a user meets them: real processes, real files, a real endpoint."""

from __future__ import annotations

import csv
import io
import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pyarrow.parquet as parquet
import pytest

from ringtrue import evaluate
from ringtrue.store.database import Database
from support.command import Command, Done, exported
from support.endpoint import EndpointServer
from support.judge_endpoint import JudgeEndpoint

SYSTEMS = """
import time

def up(text):
    return text.upper()

def echo(text):
    return text

def fails(text):
    raise ValueError("[bold]boom[/bold] \\x1b[31mred")

def some(text):
    if text.endswith(("1", "2")):
        raise ValueError("boom")
    return text.upper()

def long(text):
    return "a " * 1_000_001

def slow(text):
    with open("asked", "a") as log:
        log.write(text + "\\n")
    time.sleep(0.05)
    return text.upper()

def markup(text):
    return "[/INST] [red]x[/red] \\x1b[31mred\\x1b[0m [link=x]"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "things.py").write_text(SYSTEMS)
    write(tmp_path / "q.jsonl", [{"id": n, "question": f"q{n}", "answer": f"Q{n}"} for n in range(6)])
    asks = [{"id": n, "question": f"Say [[city {n}]].", "answer": f"city {n}"} for n in range(8)]
    write(tmp_path / "cities.jsonl", asks)
    return tmp_path


def write(path: Path, rows: list[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def process(folder: Path, *words: str, **environment: str) -> Done:
    """What a process of its own says."""
    done = subprocess.run(
        [sys.executable, "-m", "ringtrue", *words], capture_output=True, text=True, cwd=folder, timeout=120,
        env={**os.environ, **environment},
    )  # fmt: skip
    return Done(done.returncode, done.stdout, done.stderr)


def headlines(said: str) -> dict[str, list[str]]:
    """Of each system: share, interval, n, failed, skipped, errors; the picture is left out."""
    lines = (line.split() for line in said.splitlines() if "●" in line)
    return {words[0]: [words[1], *words[-5:]] for words in lines}


def scores(said: str) -> dict[str, list[str]]:
    return {line.split()[0]: line.split()[1:] for line in said.splitlines() if line.strip() and "●" not in line}


def test_the_documented_flags_of_a_benchmark_run(folder: Path, ringtrue: Command, server: EndpointServer) -> None:
    server.plan()
    url = f"http://127.0.0.1:{server.port}"
    done = ringtrue(
        "run", "--proxy", f"one={url}", "--proxy", f"two={url}/v1", "--name", "both", "--dataset", "cities.jsonl",
        "--dataset", "q.jsonl", "--model", "m", "-n", "3", "--json", "-o", "rows.jsonl", "--headline", "f1",
        "--threshold", "0.9", "--max-workers", "4", "--cache-dir", "kept",
    )  # fmt: skip
    result = json.loads(done.stdout)
    assert done.stderr == ""
    rows = [json.loads(line) for line in (folder / "rows.jsonl").read_text().splitlines()]
    assert [row["system"] for row in rows] == ["one"] * 6 + ["two"] * 6
    assert [row["dataset"] for row in rows] == (["cities.jsonl"] * 3 + ["q.jsonl"] * 3) * 2
    assert result["made"]["name"] == "both"
    assert result["rows"] == 12
    assert set(result["summaries"]) == {"cities.jsonl", "q.jsonl"}
    found = result["summaries"]["cities.jsonl"]["one"]
    documented = {
        "mean_score", "pass_rate", "compression_ratio", "mean_input_tokens", "mean_output_tokens", "cost_of_pass",
        "num_passing", "latency_mean", "latency_median", "latency_p95", "latency_p99",
    }  # fmt: skip
    assert documented <= set(found)
    assert (found["mean_score"]["value"], found["f1"]["n"]) == (1.0, 3)
    assert (found["pass_rate"]["threshold"], found["pass_rate"]["unit"]) == (0.9, "share")
    assert server.stats()["requests"] == 12
    assert (folder / "kept" / "ringtrue.db").exists()
    assert not (folder / ".ringtrue").exists()
    again = ringtrue("run", "--proxy", f"one={url}", "-d", "cities.jsonl", "-n", "3", "-m", "m", "--json")
    assert json.loads(again.stdout)["rows"] == 3


def test_every_endpoint_is_asked_for_every_model(ringtrue: Command) -> None:
    with JudgeEndpoint(says={}) as one, JudgeEndpoint(says={}) as two:
        words = ["-d", "q.jsonl", "-n", "2", "--proxy", f"a={one.base_url}", "--proxy", f"b={two.base_url}"]
        found = json.loads(ringtrue("run", *words, "-m", "small", "-m", "large", "--json").stdout)
        asked = [sorted(body["model"] for body in endpoint.asked) for endpoint in (one, two)]
    assert asked == [["large"] * 2 + ["small"] * 2] * 2
    assert [one["name"] for one in found["made"]["systems"]] == ["a-small", "a-large", "b-small", "b-large"]


def test_models_of_one_endpoint_without_a_name_are_told_apart(ringtrue: Command) -> None:
    with JudgeEndpoint(says={}) as endpoint:
        words = ["-d", "q.jsonl", "-n", "1", "--proxy", endpoint.base_url, "-m", "small", "-m", "large", "--json"]
        found = json.loads(ringtrue("run", *words).stdout)
        assert sorted(body["model"] for body in endpoint.asked) == ["large", "small"]
    assert [one["name"] for one in found["made"]["systems"]] == ["small", "large"]


def test_the_table_is_on_stdout_and_nothing_else_is(folder: Path) -> None:
    done = process(folder, "run", "-d", "q.jsonl", "-s", "things:some", "-e", "exact_match")
    assert done.code == 0
    assert "q.jsonl   exact_match, passes at 1.00" in done.stdout
    assert headlines(done.stdout)["some"] == ["100.0", "51.0–100.0", "4", "0", "0", "2"]
    assert "2 answers missing, first: ValueError: boom" in done.stdout
    assert done.stderr == ""
    found = json.loads(process(folder, "show", "last", "--json").stdout)["summaries"]["q.jsonl"]["some"]["pass_rate"]
    assert found["bounds"] == [pytest.approx(2 / 3), 1.0], "what the errors could have been"
    process(folder, "run", "-d", "q.jsonl", "-s", "things:up", "--markdown", "run.md", "-q")
    markdown = (folder / "run.md").read_text()
    assert "q.jsonl" in markdown
    assert "100.0" in markdown
    assert "61.0" in markdown
    assert "Failures" not in markdown
    process(folder, "run", "-d", "q.jsonl", "-s", "things:some", "--markdown", "run.md", "-q")
    failures = (folder / "run.md").read_text().partition("## Failures, worst first\n\n```text\n")[2]
    assert failures.startswith("! error")
    assert "ValueError: boom" in failures


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["-s", "things:up", "--fail-under", "0.9"], 0, ""),
        (
            ["-s", "things:echo", "-e", "contains(['z'])", "--fail-under", "0.9"],
            1,
            "gate failed: pass_rate at 1.00 is 0.0 % over 6 rows; the floor is 90.0 %",
        ),
        (
            ["-s", "things:some", "--fail-under", "f1=0.9"],
            2,
            "undecided: f1 lies between 66.7 % and 100.0 %, depending on 2 errors",
        ),
        (["-s", "things:some", "--fail-under", "0.5"], 0, ""),
        (["-s", "things:some", "--max-errors", "1"], 3, "--max-errors 1 is used up (2)"),
        (["-s", "things:some", "--max-errors", "2"], 0, ""),
        (["-s", "things:up", "--max-tokens", "3"], 3, "--max-tokens 3 is used up"),
        (
            ["-s", "things:fails"],
            3,
            "nothing was measured: 6 rows, 6 errors; the first: ValueError: [bold]boom[/bold] \\x1b[31mred",
        ),
        (["-s", "things:up", "--headline", "nope"], 64, "no score is named 'nope'; there are f1"),
        (["-s", "things:some"], 0, ""),
        (
            ["-s", "things:some", "--fail-under", "0.9"],
            2,
            "undecided: pass_rate at 0.33 lies between 66.7 % and 100.0 %",
        ),
        (["-s", "things:up", "-e", "ifeval"], 3, "nothing was measured: 6 rows, 0 errors"),
        (["-s", "things:up", "--fail-under", "nope=1"], 64, "no part 'nope'; there are f1"),
        (["-s", "things:up", "--fail-under", "7"], 64, "write a number from 0 to 1"),
        (["-s", "things:up", "--fail-under", "f1=0.1", "--fail-under", "f1=0.9"], 64, "'f1' has a floor already"),
        (["-s", "things:up", "--fail-under", "0.1", "--fail-under", "0.9"], 64, "'pass_rate' has a floor already"),
        (["-s", "things:up", "--max-cost", "1"], 64, "--max-cost needs prices"),
        (["-s", "things:up", "-s", "things:up"], 64, "two systems are named 'up'"),
        (["-s", "things:up", "--name", "a", "--name", "b"], 64, "--name is given 2 times; it takes one value"),
        (["-s", "things:nothing"], 64, "the module 'things' has no 'nothing'"),
        (["-s", "nowhere:up"], 64, "cannot import 'nowhere'"),
        (["-s", "what is this"], 64, "no system 'what is this'"),
        (["-s", "things:up", "-e", "exact_mach"], 64, "did you mean 'exact_match'"),
        (
            ["-s", "things:up", "-e", "exact_match", "-e", "exact_match"],
            64,
            "two evaluators are named 'exact_match'; give one another name",
        ),
        (["-s", "things:up", "--repeats", "0"], 64, "0 is not 1 or more"),
        (["-s", "things:up", "--output", "rows.pdf"], 64, "cannot tell the format of 'rows.pdf'"),
        (["-s", "things:up", "--store", "mysql://u:secret@h/d"], 64, "cannot read the store URL 'mysql://u:***@h/d'"),
        (["-s", "things:up", "--store", ""], 64, "store must be a URL, or None to keep nothing"),
        (["-s", "replay:missing.jsonl"], 64, "does not exist"),
        (["--no-such-flag"], 64, "--no-such-flag'; 'ringtrue run --help' shows how\n"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_exit_codes(ringtrue: Command, words: list[str], code: int, said: str) -> None:
    assert said in ringtrue("run", "-d", "q.jsonl", "-q", *words, check=code).stderr


@pytest.mark.parametrize("words", [["--headline", "nope"], ["--max-cost", "1"], ["--fail-under", "nope=1"]], ids=str)
def test_a_wrong_plan_is_refused_before_the_first_call(
    ringtrue: Command, server: EndpointServer, words: list[str]
) -> None:
    server.plan()
    ringtrue("run", "-d", "cities.jsonl", "--proxy", server.base_url, *words, check=64)
    assert server.stats()["requests"] == 0


@pytest.mark.parametrize(
    ("content", "code", "words"),
    [
        ("", 64, "'bad.jsonl' has no rows"),
        ('{"question": "a"}\n[1, 2]\n', 3, "bad.jsonl:2:"),
        ('{"question": "a"}\n{broken\n', 3, "bad.jsonl:2:"),
    ],
    ids=["empty", "not_a_dict", "not_json"],
)
def test_a_broken_dataset_is_refused_before_the_first_call(
    folder: Path, ringtrue: Command, content: str, code: int, words: str
) -> None:
    (folder / "bad.jsonl").write_text(content)
    assert words in ringtrue("run", "-d", "bad.jsonl", "-s", "things:slow", check=code).stderr
    assert not (folder / "asked").exists()


def test_repeated_ids_are_named_and_asked(folder: Path, ringtrue: Command) -> None:
    write(
        folder / "twice.jsonl",
        [{"id": 1, "question": "a", "answer": "A"}, {"id": 1, "question": "b"}, {"id": "1", "question": "c"}],
    )
    done = ringtrue("run", "-d", "twice.jsonl", "-s", "things:up", "--json")
    assert "1 row with the id of an earlier row; each is asked and counted as a case" in done.stderr
    assert [row["response"] for row in exported(ringtrue)] == ["A", "B", "C"]


def test_what_models_say_is_never_obeyed(folder: Path, ringtrue: Command) -> None:
    done = ringtrue("run", "-d", "q.jsonl", "-s", "things:markup", "--name", "[red]me[/red]")
    assert "[red]me[/red]" in done.stdout
    shown = ("show last", "show last --failed", "show last --json", "list runs", "export last -f markdown")
    for words in (*shown, "export last -f jsonl"):
        said = ringtrue(*words.split()).stdout
        assert "\x1b" not in said
    assert "[/INST]" in said


def interrupted(folder: Path, asked: int, *words: str) -> Done:
    """What a command said that got Ctrl-C once this many questions were asked."""
    command = [sys.executable, "-m", "ringtrue", *words]
    running = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    path = folder / "asked"
    while not path.exists() or len(path.read_text().splitlines()) < asked:
        assert running.poll() is None
        time.sleep(0.01)
    running.send_signal(signal.SIGINT)
    printed = running.communicate(timeout=60)
    return Done(running.returncode, *printed)


def test_ctrl_c_keeps_finished_rows_and_says_how_to_go_on(folder: Path, ringtrue: Command) -> None:
    write(folder / "many.jsonl", [{"id": n, "question": f"q{n}", "answer": f"Q{n}"} for n in range(60)])
    words = ["run", "-d", "many.jsonl", "-s", "things:slow", "--store", "kept.db", "--fresh", "-e", "exact_match"]
    code, said, complained = interrupted(folder, 20, *words)
    assert (code, said) == (130, "")
    found = re.fullmatch(
        r"ringtrue: interrupted; (\d+) finished rows are kept; 'ringtrue (resume \w+ --store kept.db)' continues it\n",
        complained,
    )
    assert found, complained
    assert 15 <= int(found[1]) <= 21
    done = ringtrue(*found[2].split())
    assert "60 rows" in done.stdout
    assert headlines(done.stdout)["slow"][:3] == ["100.0", "94.0–100.0", "60"]
    asked = (folder / "asked").read_text().split()
    assert len(set(asked)) == 60
    assert len(asked) - 60 <= 1, "at most the one in flight is asked again"
    runs = json.loads(ringtrue("list", "runs", "--store", "kept.db", "--json").stdout)
    assert [(run["status"], run["rows"], run["systems"]) for run in runs] == [("finished", 60, ["slow"])]
    again = ringtrue(*found[2].split(), check=64)
    assert "has finished" in again.stderr


def test_ctrl_c_in_a_suite_keeps_what_is_finished(folder: Path, ringtrue: Command) -> None:
    write(folder / "many.jsonl", [{"id": n, "input": f"q{n}"} for n in range(30)])
    described = 'system = "things:slow"\nevaluators = ["not_empty"]\ncases = "many.jsonl"\n'
    (folder / "many.suite.toml").write_text(described)
    code, said, complained = interrupted(folder, 10, "suite", "many.suite.toml", "-q")
    assert (code, said) == (130, "")
    assert complained == "ringtrue: interrupted; what is finished is kept, and the same command continues with it\n"
    assert headlines(ringtrue("suite", "many.suite.toml").stdout)["slow"][2:] == ["30", "0", "0", "0"]
    asked = (folder / "asked").read_text().split()
    assert (len(set(asked)), len(asked) - 30 <= 1) == (30, True)


def test_ctrl_c_before_anything_began(folder: Path) -> None:
    (folder / "sleepy.py").write_text("open('asked', 'w').write('x\\n')\nimport time\ntime.sleep(60)\n")
    code, _, complained = interrupted(folder, 1, "run", "-d", "q.jsonl", "-s", "sleepy:f")
    assert code == 130
    assert complained.strip().startswith("ringtrue: interrupted")


def test_a_killed_run_continues_by_its_name(folder: Path, ringtrue: Command, server: EndpointServer) -> None:
    server.plan(latency_seconds=0.5)
    words = ["run", "-d", "cities.jsonl", "--proxy", server.base_url, "--max-workers", "2", "--model", "m"]
    running = subprocess.Popen([sys.executable, "-m", "ringtrue", *words], cwd=folder, stdout=subprocess.DEVNULL)
    while server.stats()["answered"] < 2:
        time.sleep(0.01)
    time.sleep(0.2)  # the first two are committed, two more are on their way
    running.kill()
    running.wait()
    (run,) = json.loads(ringtrue("list", "runs", "--json").stdout)
    assert (run["status"], run["systems"]) == ("killed", ["m"])
    assert re.search(r"(?m)^\w{6}  now  cities.jsonl  m +killed +– +2 +0 +–$", ringtrue("list", "runs").stdout)
    assert ringtrue("show", "last").stdout.startswith(f"run {run['id']} · 2 rows · killed\n")
    done = ringtrue("resume", run["id"][:6])
    assert "8 rows" in done.stdout
    assert server.stats()["requests"] == 8 + 2
    assert max(server.asked().values()) == 2


def test_a_run_of_python_is_gone_on_with_in_python(folder: Path, ringtrue: Command) -> None:
    evaluate(lambda text: 1 / 0, [{"question": "a"}], store=str(folder / "p.db"), progress=False, max_errors=0)
    complained = ringtrue("resume", "last", "--store", "p.db", check=64).stderr
    assert "was not started by 'ringtrue run': start it the same way again" in complained


@pytest.mark.parametrize(
    "words",
    [["show", "last"], ["export", "last", "-f", "csv"], ["resume", "last"], ["rescore", "last", "-e", "not_empty"]],
    ids=" ".join,
)
def test_looking_makes_no_store(folder: Path, ringtrue: Command, words: list[str]) -> None:
    assert "there is no store 'sqlite:///typo/r.db'" in ringtrue(*words, "--store", "typo/r.db", check=64).stderr
    assert "there is no store" in ringtrue(*words, check=64).stderr
    assert ringtrue("list", "runs").stdout == ""
    assert not (folder / "typo").exists()
    assert not (folder / ".ringtrue").exists()
    assert "cannot read the store URL '://'" in ringtrue(*words, "--store", "://", check=64).stderr


def test_scoring_again_asks_nothing(folder: Path, ringtrue: Command) -> None:
    ringtrue("run", "-d", "q.jsonl", "-s", "things:slow", "-e", "exact_match")
    asked = (folder / "asked").read_text()
    said = ringtrue("rescore", "last", "-e", "answer_quality", "-e", "regex_match('Q[0-4]')").stdout
    assert scores(said)["regex_match"][:4] == ["83.3", "%", "43.6–97.0", "6"]
    assert (folder / "asked").read_text() == asked
    assert "there is no run 'zzz'" in ringtrue("rescore", "zzz", "-e", "exact_match", check=64).stderr


def test_a_stored_run_is_shown_as_it_was(folder: Path, ringtrue: Command) -> None:
    first = ringtrue("run", "-d", "q.jsonl", "-s", "things:some", "-s", "things:up").stdout
    assert ringtrue("show", "last").stdout == first
    shown = json.loads(ringtrue("show", "last", "--json").stdout)
    assert shown["summaries"]["q.jsonl"]["up"]["mean_score"]["value"] == 1.0
    assert [row["error"] for row in exported(ringtrue)[:3]] == [None, "system_error", "system_error"]


def test_export(folder: Path, ringtrue: Command) -> None:
    ringtrue("run", "-d", "q.jsonl", "-s", "things:some", "-e", "exact_match", "-e", "not_empty")
    formats = ("json", "jsonl", "csv", "junit", "markdown")
    said = {name: ringtrue("export", "last", "--format", name).stdout for name in formats}
    assert json.loads(said["json"])["rows"] == 6
    lines = [json.loads(line) for line in said["jsonl"].splitlines()]
    assert [(line["id"], line["response"], line["error"]) for line in lines[:2]] == [
        (0, "Q0", None),
        (1, "", "system_error"),
    ]
    assert lines[0]["scores"]["exact_match"]["value"] == 1.0
    table = list(csv.DictReader(io.StringIO(said["csv"])))
    assert [row["exact_match"] for row in table] == ["1.0", "", "", "1.0", "1.0", "1.0"]
    assert [row["exact_match.status"] for row in table][:2] == ["scored", "error"]
    suite = ElementTree.fromstring(said["junit"])
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("12", "0", "4")
    assert "exact_match" in said["markdown"]
    ringtrue("export", "last", "--format", "parquet", "-o", "rows.parquet")
    assert parquet.read_table(folder / "rows.parquet").column("exact_match").to_pylist() == [
        1.0,
        None,
        None,
        1.0,
        1.0,
        1.0,
    ]
    assert "goes to a file" in ringtrue("export", "last", "--format", "parquet", check=64).stderr
    assert "there is no run 'x'" in ringtrue("export", "x", "--format", "csv", check=64).stderr


def test_the_score_that_means_quality_is_the_one_the_verdict_is_about(folder: Path, ringtrue: Command) -> None:
    """It was once the first part, which for summaries is the precision."""
    write(folder / "s.jsonl", [{"question": "a", "answer": "A B C D"}])
    said = ringtrue("run", "-d", "s.jsonl", "-s", "things:up", "-e", "summarization_quality", "--json").stdout
    result = json.loads(said)
    assert result["made"]["datasets"][0]["headline"] == "rouge_l_f1"
    assert result["summaries"]["s.jsonl"]["up"]["mean_score"]["value"] == pytest.approx(0.4)
    named = ["-e", "summarization_quality(name='s')", "--fail-under", "s.rouge_l_f1=0.5"]
    complained = ringtrue("run", "-d", "s.jsonl", "-s", "things:up", *named, check=1).stderr
    assert "s.rouge_l_f1 is 0.40 over 1 row" in complained


def test_in_a_mixed_run_every_dataset_has_its_own_headline(folder: Path, ringtrue: Command) -> None:
    """It was once f1 for all, which a right sum in words does not reach; and nothing is pooled."""
    write(folder / "sums.jsonl", [{"question": "It is 1/2.", "answer": "0.5", "dataset": "gsm8k"}])
    write(folder / "who.jsonl", [{"question": "Ada", "answer": "Ada Lovelace", "dataset": "hotpotqa"}])
    words = ["run", "-d", "sums.jsonl", "-d", "who.jsonl", "-s", "things:echo", "-q"]
    result = json.loads(ringtrue(*words, "--json").stdout)
    assert {one["name"]: one["headline"] for one in result["made"]["datasets"]} == {
        "gsm8k": "math_equiv",
        "hotpotqa": "f1",
    }
    found = {dataset: own["echo"]["mean_score"]["value"] for dataset, own in result["summaries"].items()}
    assert found == {"gsm8k": 1.0, "hotpotqa": pytest.approx(2 / 3)}
    assert json.loads(ringtrue("show", "last", "--json").stdout)["summaries"] == result["summaries"]
    said = ringtrue("show", "last").stdout
    assert said.index("gsm8k   math_equiv, passes at") < said.index("hotpotqa   f1, passes at")
    ringtrue(*words, "--fail-under", "0.8")
    complained = ringtrue(*words, "--threshold", "0.9", "--fail-under", "0.8", check=1).stderr
    assert "pass_rate at 0.90 of echo on hotpotqa is 0.0 % over 1 row" in complained
    assert "gsm8k" not in complained
    named = json.loads(ringtrue(*words, "--headline", "f1", "--json").stdout)
    assert named["summaries"]["gsm8k"]["echo"]["mean_score"]["value"] < 1.0
    assert [row["dataset"] for row in exported(ringtrue)] == ["gsm8k", "hotpotqa"]


def test_estimated_tokens_are_called_so(folder: Path, ringtrue: Command) -> None:
    said = ringtrue("run", "-d", "q.jsonl", "-n", "1", "-s", "things:long", "-e", "not_empty").stdout
    assert "tokens out (estimated)" in said
    assert "estimate" not in ringtrue("run", "-d", "q.jsonl", "-s", "things:up", "-e", "not_empty").stdout


def test_the_cost_of_judges_is_reported_beside_that_of_systems(folder: Path, server: EndpointServer) -> None:
    server.plan()
    price = {"input": 1000.0, "output": 1000.0}
    (folder / "prices.json").write_text(json.dumps({"models": {"m": price, "wise": price}}))
    asked = ["run", "-d", "cities.jsonl", "-n", "2", "--proxy", server.base_url, "--model", "m"]
    with JudgeEndpoint(says={"rating": 5}) as judge:
        judged = ["--judge-url", judge.base_url, "--judge-model", "wise"]
        done = process(folder, *asked, *judged, RINGTRUE_PRICES="prices.json")
        report = json.loads(process(folder, "show", "last", "--json").stdout)
    cost = report["cost"]
    assert min(cost["systems"], cost["judges"]) > 0
    assert cost["total"] == pytest.approx(cost["systems"] + cost["judges"])
    assert report["spent"]["cost"] == pytest.approx(cost["judges"])
    assert f"2 rows · ${cost['total']:,.4f} · " in done.stdout.splitlines()[0]
    assert f"judges took 2 calls and 30 tokens, ${cost['judges']:,.4f}" in done.stdout
    free = process(folder, "run", "-d", "q.jsonl", "-s", "things:up")
    assert free.stdout
    assert "$" not in free.stdout


def test_a_store_from_a_newer_version_is_refused(folder: Path, ringtrue: Command) -> None:
    with Database(str(folder / "new.db")) as database, database.engine.begin() as connection:
        connection.exec_driver_sql("update ringtrue_facts set value = '99'")
    done = ringtrue("run", "-d", "q.jsonl", "-s", "things:slow", "--store", "new.db", check=3)
    assert "was written by a newer ringtrue" in done.stderr
    assert not (folder / "asked").exists()


def on_a_terminal(folder: Path, *words: str, **environment: str) -> str:
    """What a terminal shows of both outputs."""
    mine, its = pty.openpty()
    running = subprocess.Popen(
        [sys.executable, "-m", "ringtrue", *words], cwd=folder, stdout=its, stderr=its, stdin=its,
        env={**os.environ, "TERM": "xterm-256color", "COLUMNS": "100", **environment},
    )  # fmt: skip
    os.close(its)
    shown = b""
    while True:
        try:
            piece = os.read(mine, 65_536)
        except OSError:  # the other end is closed
            break
        if not piece:
            break
        shown += piece
    running.wait()
    os.close(mine)
    return shown.decode("utf-8", "replace")


COLOUR = re.compile(r"\x1b\[[0-9;]*(?:3[0-7]|4[0-7]|38|48|9[0-7])[0-9;]*m")


def test_progress_lives_on_a_terminal_and_colour_can_be_refused(folder: Path) -> None:
    write(folder / "many.jsonl", [{"id": n, "question": f"q{n}", "answer": f"Q{n}"} for n in range(30)])
    words = ["run", "-d", "many.jsonl", "-s", "things:slow", "--store", "a.db"]
    coloured = on_a_terminal(folder, *words)
    assert re.search(r"\d+ of 30", coloured)
    assert COLOUR.search(coloured)
    plain = on_a_terminal(folder, *words, "--fresh", NO_COLOR="1")
    assert re.search(r"\d+ of 30", plain)
    assert not COLOUR.search(plain)
    assert not re.search(r"\d+ of 30", on_a_terminal(folder, *words, "--fresh", "--quiet"))


def test_the_key_is_nowhere(folder: Path, server: EndpointServer) -> None:
    server.plan(shares={"401": 0.5})
    words = ["run", "-d", "cities.jsonl", "--proxy", server.base_url, "-o", "rows.jsonl", "--html", "run.html"]
    done = process(folder, *words, OPENAI_API_KEY="sk-very-secret-123")
    assert server.stats()["log"][0]["authorization"] == "Bearer sk-very-secret-123"
    kept = b"".join(path.read_bytes() for path in (folder / ".ringtrue").iterdir())
    assert b"very-secret" not in kept
    assert "very-secret" not in done.stdout + done.stderr
    assert "very-secret" not in (folder / "rows.jsonl").read_text() + (folder / "run.html").read_text()


@pytest.mark.heavy
def test_progress_is_plain_lines_where_there_is_not_a_terminal(folder: Path) -> None:
    write(folder / "many.jsonl", [{"id": n, "question": f"q{n}", "answer": f"Q{n}"} for n in range(150)])
    done = process(folder, "run", "-d", "many.jsonl", "-s", "things:slow", "--json")
    assert json.loads(done.stdout)["rows"] == 150
    lines = done.stderr.splitlines()
    assert lines
    for line in lines:
        assert re.match(r"ringtrue: \d+ of 150, \d+\.\d/s(, \d+\.\d s left|, \d+ min \d+ s left)?(, passed .*)?$", line)
        assert "\x1b" not in line
