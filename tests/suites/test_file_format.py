"""Declarative suites: three formats with one meaning, and messages that say where and what to write."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from ringtrue.datasets.files.config_file import read_structured
from ringtrue.errors import ConfigurationError, InputError, RingtrueError
from ringtrue.suites.file_format import read_suite
from ringtrue.suites.load import load_suite
from ringtrue.suites.schema import suite_schema

ROOT = Path(__file__).parent.parent.parent
TEMPLATES = ROOT / "src" / "ringtrue" / "cli" / "templates"

YAML = """
name: capitals
purpose: regression
system: {command: cat}
runs: 2
fail_threshold: 0.9
tags: [all]
evaluators:
  - not_empty
  - word_count(max_words=50)
  - contains: {substrings: [capital], weight: 2, name: says}
cases:
  - input: "capital of France: Paris"
    expected_output: Paris
    id: fr
    tags: [europe]
    evaluators:
      - contains: [Paris]
  - question: capital of Norway
    answer: no
"""
TOML = """
name = "capitals"
purpose = "regression"
system = { command = "cat" }
runs = 2
fail_threshold = 0.9
tags = ["all"]
evaluators = ["not_empty", "word_count(max_words=50)",
  { contains = { substrings = ["capital"], weight = 2, name = "says" } }]
