"""A judge on loopback for the tests of the drop-in; each test gives it its words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from multivon_eval import JudgeConfig, configure
from multivon_eval.calibration import set_calibration_fallback_policy
from multivon_eval.judge import get_global_judge

from support.saying import Judge, SayingEndpoint


@pytest.fixture
def judge() -> Iterator[Judge]:
    """Makes an endpoint the judge of everything."""
    before, opened = get_global_judge(), []
    set_calibration_fallback_policy("silent")

    def begun(replies: Any, model: str = "m") -> SayingEndpoint:
        opened.append(SayingEndpoint(replies).__enter__())
        configure(JudgeConfig(provider="openai", model=model, base_url=opened[-1].base_url))
        return opened[-1]

    yield begun
    configure(before)
    set_calibration_fallback_policy("warn")
    for endpoint in opened:
        endpoint.__exit__()
