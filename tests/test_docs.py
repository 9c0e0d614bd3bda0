"""Every fenced block in the README and the docs runs, or says why not."""

from __future__ import annotations

import doctest
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *(page for page in sorted((ROOT / "docs").rglob("*.md")) if "templates" not in page.parts)]
FENCE = re.compile(r"(?:<!-- not run: (?P<why>[^>]+) -->\n)?^```(?P<kind>[a-z]*)\n(?P<body>.*?)^```$", re.M | re.S)
COMMANDS = {"ringtrue": [sys.executable, "-m", "ringtrue"], "cat": ["cat"], "head": ["head"], "echo": ["echo"]}


def blocks() -> list[tuple[str, str, str]]:
    found = []
    for page in PAGES:
        text = page.read_text()
        for match in FENCE.finditer(text):
            line = text[: match.start("kind")].count("\n") + 1
            kind = "not run" if match["why"] else match["kind"]
            found.append((f"{page.relative_to(ROOT)}:{line}", kind, match["body"]))
    return found


BLOCKS = blocks()


@pytest.mark.parametrize(("where", "kind", "body"), BLOCKS, ids=[where for where, _, _ in BLOCKS])
def test_block(where: str, kind: str, body: str, tmp_path: Path) -> None:
    if kind == "console":
        run_console(body, tmp_path)
    elif kind in ("json", "jsonl"):
        for line in body.splitlines() if kind == "jsonl" else [body]:
            json.loads(line)
    else:
        allowed = kind in ("pycon", "python", "not run", "text")
        assert allowed, f"{where}: a {kind!r} block must run or say <!-- not run: why -->"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The Python of a page runs from top to bottom, as a reader would type it."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "__docs__"}
    for where, kind, body in BLOCKS:
        if where.rpartition(":")[0] != str(page.relative_to(ROOT)):
            continue
        if kind == "pycon":
            parsed = doctest.DocTestParser().get_doctest(body, names, where, where, 0)
            said: list[str] = []
            options = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
            doctest.DocTestRunner(optionflags=options).run(parsed, out=said.append, clear_globs=False)
            assert parsed.examples, "a pycon block needs >>>"
            assert not said, "".join(said)
            names = parsed.globs
        elif kind == "python":
            exec(compile(body, where, "exec"), names)


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
    assert sum(kind in ("pycon", "python", "console") for _, kind, _ in BLOCKS) >= 8


def test_links_between_pages_lead_somewhere() -> None:
    for page in [*PAGES, ROOT / "ARCHITECTURE.md", ROOT / "CONTRIBUTING.md"]:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"
