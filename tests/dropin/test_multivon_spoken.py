"""What is printed is shown, and never obeyed; what is printed as JSON is read as it was."""

from __future__ import annotations

import io
import json
from contextlib import redirect_stdout

import pytest
from hypothesis import given
from hypothesis import strategies as st
from multivon_eval.spoken import say, say_json, say_lines, warn

from ringtrue.jsontext import plain_json


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        pytest.param("plain", "plain\n", id="plain"),
        pytest.param("\x1b[31mred\nline", "\\x1b[31mred\\nline\n", id="escapes-and-line-ends-are-shown"),
        pytest.param("a→b", "a\\u2192b\n", id="the-terminal-has-no-arrow"),
    ],
)
def test_a_line_is_one_line_that_a_terminal_obeys_nothing_in(text: str, printed: str) -> None:
    terminal = io.TextIOWrapper(io.BytesIO(), encoding="ascii", newline="")
    say(text, terminal)
    terminal.seek(0)
    assert terminal.read() == printed


def test_lines_are_printed_apart_and_a_warning_says_who_warns(capsys: pytest.CaptureFixture[str]) -> None:
    say_lines("one\ntwo\x07\n")
    warn("three\nfour")
    assert capsys.readouterr() == ("one\ntwo\\x07\n", "multivon_eval: three\\nfour\n")


@given(st.text() | st.sampled_from(["\U000e0067", "\u202e", "\x7f", "\x9b31m", "\u2028"]))
def test_json_is_printed_in_ascii_and_says_what_it_said(text: str) -> None:
    with redirect_stdout(io.StringIO()) as out:
        say_json(plain_json({"text": text}))
    assert out.getvalue().isascii()
    assert out.getvalue().replace("\n", "").isprintable()
    assert json.loads(out.getvalue()) == json.loads(plain_json({"text": text}))
