"""A golden file that no test reads fails the build, and each says what made it."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.golden import SHIPPED, header

TESTS = Path(__file__).parent
NAMES = sorted(path.stem for path in SHIPPED.glob("*.jsonl"))


@pytest.mark.parametrize("name", NAMES)
def test_a_test_reads_it(name: str) -> None:
    readers = [path for path in TESTS.rglob("test_*.py") if f'golden("{name}")' in path.read_text()]
    assert readers


@pytest.mark.parametrize("name", NAMES)
def test_it_says_its_origin(name: str) -> None:
    said = header(name)
    assert said["golden"] == name
    assert said["tool"]
    assert said["licence"]
    lines = (SHIPPED / f"{name}.jsonl").read_bytes().count(b"\n")
    assert said["rows"] == lines - 1 > 0
