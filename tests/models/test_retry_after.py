"""Headers that ask for patience, read without trust."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.models.client.retries import exhausted_for, retry_after, span

NOW = 1_800_000_000.0  # Fri, 15 Jan 2027 08:00:00 GMT
DATE = "Fri, 15 Jan 2027 08:00:00 GMT"
LATER = "Fri, 15 Jan 2027 08:00:07 GMT"


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"Retry-After": "3"}, 3.0),
        ({"Retry-After": "0.25"}, 0.25),
        ({"Retry-After": "0"}, 0.0),
        ({"Retry-After": LATER}, 7.0),
        ({"Retry-After": DATE}, 0.0),
        ({"Retry-After": "Thu, 01 Jan 1970 00:00:00 GMT"}, 0.0),
        ({"Retry-After": LATER, "Date": "Fri, 15 Jan 2027 08:00:05 GMT"}, 2.0),
        ({"Retry-After": LATER, "Date": "nonsense"}, 7.0),
        ({"retry-after-ms": "1500"}, 1.5),
        ({"retry-after-ms": "1500", "Retry-After": "2"}, 2.0),
        ({"Retry-After": "-1"}, None),
        ({"Retry-After": "soon"}, None),
        ({"Retry-After": "nan"}, None),
        ({"Retry-After": "1e999"}, None),
        ({"Retry-After": ""}, None),
        ({"Retry-After": "9" * 5000}, None),
        ({"Retry-After": "Fri, 99 Jan 2027 08:00:07 GMT"}, None),
    ],
    ids=lambda value: str(value)[:60],
)
def test_retry_after(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers, NOW) == seconds


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("1s", 1.0),
        ("6m0s", 360.0),
        ("12ms", 0.012),
        ("1h2m3.5s", 3723.5),
        ("1d", 86400.0),
        ("17", 17.0),
        ("0", 0.0),
        (str(int(NOW) + 5), 5.0),
        (str(int(NOW + 5) * 1000), 5.0),
        (str(int(NOW) - 5), 0.0),
        ("2027-01-15T08:00:09Z", 9.0),
        ("2027-01-15T08:00:09", 9.0),
        ("", 0.0),
        ("-1", 0.0),
        ("1s later", 0.0),
        ("s", 0.0),
    ],
)
def test_span(text: str, seconds: float) -> None:
    assert span(text, NOW) == pytest.approx(seconds)


@pytest.mark.parametrize(
    ("left", "reset", "seconds"),
    [("0", "2s", 2.0), ("1", "2s", 0.0), ("-1", "2s", 0.0), ("0", "", 0.0), ("no", "2s", 0.0), (None, "2s", 0.0)],
)
@pytest.mark.parametrize("what", ["requests", "tokens"])
def test_only_a_used_up_allowance_asks_for_a_wait(what: str, left: str | None, reset: str, seconds: float) -> None:
    headers = {f"x-ratelimit-reset-{what}": reset}
    if left is not None:
        headers[f"x-ratelimit-remaining-{what}"] = left
    assert exhausted_for(headers, NOW) == seconds


@given(st.text())
def test_any_text_is_a_finite_wait_or_none(text: str) -> None:
    headers: dict[str, Any] = {"Retry-After": text, "Date": text, "x-ratelimit-remaining-tokens": "0"}
    said = retry_after(headers, NOW)
    assert said is None or 0 <= said < float("inf")
    assert 0 <= span(text, NOW) < float("inf")
