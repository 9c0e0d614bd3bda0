"""A wrong call of any command says in one plain message what is wrong and what to do, and exits with the right code."""

# ruff: noqa: E501 - one call a line
from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ringtrue.cli import main

FILES = {
    "a.jsonl": '{"id": 1, "question": "Capital of France?", "answer": "Paris", "response": "Paris"}\n',
    "odd.jsonl": '{"frage": "x", "antwort": "y"}\n',
    "header.csv": "question,answer,response\n",
    "empty.csv": "",
    "list.json": "[1, 2]",
    "wrong_calls_app.py": "def first(question):\n    return 'Paris'\nNUMBER = 3\n",
    "wrong_calls_import.py": "import no_such_module_at_all\n",
    "wrong_calls_syntax.py": "def f(:\n",
    "wrong_calls_raise.py": "x = 1\nraise RuntimeError('not today')\n",
    "good.suite.toml": 'evaluators = ["not_empty"]\nsystem = { command = "cat" }\n[[cases]]\ninput = "hello"\n',
    "bad.suite.toml": "name = \n",
    "key.suite.toml": 'modle = "x"\n',
    "bad.suite.yaml": "name: [1,\n",
}
RUN = "run -d a.jsonl -s wrong_calls_app.py:first -q"
WRONG = [
    ("scroe a.jsonl", 64, "no command 'scroe'; did you mean 'score'?"),
    ("run", 64, "Missing a dataset, as in 'ringtrue run gsm8k@sample'"),
    ("run -d none.jsonl -s identity", 64, "'none.jsonl' does not exist; give a file"),
    ("run -d gsm8 -s identity", 64, "no dataset named 'gsm8'; did you mean 'gsm8k'?"),
    ("run -d gsm8k@tset -s identity", 64, "no dataset named 'gsm8k@tset'; 'gsm8k' is read from another split by --split tset"),
    ("run -d a.jsonl -s wrong_calls_app.py:frist", 64, "the module 'wrong_calls_app' has no 'frist'; did you mean 'first'?"),
    ("run -d a.jsonl -s wrong_calls_app.py:NUMBER", 64, "3 is not a system: pass a function"),
    ("run -d a.jsonl -s wrong_calls_app.py", 64, "is a file; name the function in it, as in wrong_calls_app.py:answer"),
    ("run -d a.jsonl -s none.py:first", 64, "'none.py' does not exist; write FILE.py:NAME"),
    ("run -d a.jsonl -s wrong_calls_import.py:f", 64, "No module named 'no_such_module_at_all'; install it, or correct the name"),
    ("run -d a.jsonl -s wrong_calls_syntax.py:f", 64, "cannot import 'wrong_calls_syntax': SyntaxError: "),
    ("run -d a.jsonl -s wrong_calls_raise.py:f", 64, "RuntimeError: not today (wrong_calls_raise.py, line 2)"),
    ("run -d a.jsonl -s lcoal", 64, "no system 'lcoal'; did you mean 'local'? write FILE.py:FUNCTION"),
    ("run -d a.jsonl -s truncate:abc", 64, "truncate needs a number of tokens, as in truncate:2000"),
    ("run -d a.jsonl -s replay:odd.jsonl", 64, "odd.jsonl: no response (looked for response, output"),
    ("run -d a.jsonl --proxy model.example -m x", 64, "write the endpoint's URL, such as http://model.example, or local"),
    (f"{RUN} -m large", 64, "--model 'large': no endpoint to request it from; add --proxy URL"),
    (f"{RUN} -n x", 64, "'x' is not a whole number; 'ringtrue run --help' shows how"),
    (f"{RUN} -n 1 -n 2", 64, "-n/--limit/--max-examples is given 2 times; it takes one value"),
    (f"{RUN} -s wrong_calls_app.py:first", 64, "two systems are named 'first'; give each its own: -s NAME=SPEC, or"),
    (f"{RUN} -e exactmatch", 64, "no evaluator named 'exactmatch'; did you mean 'exact_match'?"),
    (f"{RUN} -e f1", 64, "no evaluator named 'f1'; it is a part of answer_quality"),
    (f"{RUN} -e contains(substrings='x')", 64, "substrings must be a list of texts, as in Contains(['x'])"),
    (f"{RUN} -e exact_match -e exact_match", 64, "give one another name, as in exact_match(name='second')"),
    (f"{RUN} --fail-under 80", 64, "--fail-under '80': write a number from 0 to 1, such as 0.8, or PART=NUMBER"),
    (f"{RUN} --fail-under pass=0.5", 64, "--fail-under: no part 'pass'; there are f1"),
    (f"{RUN} --map foo=bar", 64, "a mapping (--map) names the field of response, expected"),
    (f"{RUN} --map input=none", 64, "--map input=none: a row has no field 'none'; it has id, question, answer, response"),
    (f"{RUN} --ray-address auto", 64, "--ray-address needs --executor ray"),
    (f"{RUN} -o out.xyz", 64, "cannot tell the format of 'out.xyz'; end its name in .jsonl, .csv, .parquet"),
    (f"{RUN} -o a.jsonl", 64, "-o 'a.jsonl' is a file that this command reads; give it another name"),
    (f"{RUN} --html wrong_calls_app.py", 64, "--html 'wrong_calls_app.py' is a file that this command reads"),
    ("run -d gsm8k@sample -s replay:a.jsonl --junit a.jsonl", 64, "--junit 'a.jsonl' is a file that this command reads"),
    ("score a.jsonl --html ./a.jsonl", 64, "--html './a.jsonl' is a file that this command reads"),
    ("score a.jsonl --html x.html --markdown x.html", 64, "--html and --markdown name the same file 'x.html'; give each its own"),
    ("suite good.suite.toml --html good.suite.toml", 64, "--html 'good.suite.toml' is a file that this command reads"),
    ("export a.jsonl -o a.jsonl", 64, "-o 'a.jsonl' is a file that this command reads"),
    (f"{RUN} --cache-dir x --store y.db", 64, "--cache-dir and --store both name the store; leave one out"),
    (f"{RUN} --few-shot 2", 64, "few_shot works only with a benchmark by name, such as gsm8k"),
    (f"{RUN} --temperature hot", 64, "'hot' is not a number; 'ringtrue run --help' shows how"),
    (f"{RUN} --store mysql://x/y", 64, "mysql is not supported; write sqlite:///file.db or postgresql://"),
    (f"{RUN} --store a.jsonl", 3, "cannot open the store 'sqlite:///a.jsonl': file is not a database"),
    ("run -d list.json -s identity", 3, "list.json: row 1: not an object but a number"),
    ("run -d header.csv -s identity", 64, "'header.csv' has no rows"),
    ("score", 64, "Missing argument 'FILE...'; 'ringtrue score --help' shows how"),
    ("score nq@smaple", 64, "'nq@smaple' does not exist; give a file, a sample ('ringtrue list samples')"),
    ("score header.csv -q", 3, "nothing was measured: no rows"),
    ("score empty.csv -q", 3, "empty.csv is empty; a CSV file starts with a line of column names"),
    ("score a.jsonl --encoding klingon", 64, "no text encoding is named 'klingon'; write utf-8"),
    ("score a.jsonl -e code_execution -q", 3, "nothing was measured: 1 row, 0 errors; the first: the row has no tests"),
    ("score a.jsonl --judge-url foo", 64, "'foo' cannot be used: it must start with http:// or https://"),
    ("score a.jsonl -e llm_judge -q", 64, "no API key: set OPENAI_API_KEY, or OPENAI_BASE_URL for a server that needs none"),
    ("suite bad.suite.toml", 64, "bad.suite.toml is not valid TOML: Invalid value (at line 1"),
    ("suite a.jsonl", 64, "cannot tell the format of 'a.jsonl'; end its name in .yaml, .yml, .toml, .json"),
    ("suite .", 64, "'.' is a folder; give a file in YAML, TOML or JSON"),
    ("suite bad.suite.yaml", 64, "bad.suite.yaml is not valid YAML: expected the node content, but found '<stream end>' (at line 2"),
    ("suite key.suite.toml", 64, "key.suite.toml: no key 'modle' here; did you mean 'model_id'?"),
    ("suite good.suite.toml --tag x", 64, "no case has the tag 'x'; no case has a tag"),
    ("suite good.suite.toml --case x", 64, "no case has the id 'x'; there are #1"),
    ("suite good.suite.toml --judges", 64, "--judges goes with --validate"),
    ("view zzz --no-open", 64, "there is no run 'zzz': there is no store; 'ringtrue run' makes one, --store names another"),
    ("explain exact", 64, "no evaluator named 'exact'; did you mean 'exact_match'?"),
    ("show dataset gsm", 64, "no dataset named 'gsm'; did you mean 'gsm8k'?"),
    ("run -d gsm8k@sampl", 64, "no dataset named 'gsm8k@sampl'; did you mean 'gsm8k@sample'?"),
    ("show dataset", 64, "give one RUN, or: dataset NAME; 'ringtrue show --help' shows how"),
    ("show a.jsonl", 3, "a.jsonl: row 1 is not a row that ringtrue wrote: it has no 'scores'; 'ringtrue score' reads"),
    ("show header.csv", 64, "'header.csv' cannot be read as a run: a file of rows ends in .jsonl or .parquet"),
    ("show zzz", 64, "there is no store 'sqlite:///.ringtrue/ringtrue.db'; 'ringtrue run' makes one"),
    ("list runz", 64, "'runz' is not one of 'evaluators', 'datasets', 'samples', 'runs'"),
    ("export a.jsonl -f xml", 64, "'xml' is not one of 'json', 'jsonl'"),
    ("compare a.jsonl", 3, "a.jsonl: row 1 is not a row that ringtrue wrote"),
    ("gate a.jsonl --rules none.toml", 64, "there is no file of rules 'none.toml'"),
    ("gate a.jsonl --rules bad.suite.toml", 64, "bad.suite.toml is not valid TOML"),
    ("calibrate a.jsonl -e exact_match", 64, "--label FIELD names it, label= in Python"),
    ("init a.jsonl", 64, "'a.jsonl' is a file; name a folder"),
    ("generate none.md --author-url local", 64, "cannot read 'none.md': No such file or directory"),
    ("simulate -s identity -o t.jsonl", 64, "name the users: --personas FILE, or --product FILE to generate them from a text"),
    ("rescore a.jsonl", 64, "Missing option '-e' / '--evaluator'"),
    ("local serve --model a.jsonl", 64, "'a.jsonl' is not a GGUF file"),
    ("store copy none.db other.db", 64, "there is no store 'sqlite:///none.db'"),
    ("store prune", 64, "say which runs: --older-than DAYS, --keep N, or both"),
    ("certify --judge-model x", 64, "--judge-model needs --judge-url"),
    ("run -d a.jsonl -d a.jsonl -s identity", 64, "'a.jsonl' is named twice; --repeats N asks every case N times"),
    ("score a.jsonl a.jsonl -e exact_match", 64, "'a.jsonl' is named twice; its rows would count as further evidence"),
    ("run -d a.jsonl --proxy ftp://host -m x", 64, "write the endpoint's URL, such as http://host, or local"),
    ("run -d a.jsonl -s identity --threshold 7", 64, "7.0 is not between 0 and 1"),
    ("certify --judge-url foo", 64, "it must start with http:// or https:// and name a host"),
]  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    yield tmp_path
    for name in [name for name in sys.modules if name.startswith("wrong_calls_")]:
        del sys.modules[name]


