"""The drop-in stands on the documented modules of ringtrue, and on none beside them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
SOURCE = ROOT / "dropin" / "src"
FILES = sorted(SOURCE.rglob("*.py"))
DOCUMENTED = set(
    re.findall(r"^## (ringtrue[\w.]*)$", (ROOT / "docs" / "reference" / "python.md").read_text(), re.MULTILINE)
)


def imports(path: Path) -> Iterator[tuple[str, str]]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "ringtrue":
            yield from ((node.module or "", name.name) for name in node.names)
        elif isinstance(node, ast.Import):
            yield from ((name.name, "") for name in node.names if name.name.partition(".")[0] == "ringtrue")


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_it_imports_documented_names_alone(path: Path) -> None:
    for module, name in imports(path):
        assert module in DOCUMENTED or f"{module}.{name}" in DOCUMENTED, (
            f"{module} is in no page of docs/reference/python.md"
        )
        assert not name.startswith("_") or name == "__version__", f"{module}.{name} is private"
        origin = import_module(module)
        if name and not hasattr(origin, "__all__") and hasattr(origin, name):
            found = str(getattr(getattr(origin, name), "__module__", module))
            assert found == module or not found.startswith("ringtrue"), f"{module} has {name} from {found}"


def test_the_core_has_no_word_of_the_drop_in() -> None:
    words = re.compile(r"\b(multivon|context_bench|eval_recipes)\b|(?<!npow/)context-bench|eval-recipes")
    for path in (ROOT / "src").rglob("*.*"):
        if path.suffix in (".py", ".md", ".html", ".toml"):
            for line in path.read_text("utf-8").splitlines():
                assert not words.search(line) or line.startswith("CONTEXT_BENCH = "), f"{path}: {line}"
