"""The program in a chat answer, whatever is around it; and broken code stays broken."""

from __future__ import annotations

import gc
import signal
import sys
import warnings
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.scoring.programs.program_text import complete, helpers, last_function, program_in
from ringtrue.scoring.programs.syntax import Reader
from support.answers import ANSWERS
from support.hostile import LARGE, SMALL


def function_of(program: str) -> Any:
    names: dict[str, Any] = {"__name__": "program"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(compile(program, "program.py", "exec"), names)
    return names.get("add") or names["Solution"]().add


@pytest.mark.parametrize(("context", "response"), ANSWERS.values(), ids=ANSWERS)
def test_the_program_is_found(context: str, response: str) -> None:
    add = function_of(program_in(response, context=context, wanted={"add"}))
    assert [add(1, 2), add(-3, 1)] == [3, -2]


@pytest.mark.parametrize(
    ("context", "response"), [pair for pair in ANSWERS.values() if pair[0]], ids=[k for k, v in ANSWERS.items() if v[0]]
)
def test_the_context_alone_shows_the_name(context: str, response: str) -> None:
    if complete(context):
        assert function_of(program_in(response, context=context))(1, 2) == 3


def test_the_documented_concatenation_is_kept_to_the_letter() -> None:
    assert program_in("    return a + b\n", context="def add(a, b):\n") == "def add(a, b):\n    return a + b\n"


def test_a_body_keeps_its_own_indentation() -> None:
    context = "def add(a, b):\n  'Two spaces.'\n"
    body = "  if a:\n     return a + b\n  return b\n"
    assert program_in(body, context=context) == context + body


@pytest.mark.parametrize(
    "response",
    [
        pytest.param("x = ((((\ndef add(a, b):\n    return a + b\n", id="broken_line_before"),
        pytest.param("def add(a, b):\n    return a + b\n\ndef other(:\n    pass\n", id="broken_function_after"),
        pytest.param("import os\nimport\ndef add(a, b):\n    return a + b\n", id="broken_import"),
        pytest.param("def add(a, b):\n    return a + b\nprint(add(1, 2)\n", id="broken_call_after"),
        pytest.param("```python\ndef add(a, b)\n    return a + b\n```", id="missing_colon"),
        pytest.param("```python\ndef add(a, b):\nreturn a + b\n```", id="missing_margin"),
        pytest.param("```python\nreturn a + b\n```", id="body_without_a_function"),
        pytest.param("def add(a, b):\n    return a +\n", id="half_an_expression"),
    ],
)
def test_broken_code_is_not_mended(response: str) -> None:
    with pytest.raises((SyntaxError, KeyError)):
        function_of(program_in(response, wanted={"add"}))


@pytest.mark.parametrize(
    ("context", "expected"),
    [
        pytest.param("import math\ndef poly(x):\n    return x\ndef f(x):\n    'doc'\n", {"math", "poly"}, id="helpers"),
        pytest.param("LIMIT = 3\n\ndef f(x):\n", {"LIMIT"}, id="constant_and_open_function"),
        pytest.param("class Node:\n    pass\n\ndef f(x):\n    'doc'\n", {"Node"}, id="class"),
        pytest.param("def f(x):\n    'doc'\n", set(), id="nothing_else"),
        pytest.param("Write a function.", set(), id="words"),
        pytest.param("", set(), id="empty"),
    ],
)
def test_helpers_are_what_a_context_defines_beside_the_function(context: str, expected: set[str]) -> None:
    names: dict[str, Any] = {}
    exec(helpers(context, "f"), names)
    assert names.keys() - {"__builtins__"} == expected


def test_the_last_function_is_the_one_that_is_asked_for() -> None:
    assert last_function("def a():\n    pass\ndef b():\n    pass\nc = 1") == "b"
    assert last_function("x = 1") == last_function("def (") == ""


@pytest.mark.parametrize("response", [*(v for v in SMALL.values() if isinstance(v, str)), *LARGE.values()])
@pytest.mark.parametrize("context", ["", "def add(a, b):\n    'Add.'\n"])
def test_hostile_text_ends(response: str, context: str) -> None:
    def stop(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(10)
    try:
        assert isinstance(program_in(response, context=context, wanted={"add"}), str)
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


PIECES = ["```", "```python\n", "\n", "    ", "def add(a, b):\n", "return a", "words it's", '"""', "(", ":", "\\", "#"]
pieces = st.sampled_from(PIECES)


@given(st.lists(st.one_of(pieces, st.text(max_size=5)), max_size=30).map("".join), st.booleans())
def test_it_never_raises(response: str, with_context: bool) -> None:
    context = "def add(a, b):\n    'Add.'\n" if with_context else ""
    assert isinstance(program_in(response, context=context, wanted={"add"}), str)


@given(st.text(max_size=60))
def test_a_valid_program_that_defines_the_name_is_kept_whole(comment: str) -> None:
    text = f"def add(a, b):\n    return a + b\n# {comment!a}\n"
    assert program_in(text, wanted={"add"}) == text


class Litter:
    """Rubbish that is swept up by Python code, in the middle of a parse too: there threads change."""

    def __init__(self) -> None:
        self.itself = self

    def __del__(self) -> None:
        for _ in range(50):
            pass


def parsed_amid_litter(program: str) -> bool:
    for _ in range(20):
        Litter()
    return Reader().parse(program) is not None


def test_programs_are_parsed_in_many_threads_at_once() -> None:
    deep = "if x == 0:\n    y = 1\n" + "".join(f"elif x == {n}:\n    y = 1\n" for n in range(1, 1_000))
    programs = ["def f(x):\n    return [1, 2, (3, 4)]\n" * 200, deep] * 60
    before, threshold = sys.getswitchinterval(), gc.get_threshold()
    sys.setswitchinterval(1e-5)
    gc.set_threshold(10)
    try:
        with ThreadPoolExecutor(4) as threads:
            parsed = list(threads.map(parsed_amid_litter, programs))
    finally:
        sys.setswitchinterval(before)
        gc.set_threshold(*threshold)
    assert all(parsed)
