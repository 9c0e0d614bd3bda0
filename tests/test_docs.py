"""Every fenced block in the README and the docs runs, or says why not."""

from __future__ import annotations

import doctest
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parent.parent
PAGES = [
    ROOT / "README.md",
    *(page for page in sorted((ROOT / "docs").rglob("*.md")) if "templates" not in page.parts),
    *sorted((ROOT / "dropin" / "docs").glob("*.md")),
]
FENCE = re.compile(
    r"(?:<!-- not run: (?P<why>[^>]+) -->\n)?^```(?P<kind>[a-z]*)(?: title=\"(?P<file>[^\"]+)\")?\n(?P<body>.*?)^```$",
    re.M | re.S,
)
COMMANDS = {"ringtrue": [sys.executable, "-m", "ringtrue"], "cat": ["cat"], "head": ["head"], "echo": ["echo"]}
SHOWN = ("text", "json", "jsonl", "toml", "yaml")


class Block(NamedTuple):
    where: str
    kind: str
    file: str | None
    body: str


def blocks(page: Path) -> list[Block]:
    text, found = page.read_text("utf-8"), []
    for match in FENCE.finditer(text):
        where = f"{page.relative_to(ROOT)}:{text[: match.start('kind')].count(chr(10)) + 1}"
        found.append(Block(where, "not run" if match["why"] else match["kind"], match["file"], match["body"]))
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_page(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page runs from top to bottom in one folder, as a reader would type it; a block with a title is a file there."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "__docs__"}
    for where, kind, file, body in blocks(page):
        if file:
            Path(file).write_text(body, "utf-8")
        elif kind == "console":
            run_console(body, tmp_path)
        elif kind == "pycon":
            names = run_session(body, where, names)
        elif kind == "python":
            exec(compile(body, where, "exec"), names)
        else:
            assert kind in ("not run", *SHOWN), f"{where}: a {kind!r} block must run or say <!-- not run: why -->"
        if kind in ("json", "jsonl"):
            for line in body.splitlines() if kind == "jsonl" else [body]:
                json.loads(line)


def run_session(body: str, where: str, names: dict[str, object]) -> dict[str, object]:
    """The names after a session at the prompt, whose output is exactly what the page shows."""
    parsed = doctest.DocTestParser().get_doctest(body, names, where, where, 0)
    said: list[str] = []
    options = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    doctest.DocTestRunner(optionflags=options).run(parsed, out=said.append, clear_globs=False)
    assert parsed.examples, "a pycon block needs >>>"
    assert not said, "".join(said)
    return parsed.globs


def run_console(body: str, folder: Path) -> None:
    """Lines after `$ ` are commands; what follows each is exactly what it prints. `…` stands for anything."""
    for step in re.split(r"^\$ ", body, flags=re.M)[1:]:
        command, _, wanted = step.partition("\n")
        stages = [shlex.split(stage) for stage in command.split(" | ")]
        data = ""
        for stage in stages:
            target = stage[stage.index(">") + 1] if ">" in stage else None
            words = stage[: stage.index(">")] if target else stage
            assert words[0] in COMMANDS, f"the docs run {words[0]!r}; add it here or say why not"
            done = subprocess.run(
                [*COMMANDS[words[0]], *words[1:]], input=data, capture_output=True, text=True, cwd=folder, timeout=120
            )
            data = done.stdout + (done.stderr if stage is stages[-1] else "")
            if target:
                (folder / target).write_text(done.stdout)
                data = ""
        pattern = re.escape(stripped(wanted)).replace("…", ".*?")
        assert re.fullmatch(pattern, stripped(data), re.S), f"$ {command}\n{data}"


def stripped(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip("\n").splitlines())


def test_there_are_blocks_to_run() -> None:
    assert sum(block.kind in ("pycon", "python", "console") for page in PAGES for block in blocks(page)) >= 8


def test_links_between_pages_lead_somewhere() -> None:
    for page in [*PAGES, ROOT / "ARCHITECTURE.md", ROOT / "CONTRIBUTING.md"]:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"