@pytest.mark.parametrize(("words", "code", "message"), WRONG, ids=[words for words, _, _ in WRONG])
def test_a_wrong_call(words: str, code: int, message: str, folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(words.split())
    said = capfd.readouterr()
    lines = said.err.splitlines()
    assert ended.value.code == code, said.err
    assert message in said.err
    assert len(set(lines)) == len(lines)
    assert all(line.startswith("ringtrue: ") for line in lines)
    assert sum(line.count(message) for line in lines) == 1


def test_a_judge_without_a_verdict_is_nothing_measured(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["certify", "--judge-url", "http://127.0.0.1:1", "--judge-model", "x", "--answers", "2", "--pairs", "2"])
    assert ended.value.code == 3
    assert "Verdict: nothing could be measured" in capfd.readouterr().out


FULL = "ringtrue: cannot write to standard output: No space left on device\n"


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        ("explain contains >/dev/full", 3, FULL),
        ("explain contains >&-", 0, ""),
        ("--version >/dev/full", 3, FULL),
        ("--version >&-", 0, ""),
        ("nonsense 2>/dev/full", 64, ""),
        ("nonsense 2>&-", 64, ""),
    ],
)
def test_a_full_or_closed_device_ends_without_a_traceback(words: str, code: int, message: str) -> None:
    command = f"exec {shlex.quote(sys.executable)} -m ringtrue {words}"
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, env=buffered)
    assert (done.returncode, done.stderr) == (code, message)


def test_control_characters_of_a_call_are_not_printed(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["score", "\x1b[31mred\x07.jsonl"])
    said = capfd.readouterr().err
    assert "no file matches" in said
    assert not {"\x1b", "\x07"} & {*said}
