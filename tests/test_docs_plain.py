"""The docs stay few, short and plain: each page says whom it is for, and none speaks in phrases nobody searches for."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
GENERATED = {"reference", "generate"}
MEASURED = {"benchmarks.md"}
PAGES = [
    page
    for page in sorted(DOCS.rglob("*.md"))
    if not GENERATED & {*page.relative_to(DOCS).parts} and page.name not in MEASURED
]
PHRASES = re.compile(
    r"\b(?:so many|so often|(?<!there )is no (?!longer|more|less|worse|better)\w+|whom|nobody|somebody|whoever|"
    r"goes? on|held against|tongue|anew|the (?:documents|seeds?) (?:says?|promises?|documents?|shows?))\b",
    re.IGNORECASE,
)
FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def prose(page: Path) -> str:
    return re.sub(r"`[^`]*`", "", FENCED.sub("", page.read_text("utf-8")))


def test_there_are_at_most_25_pages_and_25_000_words() -> None:
    assert len(PAGES) <= 25, [page.name for page in PAGES]
    assert sum(len(page.read_text("utf-8").split()) for page in PAGES) <= 25_000


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_says_at_its_top_whom_it_is_for(page: Path) -> None:
    opening = page.read_text("utf-8").split("\n\n")[1]
    assert page.name == "index.md" or opening.startswith("For "), opening


@pytest.mark.parametrize(
    "page", [*PAGES, *sorted((DOCS / "reference").glob("*.md")), ROOT / "README.md"], ids=lambda page: page.name
)
def test_a_page_is_in_plain_words(page: Path) -> None:
    found = [match.group() for match in PHRASES.finditer(prose(page))]
    assert not found, found


def test_the_site_builds_without_a_warning(tmp_path: Path) -> None:
    """Every page is in the navigation, every link and every anchor leads somewhere, and nothing is fetched."""
    command = [sys.executable, "-m", "mkdocs", "build", "--site-dir", str(tmp_path / "site")]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    )
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "site" / "tutorial.html").read_text("utf-8")
    assert "https://" not in re.sub(r'href="[^"]*"', "", page)
    assert 'src="javascripts/iframe-worker.js"' in page, "search works in pages opened from disk"
    assert (tmp_path / "site" / "search" / "search_index.js").is_file()