[[cases]]
input = "capital of France: Paris"
expected_output = "Paris"
id = "fr"
tags = ["europe"]
evaluators = [{ contains = ["Paris"] }]
[[cases]]
question = "capital of Norway"
answer = "no"
"""


def written(folder: Path, text: str, name: str = "x.suite.yaml") -> Path:
    path = folder / name
    path.write_text(text)
    return path


def document(**changes: Any) -> dict[str, Any]:
    given = {"evaluators": ["not_empty"], "cases": [{"input": "q"}], **changes}
    return {key: value for key, value in given.items() if value is not ...}


@pytest.mark.parametrize("suffix", ["yaml", "yml", "toml", "json"])
def test_every_format_says_the_same(suffix: str, tmp_path: Path) -> None:
    text = {"toml": TOML, "json": json.dumps(read_structured(written(tmp_path, YAML)))}.get(suffix, YAML)
    loaded = load_suite(written(tmp_path, text, f"c.suite.{suffix}"))
    assert loaded.suite.name == "capitals"
    assert [(case.id, case.tags, names) for case, names in loaded.suite.planned_checks()] == [
        ("fr", ("europe", "all"), ["not_empty", "word_count", "says", "contains"]),
        ("#2", ("all",), ["not_empty", "word_count", "says"]),
    ]
    assert [case.expected for case, _ in loaded.file.cases] == [("Paris",), ("no",)]
    report = loaded.run(verbose=False, store=None)
    assert (report.passed, report.runs_per_case) == (2, 2)
    assert report.case_results[0].weights["says"] == 2.0


def test_the_name_of_the_file_is_the_suites_name(tmp_path: Path) -> None:
    path = written(tmp_path, json.dumps(document()), "weather.suite.json")
    assert load_suite(path).suite.name == "weather"


def test_the_example_runs() -> None:
    report = load_suite(TEMPLATES / "capital.suite.toml").run(verbose=False, store=None)
    assert (report.passed, report.total) == (3, 3)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("c.jsonl", '{"id": 1, "question": "q", "answer": "a", "tags": ["t"]}\n{"question": "r", "level": 3}\n'),
        ("c.csv", "id,question,answer,tags\n1,q,a,t\n,r,,\n"),
    ],
)
def test_cases_may_be_in_a_file_beside_the_suite(name: str, text: str, tmp_path: Path) -> None:
    written(tmp_path, text, name)
    path = written(tmp_path, json.dumps(document(cases=name)), "x.suite.json")
    (first, _), (second, _) = load_suite(path).suite.planned_checks()
    assert (str(first.id), first.input, first.expected, first.tags) == ("1", "q", ("a",), ("t",))
    assert (second.input, second.expected, second.tags) == ("r", None, ())


def test_a_system_is_looked_for_beside_the_suite(tmp_path: Path) -> None:
    for folder, word in (("one", "first"), ("two", "second")):
        (tmp_path / folder).mkdir()
        written(tmp_path / folder, f"class app:\n    def answer(q): return {word!r}\n", "same_name.py")
        content = document(system="same_name:app.answer", evaluators=[{"contains": [word]}])
        path = written(tmp_path / folder, json.dumps(content), "x.suite.json")
        assert load_suite(path).run(verbose=False, store=None).pass_rate == 1.0


@pytest.mark.parametrize(
    ("system", "name"),
    [
        ({"command": ["cat", "-"], "name": "kitty"}, "kitty"),
        ("command:cat", "cat"),
        ({"replay": "answers.jsonl"}, "answers.jsonl"),
        ({"endpoint": "http://localhost:9", "model": "m", "name": "e", "parameters": {"temperature": 0}}, "e"),
        ("http://localhost:9/v1", "openai_proxy_localhost:9"),
    ],
    ids=str,
)
def test_kinds_of_system(system: Any, name: str, tmp_path: Path) -> None:
    written(tmp_path, '{"id": 1, "response": "x"}\n', "answers.jsonl")
    path = written(tmp_path, json.dumps(document(system=system)), "x.suite.json")
    assert load_suite(path).system().name == name


@pytest.mark.parametrize(
    ("spec", "good", "bad"),
    [
        ({"any_of": [{"contains": ["a"]}, "starts_with(prefix='b')"]}, "ba", "c"),
        ({"all_of": {"evaluators": ["not_empty", {"contains": ["a"]}], "name": "both"}}, "a", "b"),
        ({"not": {"contains": ["a"]}}, "b", "a"),
        ({"not": "is_json"}, "text", "1"),
        ({"json_schema": {"schema": {"type": "integer"}}}, "1", '"x"'),
        ({"starts_with": "Sure"}, "Sure.", "No."),
        ({"word_count": {"max_words": 1, "weight": 3}}, "one", "one two"),
    ],
    ids=str,
)
def test_evaluators_with_settings(spec: Any, good: str, bad: str, tmp_path: Path) -> None:
    path = written(tmp_path, json.dumps(document(evaluators=[spec])), "x.suite.json")
    jsonschema_rs.Draft202012Validator(SCHEMA).validate(document(evaluators=[spec]))
    suite = load_suite(path).suite
    case = suite.cases[0]
    report = suite.run_on_cases([(case, good), (case, bad)], verbose=False)
    assert [result.passed for result in report.case_results] == [True, False]


SCHEMA = json.loads((ROOT / "docs" / "reference" / "suite.schema.json").read_text())

WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "unknown-key": (document(evaluator=["x"]), "no key 'evaluator' here; did you mean 'evaluators'?"),
    "no-cases": (document(cases=...), "cases: must be a list of cases with an input each, or the name of a file"),
    "empty-cases": (document(cases=[]), "cases: must be a list of cases"),
    "case-without-input": (document(cases=[{"expected": "x"}]), "cases[1]: has no input"),
    "case-is-text": (document(cases=["q"]), "cases[1]: must be a table with an input; got 'q'"),
    "case-key": (
        document(cases=[{"input": "q", "expcted": 1}]),
        "cases[1]: no key 'expcted' here; did you mean",
    ),
    "case-tags": (document(cases=[{"input": "q", "tags": "x"}]), "cases[1].tags: must be a list of texts; got 'x'"),
    "case-metadata": (document(cases=[{"input": "q", "metadata": 1}]), "cases[1].metadata: must be a table; got 1"),
    "case-id": (document(cases=[{"input": "q", "id": [1]}]), "cases[1].id: must be text or a whole number"),
    "evaluators-as-text": (document(evaluators="not_empty"), "evaluators: must be a list, such as"),
    "evaluator-with-two-names": (document(evaluators=[{"a": 1, "b": 2}]), "evaluators[1]: must be text, such as"),
    "weight": (
        document(evaluators=[{"not_empty": {"weight": 0}}]),
        "evaluators[1].not_empty.weight: must be",
    ),
    "threshold": (document(fail_threshold=90), "fail_threshold: must be a number from 0 to 1"),
    "runs": (document(runs=0), "runs: must be a whole number of at least 1"),
    "runs-as-text": (document(runs="3"), "runs: must be a whole number of at least 1"),
    "timeout": (document(timeout=-1), "timeout: must be a number of seconds above 0"),
    "purpose": (document(purpose="fun"), "purpose: must be one of capability, regression; got 'fun'"),
    "system-kind": (
        document(system={"url": "x"}),
        "system: write MODULE:FUNCTION, or a table with one of",
    ),
    "system-key": (document(system={"command": "cat", "model": "m"}), "system: no key 'model' here"),
    "api-key": (document(system={"endpoint": "http://x", "api_key": "s3cret"}), "set OPENAI_API_KEY"),
    "name": (document(name=3), "name: must be text; got 3"),
    "not-a-table": ([1], "a suite is a table of keys"),  # type: ignore[dict-item]
}
MEANING: dict[str, tuple[dict[str, Any], str]] = {
    "nothing-measures": (document(evaluators=...), "evaluators: nothing measures the case"),
    "two-names-of-one-thing": (
        document(cases=[{"input": "q", "question": "r"}]),
        "'question' and 'input' mean the same",
    ),
    "unknown-evaluator": (
        document(evaluators=["not_emty"]),
        "evaluators[1]: no evaluator named 'not_emty'; did",
    ),
    "unknown-setting": (
        document(evaluators=[{"bleu": {"q": 1}}]),
        "evaluators[1]: bleu: got an unexpected keyword",
    ),
    "wrong-setting": (
        document(evaluators=[{"contains": "Paris"}]),
        "evaluators[1]: substrings must be a list",
    ),
    "missing-setting": (
        document(evaluators=["contains"]),
        "evaluators[1]: 'contains': missing a required",
    ),
    "in-a-case": (
        document(cases=[{"input": "q", "evaluators": ["regex_match(pattern='(')"]}]),
        "cases[1].evaluators[1]: ",
    ),
    "no-file": (document(cases="none.jsonl"), "none.jsonl' does not exist"),
}


@pytest.mark.parametrize(("content", "message"), [*WRONG.values(), *MEANING.values()], ids=[*WRONG, *MEANING])
def test_what_is_wrong_is_said_with_its_place(content: Any, message: str, tmp_path: Path) -> None:
    path = written(tmp_path, json.dumps(content), "x.suite.json")
    with pytest.raises(RingtrueError) as caught:
        load_suite(path)
    assert message in str(caught.value)
    assert str(path) in str(caught.value) or "does not exist" in message
    assert "s3cret" not in str(caught.value)


@pytest.mark.parametrize("content", [content for content, _ in WRONG.values()], ids=WRONG)
def test_the_schema_refuses_what_the_reader_refuses(content: Any) -> None:
    assert not jsonschema_rs.Draft202012Validator(SCHEMA).is_valid(content)


@pytest.mark.parametrize(
    ("system", "message"),
    [
        ("no_such_module_here:f", "system: cannot import 'no_such_module_here'"),
        ("json:no_such", "system: the module 'json' has no 'no_such'"),
        ("json", "system: no system 'json'; write FILE.py:FUNCTION, MODULE:FUNCTION"),
        (None, "system: there is none"),
        ({"command": []}, "system: a command needs at least a program"),
    ],
    ids=str,
)
def test_a_wrong_system_is_named_when_it_is_needed(system: Any, message: str, tmp_path: Path) -> None:
    loaded = load_suite(written(tmp_path, json.dumps(document(system=system)), "x.suite.json"))
    with pytest.raises(ConfigurationError) as caught:
        loaded.run(verbose=False, store=None)
    assert message in str(caught.value)


@pytest.mark.parametrize("path", [TEMPLATES / "capital.suite.toml"], ids=lambda path: path.name)
def test_the_schema_accepts_what_init_writes(path: Path) -> None:
    jsonschema_rs.Draft202012Validator(SCHEMA).validate(read_structured(path))


def test_the_schema_in_the_docs_is_the_one_the_code_makes() -> None:
    assert suite_schema() == SCHEMA, "run: make docs"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("no", "no"),
        ("on", "on"),
        ("12:30", "12:30"),
        ("012", "012"),
        ("0x1F", "0x1F"),
        ("2024-01-01", "2024-01-01"),
        ("1_000", "1_000"),
        ("~", None),
        ("-3", -3),
        ("1.50", 1.5),
        ("1e3", 1000.0),
        ("true", True),
        (".5", ".5"),
    ],
)
def test_yaml_takes_nothing_for_what_it_is_not(text: str, value: object, tmp_path: Path) -> None:
    found = read_structured(written(tmp_path, f"a: {text}\n"))["a"]
    assert (found, type(found)) == (value, type(value))


def test_yaml_knows_aliases_and_merges(tmp_path: Path) -> None:
    path = written(tmp_path, "base: &b {a: 1}\nmore: {<<: *b, c: 2}\n")
    assert read_structured(path) == {"base": {"a": 1}, "more": {"a": 1, "c": 2}}


LAUGHS = "a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 9))


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("x.yaml", "a: 1\nb: 2\na: 3\n", "the key 'a' is given twice"),
        ("x.json", '{"a": 1, "a": 2}', "the key 'a' is given twice"),
        ("x.toml", "a = 1\na = 2\n", "is not valid TOML"),
        ("x.yaml", "a: [1\n", "is not valid YAML"),
        ("x.json", "{", "is not valid JSON"),
        ("x.json", '{"a": NaN}', "NaN is not JSON"),
        ("x.toml", "a = inf", "inf is not a number"),
        ("x.yaml", "a: !!python/object/apply:os.getcwd []\n", "could not determine a constructor"),
        ("x.yaml", LAUGHS, "more than 500,000 values"),
        ("x.yaml", "&a [*a]", "nested more than 100 deep"),
        ("x.yaml", "- " * 5_000, "nested more than 100 deep"),
        ("x.json", "[" * 100_000, "nested more than 100 deep"),
        ("x.toml", "a = " + "[" * 100_000, "nested more than 100 deep"),
        ("x.yaml", "1: a\n", "the key 1 is not text"),
        ("x.yaml", "? [a]\n: b\n", "is not valid YAML"),
        ("x.txt", "a", "cannot tell the format"),
        ("x.json", "9" * 5_000, "is not valid JSON"),
    ],
    ids=lambda value: ascii(value)[:30],
)
def test_files_that_cannot_be_used(name: str, text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError) as caught:
        read_structured(written(tmp_path, text, name))
    assert message in str(caught.value)


def test_a_file_that_is_not_there_or_not_text(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="does not exist"):
        read_suite(tmp_path / "none.suite.toml")
    (tmp_path / "x.suite.yaml").write_bytes(b"a: \xff")
    with pytest.raises(ConfigurationError, match="not UTF-8 at byte 3"):
        read_suite(tmp_path / "x.suite.yaml")
    (tmp_path / "y.suite.json").write_bytes(b"\xef\xbb\xbf" + json.dumps(document()).encode())
    assert read_suite(tmp_path / "y.suite.json").name == "y"
