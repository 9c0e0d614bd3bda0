"""Imports point down and never sideways."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "src" / "ringtrue"

ROOT = {
    "_version", "_lazy", "errors", "records", "identity", "jsontext", "jsontext_reader", "pythontext", "require",
    "sync", "safetext", "atomic_file", "user_code",
}  # fmt: skip
LAYERS = [
    ROOT,
    {"scoring", "dialects", "stats", "models", "sandbox"},
    {"evaluators", "systems", "datasets", "metrics"},
    {"runner", "store"},
    {"reports"},
    {"suites", "api", "authoring"},
    {"viewer"},
    {"cli", "pytest_plugin", "__init__", "__main__"},
]
LEVEL = {part: level for level, parts in enumerate(LAYERS) for part in parts}
PURE = {"scoring", "dialects", "stats", "metrics", "records", "errors"}
IMPURE = {"asyncio", "os", "subprocess", "socket", "threading", "multiprocessing", "logging", "time", "aiohttp"}

FILES = sorted(PACKAGE.rglob("*.py"))


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            yield node.module or ""


def part_of(path: Path) -> str:
    relative = path.relative_to(PACKAGE)
    return relative.parts[0].removesuffix(".py")


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_point_down(path: Path) -> None:
    here = part_of(path)
    assert here in LEVEL, f"{here} is in no layer"
    for name in imported(path):
        if not name.startswith("ringtrue"):
            continue
        there = [*name.split("."), "__init__"][1]
        allowed = there == here or LEVEL[there] < LEVEL[here] or (LEVEL[there] == 0 == LEVEL[here])
        assert allowed or here in ("__init__", "__main__"), f"{here} imports {name}"


@pytest.mark.parametrize(
    "path", [path for path in FILES if part_of(path) in PURE], ids=lambda path: str(path.relative_to(PACKAGE))
)
def test_the_core_is_pure(path: Path) -> None:
    found = {name.split(".")[0] for name in imported(path)} & IMPURE
    assert not found


def test_every_layer_rule_can_fail() -> None:
    """The reader of imports sees imports inside functions, too."""
    tree = "def f():\n    from ringtrue.cli import main\n"
    names = [node.module for node in ast.walk(ast.parse(tree)) if isinstance(node, ast.ImportFrom)]
    assert names == ["ringtrue.cli"]
    assert LEVEL["cli"] > LEVEL["scoring"]


@pytest.mark.parametrize("folder", ["tests", "benchmarks", "examples", "docs"])
def test_nothing_imports_a_module_that_has_gone(folder: str) -> None:
    """A file of helpers outlived what it helped with: no test imported it, so nothing failed."""
    root = PACKAGE.parent.parent
    named = {
        (name.partition(".")[2].replace(".", "/"), path.relative_to(root))
        for path in sorted((root / folder).rglob("*.py"))
        for name in imported(path)
        if name.partition(".")[0] == "ringtrue"
    }
    gone = [f"{path}: {name}" for name, path in named if not is_module(name)]
    assert not gone


def is_module(name: str) -> bool:
    return (PACKAGE / f"{name}.py").is_file() or (PACKAGE / name / "__init__.py").is_file()
