"""Every check lets the right values through and says of the others what they must be."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from ringtrue import require as checks
from ringtrue.errors import ConfigurationError

NAN, INF = float("nan"), float("inf")

RULES: list[tuple[Callable[[str, Any], None], list[Any], list[Any], str]] = [
    (checks.require_count, [1, 10**400], [0, -1, True, 1.0, "1", None, NAN], "a whole number of at least 1"),
    (partial(checks.require_count, least=0, most=3), [0, 3], [-1, 4, False], "a whole number from 0 to 3"),
    (checks.require_number, [0, -1.5], [NAN, INF, True, "1", None, 10**400], "a number"),
    (partial(checks.require_number, above=0), [0.1, 1], [0, -1, NAN, INF], "a number above 0"),
    (partial(checks.require_number, least=0.5), [0.5, 1], [0, 0.49], "a number of at least 0.5"),
    (checks.require_share, [0, 1, 0.5], [-0.1, 1.1, True, "0.5", NAN], r"a number in \[0, 1\]"),
    (checks.require_percent, [0, 100], [-1, 101], r"a number in \[0, 100\]"),
    (lambda name, value: checks.require_between(name, value, 0, 1), [0.5], [0, 1, NAN], "a number between 0 and 1"),
    (checks.require_string, ["", "a"], [None, 1, b"a"], "text"),
    (checks.require_text, ["a"], ["", " ", None, 1, b"a"], "text that is not empty"),
    (checks.require_texts, [[], ["a"], ("a", "b")], ["a", b"a", [""], [1], None, {"a"}], "a list of texts, none empty"),
    (lambda name, value: checks.require_choice(name, value, ("a", "b")), ["a"], ["c", None, []], "one of 'a', 'b'"),
]


@pytest.mark.parametrize(("check", "right", "wrong", "words"), RULES, ids=[rule[3] for rule in RULES])
def test_checks(check: Callable[[str, Any], None], right: list[Any], wrong: list[Any], words: str) -> None:
    for value in right:
        check("size", value)
    for value in wrong:
        with pytest.raises(ConfigurationError, match=f"^size must be {words}; got ") as caught:
            check("size", value)
        assert caught.value.parameter == "size"
        assert caught.value.value is value


def test_a_long_value_is_cut_in_the_message() -> None:
    with pytest.raises(ConfigurationError) as caught:
        checks.require_count("n", "x" * 10_000)
    assert len(str(caught.value)) < 300


def test_a_value_that_python_cannot_write_is_refused_like_any_other() -> None:
    with pytest.raises(ConfigurationError, match="got a int that cannot be shown"):
        checks.require_share("n", 1 << 20_000)


def test_a_message_of_ones_own() -> None:
    checks.require(True, "never seen", parameter="a", value=1)
    with pytest.raises(ConfigurationError, match=r"^a and b exclude each other$"):
        checks.require(False, "a and b exclude each other", parameter="a", value=1)
