"""When a system that refuses every question need not be asked the rest."""

from __future__ import annotations

import pytest

from ringtrue.errors import ModelError
from ringtrue.runner.refusals import Refusals


def http(status: int) -> ModelError:
    return ModelError(f"answered {status}", kind="http", status=status)


GONE = ModelError("broke the connection", kind="connection")
YES = None


@pytest.mark.parametrize(
    ("outcomes", "stops"),
    [
        ([http(401)] * 5, True),
        ([http(401)] * 4, False),
        ([http(401)] * 4 + [YES] + [http(401)] * 4, False),
        ([YES] + [http(404)] * 5, True),
        ([http(401), http(404)] * 5, False),
        ([http(500)] * 50, False),
        ([GONE] * 5, True),
        ([YES] + [GONE] * 50, False),
    ],
)
def test_five_equal_refusals_in_a_row(outcomes: list[ModelError | None], stops: bool) -> None:
    refusals = Refusals()
    for outcome in outcomes:
        if outcome is None:
            refusals.note_answer()
        else:
            refusals.note_failure(outcome)
    assert bool(refusals.stopped_by) is stops
