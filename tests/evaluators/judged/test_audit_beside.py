"""Folders that are shown beside the one that is audited."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ringtrue.errors import ConfigurationError
from support.audits import DONE, FILLED, audit, call, calls, config, seen


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    there = tmp_path / "elsewhere"
    there.mkdir()
    (there / "session.txt").write_text("I gave up")
    return there


def test_what_lies_beside_is_seen_by_its_name(folder: Path, logs: Path) -> None:
    (folder / "logs").mkdir()
    (folder / "logs" / "session.txt").write_text("planted")
    looks = calls(call("read", path="logs/session.txt"), call("run", command="cat logs/*; ls fib.py"))
    result = audit(folder, looks, DONE, FILLED, beside={"logs": logs, "none": logs / "nowhere"})
    assert result.applicable
    assert "I gave up" in seen(result)
    assert "I gave upfib.py" in seen(result, 1)
    assert result.metadata["left_out"] == {
        "logs": "excluded",
        "none": "cannot be copied: No such file or directory",
    }


@pytest.mark.parametrize(
    "beside", [{"a/b": "."}, {"..": "."}, {"": "."}, {"a": ""}, {"a": None}, {1: "."}, ["a"], None], ids=repr
)
def test_a_name_that_could_be_a_path_is_refused(folder: Path, beside: Any) -> None:
    with pytest.raises(ConfigurationError):
        config(folder, beside=beside)
