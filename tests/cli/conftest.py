"""The command line in this process, in a folder whose files a module gives."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from ringtrue.cli import main
from support.command import Command, Done


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


@pytest.fixture
def ringtrue(folder: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    """A command in the folder, with an environment that names no endpoint; its exit code is checked."""
    monkeypatch.chdir(folder)
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "AZURE_OPENAI_ENDPOINT", "RINGTRUE_PRICES"):
        monkeypatch.delenv(name, raising=False)

    def run(*words: str, check: int | None = 0) -> Done:
        for file in folder.glob("*.py"):
            monkeypatch.delitem(sys.modules, file.stem, raising=False)
        capfd.readouterr()
        with pytest.raises(SystemExit) as ended:
            main(list(words))
        done = Done(int(str(ended.value.code)), *capfd.readouterr())
        assert check is None or done.code == check, done
        return done

    return run
