"""The drop-in is built on the public modules of ringtrue, and on none beside them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
SOURCE = ROOT / "dropin" / "src"
FILES = sorted(SOURCE.rglob("*.py"))
PAGE = (ROOT / "docs" / "reference" / "python.md").read_text()
DOCUMENTED = {
    module: set(re.findall(r"^### (\w+)$", names, re.MULTILINE))
    for module, names in re.findall(r"^## (ringtrue[\w.]*)$(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)
}
DOCUMENTED["ringtrue.records"] |= DOCUMENTED["ringtrue"] | {"Json", "Status"}
"""Records are documented under `ringtrue`, and where they are defined; types of values have no entry of their own."""


def imports(path: Path) -> Iterator[tuple[str, str]]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "ringtrue":
            yield from ((node.module or "", name.name) for name in node.names)
        elif isinstance(node, ast.Import):
            yield from ((name.name, "") for name in node.names if name.name.partition(".")[0] == "ringtrue")


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_it_imports_documented_names_alone(path: Path) -> None:
    for module, name in imports(path):
        if name and f"{module}.{name}" not in DOCUMENTED and name != "__version__":
            assert name in DOCUMENTED.get(module, ()), f"{module}.{name} is not on docs/reference/python.md"


def test_the_core_has_no_word_of_the_drop_in() -> None:
    words = re.compile(r"\b(multivon|context_bench|eval_recipes)\b|(?<!npow/)context-bench|eval-recipes")
    for path in (ROOT / "src").rglob("*.*"):
        if path.suffix in (".py", ".md", ".html", ".toml"):
            for line in path.read_text("utf-8").splitlines():
                assert not words.search(line) or line.startswith("CONTEXT_BENCH = "), f"{path}: {line}"
