"""LiveCodeBench's tests: read without running what they hold, run in the sandbox, chosen by date."""

from __future__ import annotations

import base64
import json
import pickle
import zlib
from pathlib import Path
from typing import Any

import pytest

from ringtrue.datasets import Origin, load
from ringtrue.datasets.catalogue.contest_tests import read_contest_tests
from ringtrue.dialects.fields import Fields
from ringtrue.errors import ConfigurationError, InputError
from ringtrue.evaluators.code_execution import CodeExecution
from ringtrue.records import Output, Trial
from support.hub import write_mirror


def packed(value: Any) -> str:
    return base64.b64encode(zlib.compress(pickle.dumps(value))).decode()


def test_private_tests_may_be_json_or_json_in_a_pickle() -> None:
    more = [{"input": "3\n", "output": "4\n", "testtype": "stdin"}]
    for private in (json.dumps(more), packed(json.dumps(more))):
        assert read_contest_tests(private) == more


class Hostile:
    """What a pickle may do when it is loaded."""

    def __reduce__(self) -> tuple[Any, ...]:
        return eval, ("open('planted', 'w').write('x')",)


BROKEN = {
    "a pickle that calls something": (packed(Hostile()), "name builtins.eval, which is not loaded"),
    "a pickle of no text": (packed([1]), "are list, not text"),
    "no base64": ("!!!!", "cannot be read"),
    "no list": (packed('{"input": 1}'), "are no list of objects with input and output"),
    "no output": (packed('[{"input": "1"}]'), "are no list of objects with input and output"),
}


@pytest.mark.parametrize(("private", "message"), BROKEN.values(), ids=BROKEN)
def test_broken_tests_are_refused(private: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=message):
        read_contest_tests(private)
    assert not Path("planted").exists()


RUNS = {
    "stdin, right": (0, "input()\nprint('YES')", 1.0),
    "stdin, wrong": (0, "print('NO')", 0.0),
    "method, right": (1, "class Solution:\n    def add(self, a: int, b: int) -> int:\n        return a + b", 1.0),
    "method, wrong": (1, "class Solution:\n    def add(self, a, b):\n        return a - b", 0.0),
    "method, with what LiveCodeBench imports": (
        1,
        "class Solution:\n    def add(self, a: int, b: int) -> Optional[int]:\n        return reduce(add, [a, b])",
        1.0,
    ),
    "function in place of the method, as LiveCodeBench has it": (1, "def add(a, b):\n    return a + b", 1.0),
    "nothing but what is imported for it": (1, "x = 1", 0.0),
}


@pytest.mark.parametrize(("place", "code", "value"), RUNS.values(), ids=RUNS)
def test_both_kinds_run_in_the_sandbox(place: int, code: str, value: float, tmp_path: Path) -> None:
    write_mirror(tmp_path, "livecodebench")
    case = list(load("livecodebench", origin=Origin(tmp_path)))[place]
    score = CodeExecution().measure(Trial(Fields().case(case, 0), Output(f"```python\n{code}\n```")))
    assert score.value == value


WINDOWS = {
    "livecodebench:2025-01..": ["2916"],
    "livecodebench:..2024-01": ["1873_A"],
    "livecodebench:2023-08-21..2023-08": ["1873_A"],
    "livecodebench:2023-08-22..2025-02-01": [],
    "livecodebench:..": ["1873_A", "2916"],
}


@pytest.mark.parametrize("name", WINDOWS)
def test_a_window_of_dates_includes_both_its_ends(name: str, tmp_path: Path) -> None:
    write_mirror(tmp_path, "livecodebench")
    assert [case["id"] for case in load(name, origin=Origin(tmp_path))] == WINDOWS[name]


def test_what_is_not_a_window_is_said() -> None:
    with pytest.raises(ConfigurationError, match="livecodebench has no configuration '2025'"):
        load("livecodebench:2025")
