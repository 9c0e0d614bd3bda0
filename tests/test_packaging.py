"""What `python -m build` makes is whole: the wheel has every file of the package, and runs the tutorial."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path

import pytest

from test_docs import ROOT, blocks, run_console

pytestmark = pytest.mark.heavy

PACKAGE = ROOT / "src" / "ringtrue"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist and the wheel that is built from it, without a network."""
    folder = tmp_path_factory.mktemp("dist")
    run_quietly(sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT))
    return folder


def run_quietly(*words: str) -> None:
    done = subprocess.run(words, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr


def tracked(folder: str) -> set[str]:
    """The files of a folder that belong to the repository, relative to it."""
    done = subprocess.run(["git", "ls-files", folder], cwd=ROOT, capture_output=True, text=True, check=True)
    return {str(Path(line).relative_to(folder)) for line in done.stdout.splitlines()}


def test_the_wheel_has_every_file_of_the_package(built: Path) -> None:
    """Templates, styles, samples, prompts and the golden rows that `certify` reads."""
    with zipfile.ZipFile(next(built.glob("*.whl"))) as wheel:
        names = set(wheel.namelist())
    wanted = {f"ringtrue/{name}" for name in tracked("src/ringtrue")}
    wanted |= {f"ringtrue/golden/{name}" for name in tracked("tests/golden")}
    assert {Path(name).suffix for name in wanted} >= {".py", ".html", ".css", ".js", ".md", ".jsonl", ".toml"}
    assert wanted - names == set()
    assert {name for name in names if name.endswith((".pyc", ".db"))} == set()


def test_the_sdist_has_what_its_tests_and_docs_need(built: Path) -> None:
    with tarfile.open(next(built.glob("*.tar.gz"))) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    wanted = {f"{folder}/{name}" for folder in ("src", "tests", "docs", "examples") for name in tracked(folder)}
    assert {*wanted, "pyproject.toml", "LICENSE", "NOTICE", "README.md"} - names == set()


def test_the_wheel_runs_the_tutorial_in_a_fresh_environment(
    built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The wheel alone is installed there; what it depends on comes from the environment of the tests."""
    python = fresh_environment(tmp_path / "venv", next(built.glob("*.whl")))
    folder = tmp_path / "work"
    folder.mkdir()
    where = subprocess.run(
        [python, "-c", "import ringtrue; print(ringtrue.__file__)"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    assert Path(where.stdout.strip()).is_relative_to(tmp_path / "venv")
    monkeypatch.setattr("test_docs.COMMANDS", {"ringtrue": [str(python.parent / "ringtrue")]})
    steps = 0
    for block in blocks(ROOT / "docs" / "tutorial.md"):
        if block.file:
            (folder / block.file).write_text(block.body, "utf-8")
        elif block.kind == "console":
            run_console(block.body, folder)
            steps += 1
    assert steps >= 6


def fresh_environment(folder: Path, wheel: Path) -> Path:
    """The Python of a new virtual environment with this wheel, which sees the packages of this one behind its own."""
    run_quietly(sys.executable, "-m", "venv", str(folder))
    python = folder / "bin" / "python"
    run_quietly(str(python), "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", str(wheel))
    own = next(folder.glob("lib/python*/site-packages"))
    # A plain path, not `site.addsitedir`: the checkout that is installed here in place stays out of sight.
    (own / "behind.pth").write_text(sysconfig.get_path("purelib") + os.linesep)
    return python
