"""The pages that are made from the code say what the code says."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parent.parent / "docs"
sys.path.insert(0, str(DOCS))
import generate  # noqa: E402


@pytest.mark.parametrize("page", ["api", "evaluators", "agreement"])
def test_it_is_up_to_date(page: str) -> None:
    assert (DOCS / f"{page}.md").read_text() == getattr(generate, f"{page}_page")(), "run `make docs`"
