"""The code blocks of a chat answer."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ringtrue.scoring.programs.syntax import Reader, names_of

_PYTHON = frozenset({"", "python", "py", "python3", "py3", "pycon", "ipython", "python2", "sage", "starlark"})
_OTHERS = frozenset(
    (
        *("bash", "sh", "shell", "zsh", "console", "terminal", "powershell", "text", "txt", "plaintext", "plain"),
        *("output", "json", "javascript", "js", "typescript", "ts", "java", "c", "cpp", "c++", "csharp", "cs", "go"),
        *("rust", "ruby", "php", "sql", "html", "css", "xml", "yaml", "yml", "toml", "ini", "diff", "markdown", "md"),
        *("makefile", "dockerfile", "r", "julia", "kotlin", "swift", "scala", "haskell", "lua", "perl", "latex", "tex"),
        *("none", "log", "csv"),
    )
)
_ANSWER_TAGS = (("<answer>", "</answer>"), ("<solution>", "</solution>"))
_TAGS = (
    ("[PYTHON]", "[/PYTHON]"),
    ("[BEGIN]", "[DONE]"),
    ("<code>", "</code>"),
    ("<python>", "</python>"),
    *_ANSWER_TAGS,
)
_MOST = 60


def blocks(text: str) -> list[str]:
    """The Python blocks of a text, dedented to their fence; a fence inside a block's own strings does not end it."""
    marked = _with_fences(text)
    if "```" not in marked:
        return []
    segments = re.split(r"`{3,}", marked)
    reader = Reader()
    found: list[_Block] = []
    at = 1
    while at < len(segments):
        block = _block(segments[at], segments[at - 1])
        at += 2
        while at < len(segments) and len(segments) < _MOST and _is_cut(reader, block, segments, at):
            block = _Block(block.language, f"{block.text}```{segments[at - 1]}```{segments[at]}")
            at += 2
        if block.text.strip():
            found.append(block)
    python = [block.text for block in found if block.language in _PYTHON]
    named = [block.text for block in found if block.language in _PYTHON and block.language]
    return named if named and not _unnamed_matters(reader, found, named) else python


@dataclass(frozen=True, slots=True)
class _Block:
    language: str
    text: str


def _with_fences(text: str) -> str:
    marked = re.sub(r"(?m)^[ \t]{0,20}~~~+", "```", text)
    if "```" in marked:
        return marked
    for opening, closing in _TAGS:
        if opening in marked:
            return marked.replace(opening, "```python\n").replace(closing, "\n```")
    return marked


def _block(segment: str, before: str) -> _Block:
    first, newline, rest = segment.partition("\n")
    word = first.strip().split(" ")[0].split("{")[0].strip().lower()
    language, body = ("", segment) if not newline else (word, rest)
    if newline and word not in _PYTHON and word not in _OTHERS:
        language, body = "", segment  # the first line is code already
    margin = before.rpartition("\n")[2]
    if margin and not margin.strip("> "):
        # An indented or quoted block.
        body = "\n".join(line.removeprefix(margin).removeprefix(margin.rstrip()) for line in body.split("\n"))
    lines = [line for line in body.split("\n") if line.strip()]
    if lines and lines[0].lstrip().startswith(">>>"):
        typed = [line.lstrip() for line in lines if line.lstrip().startswith((">>>", "..."))]
        body = "\n".join(line[4:] for line in typed) + "\n"
    return _Block(language, body)


def _is_cut(reader: Reader, block: _Block, segments: list[str], at: int) -> bool:
    """Whether a block continues behind a fence inside one of its strings."""
    if block.language not in _PYTHON or not ('"""' in block.text or "'''" in block.text):
        return False
    if reader.parse(block.text) is not None:
        return False
    longer = f"{block.text}```{segments[at - 1]}```{segments[at]}"
    return reader.parse(longer) is not None


def _unnamed_matters(reader: Reader, found: list[_Block], named: list[str]) -> bool:
    # Blocks without a language count beside named ones only where they define something.
    rest = [block.text for block in found if not block.language]
    return any((tree := reader.parse(text)) is not None and names_of(tree.body) for text in rest) and len(named) < 20
