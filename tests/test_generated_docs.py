"""The pages that are made from the code say what the code says."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "docs"))
from generate.pages import PAGES, REFERENCE


@pytest.mark.parametrize("name", PAGES)
def test_it_is_up_to_date(name: str) -> None:
    assert (REFERENCE / name).read_text("utf-8") == PAGES[name](), "run `make docs`"
