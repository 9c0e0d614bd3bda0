"""The identity of users' code: a hash that changes with the code, and no object is without one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.identity import canonical_json, digest, name_of, origin

texts = st.text(st.characters(exclude_categories=[]))


@given(st.lists(texts), st.lists(texts))
def test_a_digest_shows_sequences_apart(one: list[str], other: list[str]) -> None:
    assert (digest(*one) == digest(*other)) == (one == other)


def test_a_digest_is_the_same_for_text_and_its_bytes_and_on_every_machine() -> None:
    assert digest("ä", "b") == digest("ä".encode(), b"b")
    assert digest("a") == "3b196fd4907bedf51c3090e9835f2f7cb61e7ee1b2299ea3b8fed9b4183a822a"


def test_canonical_json_does_not_know_the_order_of_keys_or_of_a_set() -> None:
    assert canonical_json({"b": {"x", "y", "z"}, "a": object()}) == '{"a":"<object object>","b":["x","y","z"]}'


class Greeter:
    """An object that is called."""

    def __init__(self, word: str) -> None:
        self.word = word

    def __call__(self, name: str) -> str:
        return f"{self.word} {name}"


@pytest.mark.parametrize(
    ("code", "name", "where"),
    [
        pytest.param(str.upper, "upper", "builtins.str.upper", id="a method of a builtin type"),
        pytest.param("a".join, "join", "builtins.str.join", id="a bound one"),
        pytest.param(len, "len", "builtins.len", id="a builtin"),
        pytest.param(lambda text: text, "<lambda>", "test_identity.<lambda>", id="a lambda"),
        pytest.param(Greeter("Hello"), "Greeter", "test_identity.Greeter", id="an object"),
    ],
)
def test_every_kind_of_code_has_a_name_and_a_place(code: Any, name: str, where: str) -> None:
    assert name_of(code) == name
    place, mark, hashed = origin(code).partition("|sha256:")
    assert place.removeprefix("tests.") == where
    assert mark
    assert len(hashed) == 16


def test_settings_are_part_of_it() -> None:
    assert origin(Greeter("Hello")) == origin(Greeter("Hello")) != origin(Greeter("Goodbye"))


def made(value: Any) -> Callable[[str], str]:
    def answer(text: str) -> str:
        return answer(text[1:]) if text else str(value)

    return answer


def defaulted(value: Any) -> Callable[[str], str]:
    def answer(text: str, said: Any = value) -> str:
        return str(said)

    return answer


@dataclass(frozen=True)
class Settings:
    word: str


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(made, id="closed-over"),
        pytest.param(defaulted, id="a-default"),
        pytest.param(lambda value: partial(str.join, value), id="given-beforehand"),
        pytest.param(lambda value: partial(made, word=value), id="given-by-name"),
        pytest.param(lambda value: Greeter(value).__call__, id="a-method"),
        pytest.param(lambda value: made((1, frozenset({value, "x"}))), id="inside-a-tuple"),
        pytest.param(lambda value: made(Settings(value)), id="a-frozen-dataclass"),
        pytest.param(lambda value: made(made(value)), id="a-function-in-a-function"),
    ],
)
def test_so_is_what_a_function_is_bound_to(make: Callable[[str], Any]) -> None:
    assert origin(make("a")) == origin(make("a")) != origin(make("b"))


def test_what_changes_while_it_is_used_is_not() -> None:
    calls: list[str] = []
    before = origin(made(calls))
    calls.append("one")
    assert origin(made(calls)) == before
