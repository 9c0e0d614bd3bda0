"""Hostile programs end as they must, get nothing, and leave nothing behind."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator

import pytest

from ringtrue.sandbox import Limits, Sandbox
from ringtrue.sandbox.pool.watch import PATIENCE
from support.canary import Canary, canary
from support.hostile_programs import PROGRAMS, Hostile

pytestmark = pytest.mark.skipif(platform.machine() != "x86_64", reason="the raw calls have x86_64 numbers")

LIMITS = Limits(seconds=3.0, memory_bytes=256 * 2**20)


@pytest.fixture(scope="module")
def bait(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Canary]:
    folder = tmp_path_factory.mktemp("bait")
    for path in (folder, *folder.parents[:-2]):  # everybody may come in, so that only the sandbox keeps them out
        if path.stat().st_uid == os.geteuid():
            path.chmod(path.stat().st_mode | 0o711)
    with canary(folder) as made:
        yield made


def test_there_are_enough_of_them() -> None:
    assert len(PROGRAMS) >= 60


@pytest.mark.parametrize(
    "hostile",
    [
        pytest.param(hostile, id=name, marks=[pytest.mark.heavy] if hostile.long else [])
        for name, hostile in PROGRAMS.items()
    ],
)
def test_it_gets_nothing(box: Sandbox, bait: Canary, hostile: Hostile) -> None:
    before = bait.tree()
    execution = box.run(filled(hostile.source, bait), limits=LIMITS)
    said = execution.stdout + execution.stderr
    assert execution.status in hostile.ends, (execution.status, execution.reason, said[-500:])
    assert "ESCAPED" not in execution.stdout, said[-2_000:]
    assert bait.secret not in said
    assert bait.tree() == before
    assert not bait.visits
    assert execution.seconds < LIMITS.seconds * PATIENCE + 30
    assert box.run("import os; print(os.listdir('.'))").stdout == "[]\n", "the next program finds nothing of it"


def filled(source: str, bait: Canary) -> str:
    tokens = {
        "{SECRET}": str(bait.folder / "precious.txt"),
        "{PORT}": str(bait.port),
        "{HOSTNAME}": os.uname().nodename,
    }
    for token, value in tokens.items():
        source = source.replace(token, value)
    return source
