"""Every number is written by one function, with the decimals and the mark of its unit."""

from __future__ import annotations

from typing import Any

import pytest

from ringtrue.records import Summary
from ringtrue.reports.number import count, duration, interval, number, with_interval, with_limit


@pytest.mark.parametrize(
    ("value", "options", "words"),
    [
        (None, {}, "–"),
        (0.5, {}, "0.50"),
        (0.79, {"unit": "share"}, "79.0"),
        (0.79, {"unit": "share", "marked": True}, "79.0 %"),
        (1.234, {"unit": "seconds", "marked": True}, "1.23 s"),
        (1_204, {"unit": "tokens", "marked": True}, "1,204 tokens"),
        (1, {"unit": "tokens", "marked": True}, "1 token"),
        (0.91, {"unit": "dollars", "marked": True}, "$0.9100"),
        (-0.5, {"unit": "dollars", "marked": True}, "−$0.5000"),
        (0.00002, {"unit": "dollars", "marked": True}, "<$0.0001"),
        (-1.5, {"unit": "ratio"}, "−1.50"),
        (12_345, {"unit": "count"}, "12,345"),
        (0.114, {"unit": "share", "signed": True}, "+11.4"),
        (-0.114, {"unit": "share", "signed": True}, "−11.4"),
        (0.0, {"signed": True}, "+0.00"),
        (-0.0001, {}, "0.00"),
    ],
    ids=str,
)
def test_a_number(value: float | None, options: dict[str, Any], words: str) -> None:
    assert number(value, **options) == words


@pytest.mark.parametrize(
    ("value", "limit", "unit", "words"),
    [
        (0.583, 0.9, "share", ("58.3 %", "90.0 %")),
        (1799 / 2000, 0.9, "share", ("89.95 %", "90.00 %")),
        (0.3, 0.1 + 0.2, "score", ("0.30000000", "0.30000000")),
        (0.504, 0.5, "seconds", ("0.504 s", "0.500 s")),
    ],
    ids=str,
)
def test_a_missed_limit_never_reads_as_reached(value: float, limit: float, unit: Any, words: tuple[str, str]) -> None:
    """`pass_rate is 90.0 %; the floor is 90.0 %` stood under a failed gate."""
    assert with_limit(value, limit, unit) == words


@pytest.mark.parametrize(
    ("found", "options", "words"),
    [
        (None, {}, "–"),
        ((0.724, 0.843), {"unit": "share"}, "72.4–84.3"),
        ((-0.5, 0.5), {"unit": "ratio"}, "−0.50 to 0.50"),
        ((0.055, 0.174), {"unit": "share", "signed": True}, "+5.5 to +17.4"),
    ],
    ids=str,
)
def test_an_interval(found: tuple[float, float] | None, options: dict[str, Any], words: str) -> None:
    assert interval(found, **options) == words


@pytest.mark.parametrize(
    ("summary", "words"),
    [
        (Summary(None, 0), "–"),
        (Summary(0.5, 4), "0.50"),
        (Summary(0.79, 176, interval=(0.724, 0.843), unit="share"), "79.0 % (72.4–84.3)"),
        (Summary(1.5, 3, interval=(1.0, 2.0), unit="seconds"), "1.50 s (1.00–2.00)"),
    ],
    ids=str,
)
def test_a_number_with_its_interval(summary: Summary, words: str) -> None:
    assert with_interval(summary) == words


@pytest.mark.parametrize(("amount", "words"), [(0, "0 rows"), (1, "1 row"), (1_204, "1,204 rows")])
def test_numbers_get_their_noun_and_the_right_plural(amount: int, words: str) -> None:
    assert count(amount, "row") == words


@pytest.mark.parametrize(("seconds", "words"), [(0.04, "0.0 s"), (12.34, "12.3 s"), (401, "6 min 41 s")])
def test_spans(seconds: float, words: str) -> None:
    assert duration(seconds) == words
