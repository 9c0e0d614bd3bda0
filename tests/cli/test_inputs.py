"""What people type and the files they have: every wrong input is named, none is silently wrong."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from ringtrue.cli import main
from support.endpoint import EndpointServer


class Said(NamedTuple):
    """How a command ended and what it said."""

    code: int
    out: str
    err: str


Call = Callable[..., Said]

APP = """
import asyncio

def echo(text):
    with open("asked", "a") as log:
        log.write(text + "\\n")
    return text

def talk(messages):
    return messages[-1]["content"] + " " + str(len(messages))

def table(text):
    return {"text": text}
"""


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Call:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "inputs_app.py").write_text(APP)
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "my-app.py").write_text("def answer(text):\n    return 'from a file'\n")

    def ran(*words: str) -> Said:
        with pytest.raises(SystemExit) as ended:
            main(list(words))
        said = capfd.readouterr()
        return Said(int(ended.value.code or 0), said.out, said.err)

    yield ran
    for name in [name for name in sys.modules if name.startswith("inputs_app")]:
        del sys.modules[name]


def number(said: Said, key: str, system: str) -> tuple[int, int, float | None]:
    found = json.loads(said.out)["summaries"]
    summary = next(iter(found.values()))[system][key]
    return summary["n"], summary["skipped"], summary["value"]


TICKETS = "id;answer;response\n1;Zürich;Zürich\n2;Bern;Basel\n3;;Genf\n"


def test_a_windows_file_is_refused_or_read_whole_and_never_in_part(call: Call, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes(TICKETS.encode("cp1252"))
    said = call("score", "t.csv", "-e", "exact_match")
    assert said.code == 3
    assert said.out == ""
    assert "t.csv is not UTF-8 (byte 0xfc in line 2); it looks like Windows-1252: --encoding cp1252" in said.err
    said = call("score", "t.csv", "-e", "exact_match", "--encoding", "cp1252", "--json")
    assert number(said, "exact_match", "answers") == (2, 1, 0.5)
    asked = ["run", "t.csv", "-s", "replay:t.csv", "--map", "input=answer", "-e", "exact_match"]
    assert call(*asked).code == 3
    said = call(*asked, "--encoding", "cp1252", "--json")
    assert number(said, "exact_match", "t.csv") == (2, 1, 0.5)
    assert "no text encoding is named 'cp99'" in call("score", "t.csv", "-e", "not_empty", "--encoding", "cp99").err


def test_a_workbook_is_refused_by_name(call: Call, tmp_path: Path) -> None:
    (tmp_path / "t.xlsx").write_bytes(b"PK\x03\x04")
    said = call("score", "t.xlsx", "-e", "not_empty")
    assert said.code == 3
    assert said.err.count("\n") == 1
    assert "t.xlsx is a workbook" in said.err


def test_a_python_file_without_a_name_is_not_read_as_a_table(call: Call, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("RIVERS, SEAS = 1, 2\n\nprint(RIVERS)\n")
    said = call("run", "-d", "mine.py", "-s", "identity")
    assert "of a benchmark in it write mine.py:NAME" in said.err


def test_the_same_complaint_is_said_once_with_its_count(call: Call, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("id,said\n" + '1,"two\nlines"\n' + "".join(f"{n},x\n" for n in range(1_500)))
    said = call("score", "a.csv", "-e", "not_empty")
    assert said.code == 3
    assert said.err.count("no response (looked for") == 1
    assert "a.csv:2: no response" in said.err
    assert "as in a.csv:2, also in 1,500 more rows" in said.err


def test_complaints_that_differ_in_numbers_are_the_same(call: Call, tmp_path: Path) -> None:
    lines = ['{"response": "x"}', *('{"response": "' + "x" * n for n in range(1, 30)), "[1]", "[2]"]
    (tmp_path / "a.jsonl").write_text("\n".join(lines))
    said = call("score", "a.jsonl", "-e", "not_empty")
    assert "a.jsonl:2: not JSON: Unterminated string starting at column 14\n" in said.err
    assert "as in a.jsonl:2, also in 28 more rows" in said.err
    assert "as in a.jsonl:31, also in 1 more row\n" in said.err


def test_rows_without_a_question_are_refused_before_the_first_call(call: Call, tmp_path: Path) -> None:
    (tmp_path / "f.jsonl").write_text('{"frage": "France", "answer": "Paris"}\n')
    for system in (["-s", "inputs_app:echo"], ["--proxy", "http://127.0.0.1:9"]):
        said = call("run", "-d", "f.jsonl", *system, "-e", "exact_match")
        assert said.code == 64
        assert "looked for question, input, prompt" in said.err
        assert "the row has frage, answer" in said.err
        assert "--map input=FIELD" in said.err
    assert not (tmp_path / "asked").exists()
    assert call("run", "-d", "f.jsonl", "-s", "inputs_app:echo", "--map", "input=frage", "-e", "not_empty").code == 0
    assert (tmp_path / "asked").read_text() == "France\n"


def test_messages_are_asked_as_a_conversation(call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    messages = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hi"}]
    (tmp_path / "m.jsonl").write_text(json.dumps({"messages": messages, "answer": "Hi 2"}) + "\n")
    said = call("run", "m.jsonl", "-s", "inputs_app:talk", "-e", "exact_match", "--json")
    assert number(said, "exact_match", "talk") == (1, 0, 1.0)
    with EndpointServer() as server:
        assert call("run", "m.jsonl", "--proxy", f"e={server.base_url}", "-m", "x", "-e", "not_empty").code == 0
        assert server.asked() == {"Hi": 1}
    said = call("show", "dataset", "m.jsonl", "--json")
    assert json.loads(said.out)["examples"][0]["messages"] == messages


def test_a_function_that_returns_no_text_fails_and_says_so(call: Call, tmp_path: Path) -> None:
    (tmp_path / "q.jsonl").write_text('{"question": "q", "answer": "a"}\n')
    said = call("run", "q.jsonl", "-s", "inputs_app:table", "-e", "not_empty", "-o", "rows.jsonl", "--json")
    assert number(said, "not_empty", "table") == (1, 0, 0.0)
    assert "the system returned dict with 'text', not text" in (tmp_path / "rows.jsonl").read_text()


def test_stored_answers_say_what_their_file_has(call: Call, tmp_path: Path) -> None:
    (tmp_path / "q.csv").write_text("Ticket Nr,Frage,Gold\nT-1,a,x\nT-2,b,y\n")
    (tmp_path / "r.csv").write_text("Ticket Nr,Bot v2\nT-2,y\nT-1,x\n")
    maps = ["--map", "input=Frage", "--map", "expected=Gold", "--map", "id=Ticket Nr"]
    said = call("run", "q.csv", "-s", "replay:r.csv", *maps, "-e", "exact_match")
    assert said.code == 64
    assert "r.csv: no response (looked for response, output" in said.err
    assert "the row has Ticket Nr, Bot v2" in said.err
    said = call("run", "q.csv", "-s", "replay:r.csv", *maps, "--map", "response=Bot v2", "-e", "exact_match", "--json")
    assert number(said, "exact_match", "r.csv") == (2, 0, 1.0)
    (tmp_path / "s.jsonl").write_text('{"nr": "T-1", "response": "x"}\n')
    said = call("run", "q.csv", "-s", "replay:s.jsonl", *maps, "-e", "exact_match")
    assert said.code == 3
    shown = " ".join(said.out.split())
    assert "no stored answer for the case 'T-1'; s.jsonl has answers for 0: its rows have no id" in shown
    assert "the row has nr, response" in shown


def test_ids_of_cells_and_of_json_are_the_same(call: Call, tmp_path: Path) -> None:
    (tmp_path / "q.jsonl").write_text('{"id": 7, "question": "q", "answer": "x"}\n')
    (tmp_path / "r.csv").write_text("id,response\n7,x\n")
    said = call("run", "q.jsonl", "-s", "replay:r.csv", "-e", "exact_match", "--json")
    assert number(said, "exact_match", "r.csv") == (1, 0, 1.0)


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    (tmp_path / "q.jsonl").write_text('{"question": "Capital of Peru?", "answer": "Lima"}\n')
    return tmp_path / "q.jsonl"


def test_a_system_is_a_file_too(call: Call, questions: Path) -> None:
    assert call("run", "q.jsonl", "-s", "inputs_app.py:echo", "-e", "not_empty").code == 0
    assert call("run", "q.jsonl", "-s", "sub/my-app.py:answer", "-e", "not_empty").code == 0
    assert "'none.py' does not exist" in call("run", "q.jsonl", "-s", "none.py:answer", "-e", "not_empty").err
    assert "has no 'nobody'" in call("run", "q.jsonl", "-s", "inputs_app.py:nobody", "-e", "not_empty").err


WRONG = [
    (["run", "q.jsonl", "--proxy", "127.0.0.1:18111"], "such as http://127.0.0.1:18111"),
    (["run", "q.jsonl", "--proxy", "localhost:8000/v1"], "such as http://localhost:8000/v1"),
    (["run", "q.jsonl", "-s", "api.example.com/v1"], "write http://api.example.com/v1"),
    (["run", "q.jsonl", "--proxy", "inputs_app:echo"], "write the endpoint's URL"),
    (["run"], "Missing a dataset, as in 'ringtrue run gsm8k@sample'; 'ringtrue run --help' shows how\n"),
    (["list"], "Choose from: evaluators, datasets, samples, runs"),
    (["foo"], "ringtrue: no command 'foo'; 'ringtrue --help' shows all\n"),
    (["scor"], "ringtrue: no command 'scor'; did you mean 'score'?\n"),
    (["export", "last"], "Missing option '-f' / '--format': one of json, jsonl, csv"),
    (["export", "last", "-o", "x.txt"], "Missing option '-f' / '--format'"),
    (["score", "q.jsonl", "-e", "nonsense"], "no evaluator named 'nonsense'; 'ringtrue list evaluators' shows all"),
    (["score", "q.jsonl", "-e", "exactmatch"], "did you mean 'exact_match'?"),
]


@pytest.mark.parametrize(("words", "message"), WRONG, ids=[" ".join(words) for words, _ in WRONG])
def test_a_wrong_call_has_one_clear_line(words: list[str], message: str, call: Call, questions: Path) -> None:
    said = call(*words)
    assert said.code == 64
    assert message in said.err
    assert "\\n" not in said.err
    assert "\\t" not in said.err
    assert said.err.count("\n") == 1


def test_no_runs_are_said_and_an_export_follows_its_name(call: Call, questions: Path, tmp_path: Path) -> None:
    said = call("list", "runs")
    assert (said.code, said.out) == (0, "")
    assert "there are no runs in sqlite:///.ringtrue/ringtrue.db" in said.err
    assert json.loads(call("list", "runs", "--json").out) == []
    assert call("run", "q.jsonl", "-s", "inputs_app:echo", "-e", "not_empty").code == 0
    for name, start in (("x.csv", "id,"), ("x.md", "#"), ("x.xml", "<?xml"), ("x.html", "<!doctype"), ("x.json", "{")):
        assert call("export", "last", "-o", name).code == 0
        assert (tmp_path / name).read_text().lower().startswith(start), name


def test_own_files_can_be_looked_at(call: Call, questions: Path, tmp_path: Path) -> None:
    said = call("show", "dataset", "q.jsonl")
    assert said.code == 0
    assert "Capital of Peru?" in said.out
    assert "gold:\n  Lima" in said.out
    (tmp_path / "f.csv").write_bytes("frage;answer\nZürich?;ja\n".encode("cp1252"))
    assert "looks like Windows-1252" in call("show", "dataset", "f.csv").err
    assert "the row has frage, answer" in call("show", "dataset", "f.csv", "--encoding", "cp1252").err


def test_the_help_says_how_many_are_in_flight(call: Call) -> None:
    said = " ".join(call("run", "--help").out.split())
    assert "1 for a function, 16 for an async function, 64 for an endpoint" in said


OWN = """
def same(case, output):
    return output == case.expected_output

