"""A locked suite: what its verdicts depend on is told, and what changed since."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from ringtrue import EvalCase, EvalSuite
from ringtrue.api.declared import declare_dependencies
from ringtrue.api.engine import engine, packages, sources
from ringtrue.api.suite_lock import LockMismatch, SuiteLock
from ringtrue.cli import invoke, main
from ringtrue.errors import AbsentFile, ConfigurationError, InputError, RecordError
from ringtrue.evaluators import Contains, NotEmpty, WordCount


def suite(*checks: Any, case: EvalCase | None = None, own: Any = ()) -> EvalSuite:
    given = case or EvalCase("q", "a", case_id="one")
    return EvalSuite("locked").add_case(given, own).add_evaluators(*checks or (WordCount(max=9),))


def test_the_same_suite_has_the_same_lock(tmp_path: Path) -> None:
    lock = suite().lock()
    assert lock == suite().lock()
    path = tmp_path / "deep" / "suite.lock.json"
    lock.save(path)
    assert SuiteLock.read(path) == lock
    suite().verify_lock(path)
    suite().verify_lock(lock)


@pytest.mark.parametrize(
    ("other", "words"),
    [
        pytest.param(suite(WordCount(max=9), NotEmpty()), "the check not_empty was added", id="one-more"),
        pytest.param(suite(NotEmpty()), "the check word_count was removed", id="another"),
        pytest.param(
            suite(WordCount(max=9), WordCount(max=5)), "the check word_count (2) was added", id="two-of-one-name"
        ),
        pytest.param(suite(WordCount(max=10)), "the check word_count: WordCount(", id="a-setting"),
        pytest.param(suite((WordCount(max=9), 2.0)), ", weight 2", id="weight"),
        pytest.param(suite(case=EvalCase("q", "b", case_id="one")), "the case 'one': ", id="a-case"),
        pytest.param(suite(case=EvalCase("q", "a", case_id="two")), "the case 'one' was removed", id="another-case"),
        pytest.param(suite(own=[Contains(["a"])]), "check contains of the case 'one' was added", id="own-check"),
        pytest.param(EvalSuite("other").add_cases(suite().cases), "the suite's name: locked -> other", id="name"),
    ],
)
def test_what_changed_is_told(other: EvalSuite, words: str) -> None:
    with pytest.raises(LockMismatch, match="not the one that was locked") as failure:
        other.verify_lock(suite().lock())
    assert any(words in line.replace("word_count=", "") for line in failure.value.differences)


def test_the_code_of_a_check_of_ones_own_is_part_of_it() -> None:
    def has_a(output: str) -> bool:
        return "a" in output

    one = suite(has_a).lock()

    def has_a(output: str) -> bool:  # type: ignore[no-redef]
        return "a" in output.lower()

    assert suite(has_a).lock().differences(one)


def test_what_a_check_declares_is_part_of_it(tmp_path: Path) -> None:
    def known(output: str) -> bool:
        return output in words.read_text()

    words = tmp_path / "private.txt"
    words.write_text("a")
    locks = []
    for version, text in (("1", "a"), ("1", "b"), ("2", "b")):
        words.write_text(text)
        check = declare_dependencies(known, version=version, dependencies={"model": "m1"}, files={"words": words})
        locks.append(suite(check).lock())
    assert str(tmp_path) not in locks[0].text
    (told,) = locks[1].differences(locks[0])
    assert told.startswith("the files that the check known declares: ")
    assert locks[2].differences(locks[1]) == ['the version that the check known declares: "1" -> "2"']
    words.unlink()
    with pytest.raises(ConfigurationError, match="the declared file 'words' is unavailable"):
        suite(check).lock()


@pytest.mark.parametrize(
    "wrong",
    [
        {"version": "", "dependencies": {}},
        {"version": "1", "dependencies": {"x": ""}},
        {"version": "1", "dependencies": {"x": 4}},
        {"version": "1", "dependencies": {}, "files": {4: "x"}},
    ],
    ids=["no-version", "no-revision", "a-number", "no-name"],
)
def test_a_wrong_declaration_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError, match=r"version|dependencies|files"):
        declare_dependencies(len, **wrong)


def test_another_engine_is_told() -> None:
    lock = suite().lock()
    data = lock.data
    del data["digest"], data["schema"]
    data["engine"]["python"] = "2.7.18"
    data["engine"]["packages"].append(["left-pad", "1.0"])
    told = lock.differences(SuiteLock.of(data))
    assert told == ["the package left-pad was removed", f"python: 2.7.18 -> {sys.version.split()[0]}"]


def test_a_file_that_is_no_lock_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    for text in ("", "[]", "{}", "5", "null", json.dumps(suite().lock().data | {"suite": "changed"}), "[" * 100_000):
        path.write_text(text)
        with pytest.raises(InputError, match="not a suite's lock"):
            SuiteLock.read(path)
    with pytest.raises(AbsentFile, match="there is no lock"):
        SuiteLock.read(tmp_path / "none")
    with pytest.raises(RecordError, match="something is missing"):
        SuiteLock.of({"suite": "s", "engine": {}, "checks": [], "cases": []})


def test_the_engine_is_ringtrue_and_what_it_needs(tmp_path: Path) -> None:
    names = [name for name, _ in packages("ringtrue")]
    assert {"ringtrue", "orjson"} <= set(names)
    assert "pytest" not in names
    assert engine() == engine()
    (tmp_path / "prompts").mkdir()
    for name, text in (("a.py", "1"), ("prompts/a.md", "2"), ("t.json", "3"), ("a.pyc", "4"), ("py.typed", "")):
        (tmp_path / name).write_text(text)
    assert sorted(sources(tmp_path)) == ["a.py", "prompts/a.md", "t.json"]


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    written = 'system = { command = "cat" }\nevaluators = ["not_empty"]\n[[cases]]\ninput = "q"\n'
    Path("x.suite.toml").write_text(written)
    assert invoke(["suite", "x.suite.toml", "--write-lock", "x.lock.json"]) == 0
    assert invoke(["suite", "x.suite.toml", "--locked", "x.lock.json", "-q", "--store", "x.db"]) == 0
    Path("x.suite.toml").write_text(written.replace('"not_empty"', '"exact_match"'))
    with pytest.raises(SystemExit) as ended:
        main(["suite", "x.suite.toml", "--locked", "x.lock.json"])
    assert ended.value.code == 64
    assert "the check not_empty was removed" in capsys.readouterr().err
