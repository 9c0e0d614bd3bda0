"""Where the tests of this folder keep their runs."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def store(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'store' / 'ringtrue.db'}"
