"""A folder to audit."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.audits import FIBONACCI


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    work = tmp_path / "work"
    work.mkdir()
    (work / "fib.py").write_text(FIBONACCI)
    return work
