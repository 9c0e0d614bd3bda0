"""`import ringtrue` and `ringtrue --version` load next to nothing."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = {
    "numpy", "pydantic", "httpx", "aiohttp", "requests", "urllib3", "http.client", "asyncio", "click", "rich", "regex",
    "rapidfuzz", "orjson", "jsonschema_rs", "pyarrow", "multiprocessing", "dataclasses", "inspect", "re",
}  # fmt: skip


def loaded(code: str) -> set[str]:
    bare = subprocess.run([sys.executable, "-c", "import sys; print(*sys.modules)"], capture_output=True, text=True)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.splitlines()[-1].split()) - set(bare.stdout.split())


@pytest.mark.parametrize(
    "code",
    [
        "import sys, ringtrue; print(*sys.modules)",
        "import sys, ringtrue.evaluators; print(*sys.modules)",
        "import sys\nfrom ringtrue.cli import main\ntry: main(['--version'])\nexcept SystemExit: print(*sys.modules)",
    ],
    ids=["import", "evaluators", "version"],
)
def test_budget(code: str) -> None:
    modules = loaded(code)
    assert not modules & HEAVY
    assert len(modules) <= 20, sorted(modules)


def test_public_names_load_when_used() -> None:
    import ringtrue

    for name in ringtrue.__all__:
        assert getattr(ringtrue, name) is not None
    assert dir(ringtrue) == ringtrue.__all__
    assert not hasattr(ringtrue, "Latency")


def test_evaluators_load_when_used() -> None:
    from ringtrue import evaluators

    for name in evaluators.__all__:
        assert getattr(evaluators, name).__name__ == name
    assert not hasattr(evaluators, "NoSuch")
