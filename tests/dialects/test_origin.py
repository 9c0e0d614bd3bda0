"""The identity of users' code: a hash that changes with the code, and no object is without one."""

from __future__ import annotations

from typing import Any

import pytest

from ringtrue.dialects.origin import name_of, origin


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
        pytest.param(lambda text: text, "<lambda>", "dialects.test_origin.<lambda>", id="a lambda"),
        pytest.param(Greeter("Hello"), "Greeter", "dialects.test_origin.Greeter", id="an object"),
    ],
)
def test_every_kind_of_code_has_a_name_and_a_place(code: Any, name: str, where: str) -> None:
    assert name_of(code) == name
    place, mark, digest = origin(code).partition("|sha256:")
    assert place.removeprefix("tests.") in (where, where.removeprefix("dialects."))
    assert mark
    assert len(digest) == 16


def test_settings_are_part_of_it() -> None:
    assert origin(Greeter("Hello")) == origin(Greeter("Hello")) != origin(Greeter("Goodbye"))
