"""Docs stay few, short and plain, and so do the comments and docstrings of the code."""

from __future__ import annotations

import ast
import io
import os
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterator
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
    r"\b(?:so many|so often|(?<!there )is no (?!longer|more|less|worse|better|nearer)\w+|whom|nobody|somebody|whoever|"
    r"goes? on|held against|tongue|anew|manieth|heard|told(?! (?:apart|from))|stands?(?!-| (?:in )?for\b)|"
    r"(?<!cannot )(?<!can )tells?(?! \w+(?: \w+)? (?:apart|from))(?! apart)|"
    r"the (?:documents|seeds?) (?:says?|promises?|documents?|shows?))\b",
    re.IGNORECASE,
)
FOLDERS = ("src", "dropin/src", "tests", "benchmarks", "docs", "examples")
WORDS_OF_OTHERS = ("datasets/catalogue", "datasets/synthetic", "scoring/choice/words", "scoring/ifbench", "scoring/nli")
FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def prose(page: Path) -> str:
    return re.sub(r"`[^`]*`", "", FENCED.sub("", page.read_text("utf-8")))


def remarks(code: str) -> Iterator[tuple[int, str]]:
    """The comments and docstrings of a module, each with its line."""
    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.lineno, node.value.value


def names_given(code: str) -> Iterator[tuple[int, str]]:
    """The names that a module gives, each with its line."""
    for node in ast.walk(ast.parse(code)):
        match node:
            case ast.Name(ctx=ast.Store()):
                yield node.lineno, node.id
            case ast.arg():
                yield node.lineno, node.arg
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield node.lineno, node.name


def test_there_are_at_most_25_pages_and_25_000_words() -> None:
    assert len(PAGES) <= 25, [page.name for page in PAGES]
    assert sum(len(page.read_text("utf-8").split()) for page in PAGES) <= 25_000


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_says_at_its_top_who_it_is_for(page: Path) -> None:
    opening = page.read_text("utf-8").split("\n\n")[1]
    assert page.name == "index.md" or opening.startswith("For "), opening


@pytest.mark.parametrize(
    "page", [*PAGES, *sorted((DOCS / "reference").glob("*.md")), ROOT / "README.md"], ids=lambda page: page.name
)
def test_a_page_is_in_plain_words(page: Path) -> None:
    found = [match.group() for match in PHRASES.finditer(prose(page))]
    assert not found, found


def test_a_public_docstring_names_what_it_is() -> None:
    """It opens with the thing or the verb, and not with a question word that has no question."""
    opening = re.compile(r"^(?:- `[^`]+`: )?(?:What|Whether|How|Which|Why|Who) ", re.MULTILINE)
    page = FENCED.sub("", (DOCS / "reference" / "python.md").read_text("utf-8"))
    paragraphs = [part.strip() for part in page.split("\n\n") if opening.search(part.strip())]
    assert not paragraphs, paragraphs


@pytest.mark.parametrize("folder", ["src", "dropin/src"])
def test_a_docstring_opens_with_a_verb_or_a_noun(folder: str) -> None:
    """It says what the function does or returns; `Whether` opens that of a predicate."""
    opening = re.compile(r"(?:What|How|Which|Why|Who|Where|When)\b")
    kinds = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
    found = [
        f"{path.relative_to(ROOT)}: {docstring.splitlines()[0]}"
        for path in sorted((ROOT / folder).rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, kinds) and opening.match(docstring := ast.get_docstring(node) or "")
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("folder", FOLDERS)
def test_comments_and_docstrings_are_in_plain_words(folder: str) -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}: {match.group()}"
        for path in sorted((ROOT / folder).rglob("*.py"))
        for line, remark in remarks(path.read_text("utf-8"))
        for match in PHRASES.finditer(re.sub(r"`[^`]*`", "", remark))
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("folder", FOLDERS)
def test_names_are_in_plain_words(folder: str) -> None:
    """Of functions, classes, arguments and variables; `nobody` is the user of Unix, `tell` a method of files."""
    found = [
        f"{path.relative_to(ROOT)}:{line}: {name}"
        for path in sorted((ROOT / folder).rglob("*.py"))
        for line, name in names_given(path.read_text("utf-8"))
        if name.strip("_").lower() not in ("nobody", "tell", "stand_in") and PHRASES.search(name.replace("_", " "))
    ]
    assert not found, "\n".join(found)


def test_messages_are_in_plain_words() -> None:
    """Every text that a module may print; lists of words and the questions of datasets are others' words."""
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno}: {match.group()}"
        for path in sorted((ROOT / "src" / "ringtrue").rglob("*.py"))
        if not any(folder in path.as_posix() for folder in WORDS_OF_OTHERS)
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        for match in PHRASES.finditer(re.sub(r"`[^`]*`", "", node.value))
    ]
    assert not found, "\n".join(found)


def test_the_site_builds_without_a_warning(tmp_path: Path) -> None:
    """Every page is in the navigation, every link and every anchor leads somewhere, and nothing is fetched."""
    command = [sys.executable, "-m", "mkdocs", "build", "--site-dir", str(tmp_path / "site")]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    )
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "site" / "tutorial.html").read_text("utf-8")
    assert '<span class="filename">answers.jsonl</span>' in page, "a block with a title is a file to write"
    unread = [one.name for one in (tmp_path / "site").rglob("*.html") if "```" in one.read_text("utf-8")]
    assert not unread, "a fence that the generator does not read is shown as text"
    assert "https://" not in re.sub(r'href="[^"]*"', "", page)
    assert 'src="javascripts/iframe-worker.js"' in page, "search works in pages opened from disk"
    assert (tmp_path / "site" / "search" / "search_index.js").is_file()