class Level:
    name = "level"

    def __init__(self, value=0.25):
        self.value = value

    def score(self, original, processed):
        return {"level": self.value}
"""
OWN_EVALUATORS = [
    ("own.py:same", 0, "0.5"),
    ("own:same", 0, "0.5"),
    ("own.py:Level", 0, "0.25"),
    ("own.py:Level(value=0.75)", 0, "0.75"),
    ("own.py:Level(vale=0.75)", 64, "did you mean 'value'?"),
    ("own.py:nothing", 64, "has no 'nothing'"),
    ("none.py:same", 64, "'none.py' does not exist; write FILE.py:NAME"),
]


@pytest.mark.parametrize(("spec", "code", "message"), OWN_EVALUATORS, ids=[spec for spec, *_ in OWN_EVALUATORS])
def test_an_evaluator_of_ones_own_is_named_by_its_file(call: Call, spec: str, code: int, message: str) -> None:
    Path("own.py").write_text(OWN)
    rows = [{"question": "q", "answer": "a", "response": response} for response in "ab"]
    Path("rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    said = call("score", "rows.jsonl", "-e", spec, "--json")
    assert said.code == code, said.err
    assert message in (said.err if code else said.out)


def test_why_judges_failed_is_reported_once(call: Call) -> None:
    Path("rows.jsonl").write_text('{"question": "q", "answer": "a", "response": "a"}\n')
    with EndpointServer(shares={"404": 1.0}) as server:
        said = call("score", "rows.jsonl", "-e", "llm_judge", "--judge-url", server.base_url, "--judge-model", "m")
    assert said.code == 3
    assert (said.out + said.err).count("a failure on purpose") == 1
