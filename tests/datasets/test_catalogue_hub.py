"""Every benchmark that was added is read over HTTP, at its pinned commit, from a hub in the schema it has there."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from ringtrue.datasets.catalogue.table import ENTRIES, find
from support.hub import COMMIT, Served, fixture, write_mirror

ADDED = [name for name in list(ENTRIES)[42:] if find(name).path and name != "locomo"]
"""All but the one that is generated and the one that is not on the hub."""

READ = """
import json, sys
from ringtrue.datasets import load
print(json.dumps({name: [str(case["id"]) for case in load(name)] for name in sys.argv[1:]}))
"""


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """The ids that one process reads of all of them."""
    pytest.importorskip("huggingface_hub")
    folder = tmp_path_factory.mktemp("hub")
    for name in ADDED:
        write_mirror(folder, name)
    revisions = {str(find(name).revision) for name in ADDED if find(name).revision}
    with Served({"main": folder, COMMIT: folder, **dict.fromkeys(revisions, folder)}, gated=("cais/hle",)) as server:
        server.commits = {revision: revision for revision in revisions}
        kept = {key: value for key, value in os.environ.items() if not key.startswith("HF_")}
        given = {"HF_ENDPOINT": server.url, "HF_HOME": str(folder / "hf"), "HF_TOKEN": "t", "NO_PROXY": "127.0.0.1"}
        work = tmp_path_factory.mktemp("work")
        done = subprocess.run(
            [sys.executable, "-c", READ, *ADDED],
            env=kept | given,
            cwd=work,
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == 0, done.stderr[-2000:]
        found: dict[str, list[str]] = json.loads(done.stdout)
        return found


@pytest.mark.parametrize("name", ADDED)
def test_it_is_read_over_http(name: str, loaded: dict[str, list[str]]) -> None:
    expected = fixture(name)
    assert len(loaded[name]) == expected.get("count", len(expected["expect"]))
