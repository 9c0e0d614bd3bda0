"""Every project of `examples/` prints what its README shows, in a copy of the folder and without a network."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"
READMES = sorted(EXAMPLES.glob("*/README.md"))
IN_A_TEST_OF_ITS_OWN = {"compression": "test_compression_example.py"}
PROJECTS = [page.parent.name for page in READMES if page.parent.name not in IN_A_TEST_OF_ITS_OWN]
BLOCK = re.compile(r"^```(sh|text)\n(.*?)^```$", re.M | re.S)
SERVER = re.compile(r"(?<=\.py )\d{4}(?= &$)", re.M)


@pytest.mark.parametrize("project", PROJECTS)
def test_a_project_prints_what_its_readme_shows(project: str, tmp_path: Path) -> None:
    """The commands run as one script; `…` in the README stands for anything."""
    folder = shutil.copytree(EXAMPLES, tmp_path / "examples") / project
    (commands,), (shown,) = ([body for kind, body in blocks(project) if kind == wanted] for wanted in ("sh", "text"))
    for port in SERVER.findall(commands):
        commands = commands.replace(port, str(free_port()))
    bin_folder = Path(sys.executable).parent
    done = subprocess.run(
        ["bash", "-euc", f"trap 'kill $(jobs -p) 2>/dev/null || true' EXIT\n{commands}"],
        capture_output=True,
        text=True,
        cwd=folder,
        timeout=120,
        env={**os.environ, "PATH": f"{bin_folder}{os.pathsep}{os.environ['PATH']}", "COLUMNS": "80"},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    pattern = re.escape(shown.strip()).replace("…", ".*?")
    assert re.fullmatch(pattern, done.stdout.strip(), re.S), done.stdout + done.stderr


def blocks(project: str) -> list[tuple[str, str]]:
    """The commands of a project's README, and what it shows."""
    return BLOCK.findall((EXAMPLES / project / "README.md").read_text("utf-8"))


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def test_the_table_of_examples_has_every_folder() -> None:
    named = re.findall(r"^\| \[([\w-]+)\]", (EXAMPLES / "README.md").read_text("utf-8"), re.M)
    assert sorted(named) == sorted(path.name for path in EXAMPLES.iterdir() if path.is_dir())


@pytest.mark.parametrize("page", [EXAMPLES / "README.md", *READMES], ids=lambda page: page.parent.name)
def test_a_readme_is_short_and_its_links_lead_somewhere(page: Path) -> None:
    text = page.read_text("utf-8")
    assert len(text.splitlines()) <= 30
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
        assert (page.parent / target).exists(), f"{page.parent.name} links to {target}"
