"""Which failures are tried again, and when."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.errors import ConfigurationError, ModelError
from ringtrue.models.client.retries import RetryPolicy

AGAIN = [(None, "timeout"), (None, "connection"), (200, "malformed"), (429, "rate_limit"), (None, "http")]
AGAIN += [(status, "http") for status in (408, 409, 425, 500, 502, 503, 504, 520, 529)]
NEVER = [(status, "http") for status in (301, 307, 400, 401, 403, 404, 405, 413, 422, 429)]
NEVER += [(None, "refused"), (400, "refused"), (None, "budget")]


@pytest.mark.parametrize(("status", "kind"), AGAIN)
def test_tried_again(status: int | None, kind: str) -> None:
    assert RetryPolicy().worth_retrying(ModelError("", kind=kind, status=status))


@pytest.mark.parametrize(("status", "kind"), NEVER)
def test_not_tried_again(status: int | None, kind: str) -> None:
    assert not RetryPolicy().worth_retrying(ModelError("", kind=kind, status=status))


@given(st.integers(1, 100), st.integers())
def test_waits_lie_below_a_doubling_bound(attempts: int, seed: int) -> None:
    policy = RetryPolicy(base_seconds=0.5, longest_seconds=8, seed=seed)
    assert 0 <= policy.wait_seconds(attempts) <= min(8, 0.5 * 2 ** (attempts - 1))


@given(st.integers(1, 100), st.integers(), st.floats(0, 1e6))
def test_a_wait_is_never_shorter_than_was_said(attempts: int, seed: int, said: float) -> None:
    assert RetryPolicy(seed=seed).wait_seconds(attempts, said) >= said


def test_a_seed_repeats_the_waits_and_they_are_spread() -> None:
    one, other = RetryPolicy(seed=7), RetryPolicy(seed=7)
    waits = [one.wait_seconds(3) for _ in range(50)]
    assert waits == [other.wait_seconds(3) for _ in range(50)]
    assert min(waits) < 0.5 < 1.5 < max(waits)


@pytest.mark.parametrize(
    "wrong", [{"max_retries": -1}, {"max_retries": True}, {"max_retries": 1.5}, {"base_seconds": -1}], ids=str
)
def test_wrong_settings(wrong: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError):
        RetryPolicy(**wrong)
