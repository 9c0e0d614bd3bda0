"""`scan`: the prompts in the Python files of a folder; files are read and parsed, and nothing in them is run."""

from __future__ import annotations

import ast
import codecs
import os
import stat
import tokenize
import warnings
from collections.abc import Collection, Iterable, Iterator
from importlib.util import decode_source
from io import BytesIO
from pathlib import Path

from ringtrue.prompts.fingerprint import fingerprint_text, loose_fingerprint_text, writable
from ringtrue.prompts.names import Definition, Scope, constants, literal
from ringtrue.prompts.record import PromptRecord
from ringtrue.prompts.sites import Prompt, imported_from_litellm, library, may_send, prompts_of
from ringtrue.reports.whole_file import Where

SCANNER_VERSION = 4
"""Scans of other versions find other prompts, or give them other fingerprints."""

MAX_BYTES = 1_000_000
"""Longer files are skipped."""

DEFAULT_IGNORE_DIRS = frozenset({
    ".venv", "venv", "env", ".env", "node_modules", ".git", "__pycache__", ".pytest_cache", ".ruff_cache",
    ".mypy_cache", "build", "dist", ".tox", ".nox", "site-packages",
})  # fmt: skip

_SLOW = ("idna", "punycode")
"""Encodings whose reading takes the square of the length."""

_OUTSIDE = "resolves outside repo root"


class _Unreadable(Exception):
    """A file's source cannot be read; the message is the reason."""


def scan(repo_root: Where, ignore_dirs: Iterable[str] | None = None) -> list[PromptRecord]:
    """The prompts under a folder, in the order of files and lines."""
    return scan_with_skips(repo_root, ignore_dirs)[0]


def scan_with_skips(
    repo_root: Where, ignore_dirs: Iterable[str] | None = None
) -> tuple[list[PromptRecord], list[tuple[str, str]]]:
    """The prompts under a folder, and the files that could not be read, each with the reason."""
    root = Path(repo_root).resolve()
    records: list[PromptRecord] = []
    failed: list[OSError] = []
    reasons: dict[str, str | None] = {}
    seen: set[str] = set()
    for path in files_under(root, ".py", DEFAULT_IGNORE_DIRS.union(ignore_dirs or ()), failed):
        real = os.path.realpath(path)  # a file that links lead to is one file
        found, reasons[path] = ([], None) if real in seen else scan_file_with_reason(path, root)
        seen.add(real)
        records += found
    reasons |= {str(error.filename): f"unreadable: {error.strerror}" for error in failed}
    skipped = [
        (writable(os.path.relpath(path, root)), reason) for path, reason in reasons.items() if reason is not None
    ]
    return sorted(records, key=lambda record: (record.file_path, record.line, record.role_position)), sorted(skipped)


def scan_file(file_path: Where, repo_root: Where | None = None) -> list[PromptRecord]:
    """The prompts of one file; none where it cannot be read."""
    return scan_file_with_reason(file_path, repo_root)[0]


def scan_file_with_reason(file_path: Where, repo_root: Where | None = None) -> tuple[list[PromptRecord], str | None]:
    """The prompts of one file, and why there are none where it could not be read."""
    try:
        path = Path(file_path).resolve()
        if repo_root is not None and not path.is_relative_to(Path(repo_root).resolve()):
            return [], _OUTSIDE
        shown = str(path) if repo_root is None else path.relative_to(Path(repo_root).resolve()).as_posix()
        source = _source(path)
        tree = _parsed(source)
        return list(_records(tree, writable(shown))) if may_send(source) else [], None
    except _Unreadable as error:
        return [], str(error)
    except (OSError, RuntimeError) as error:  # RuntimeError: links that lead in a circle
        return [], f"unreadable: {getattr(error, 'strerror', None) or error}"


def files_under(
    root: Where, ending: str, ignored: Collection[str] = DEFAULT_IGNORE_DIRS, failed: list[OSError] | None = None
) -> Iterator[str]:
    """The paths under a folder that end so; hidden and ignored folders are passed over, links to folders not followed.

    Errors of folders that cannot be read are put into `failed`.
    """
    for folder, inner, names in os.walk(root, onerror=None if failed is None else failed.append):
        inner[:] = [name for name in inner if name not in ignored and not name.startswith(".")]
        yield from (path for name in names if (path := os.path.join(folder, name)).endswith(ending))


def _source(path: Path) -> str:
    found = path.stat()
    if not stat.S_ISREG(found.st_mode):  # a pipe would be waited for
        raise _Unreadable("unreadable: it is no file")
    with path.open("rb") as file:
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise _Unreadable(f"too large: {found.st_size:,} bytes; at most {MAX_BYTES:,} are read")
    try:
        encoding, _ = tokenize.detect_encoding(BytesIO(data).readline)
        if codecs.lookup(encoding).name in _SLOW:
            raise _Unreadable(f"encoding error: no source is written in {encoding}")
        return decode_source(data)
    except (SyntaxError, UnicodeError, LookupError) as error:
        raise _Unreadable(f"encoding error: {getattr(error, 'reason', None) or error}") from error


def _parsed(source: str) -> ast.Module:
    try:
        with warnings.catch_warnings():  # what a file's author is warned about is not the reader's concern
            warnings.simplefilter("ignore")
            return ast.parse(source)
    except SyntaxError as error:
        raise _Unreadable(f"syntax error: line {error.lineno or 1}: {error.msg}") from error
    except (ValueError, RecursionError, MemoryError) as error:
        raise _Unreadable(f"syntax error: {str(error) or 'nested too deep'}") from error


def _records(tree: ast.Module, shown: str) -> Iterator[PromptRecord]:
    nodes = list(ast.walk(tree))
    imported = imported_from_litellm(nodes)
    if not any(isinstance(node, ast.Call) and library(node, imported) for node in nodes):
        return
    module = Scope.of(tree)
    known = constants(tree, module, nodes)
    waiting: list[tuple[ast.AST, Scope]] = [(tree, module)]
    while waiting:  # not by recursion: expressions may be nested as deep as the parser lets them
        node, scope = waiting.pop()
        if isinstance(node, Definition):
            scope = Scope.of(node, scope)
        asked = library(node, imported) if isinstance(node, ast.Call) else None
        if isinstance(node, ast.Call) and asked is not None:
            for prompt in prompts_of(node):
                line = node.lineno if prompt.node is None else prompt.node.lineno
                text, dynamic = _text(prompt, scope, known)
                about = (shown, line, *asked, writable(prompt.role), prompt.position, scope.qualname, text, dynamic)
                yield PromptRecord(*about, fingerprint_text(text), loose_fingerprint_text(text))
        waiting.extend((child, scope) for child in reversed(list(ast.iter_child_nodes(node))))


def _text(prompt: Prompt, scope: Scope, known: dict[str, str]) -> tuple[str, bool]:
    """A prompt's text, or what stands for one that the running program makes, and whether it is such a one."""
    node = prompt.node
    text = None if node is None or prompt.role == "messages" else literal(node)
    if isinstance(node, ast.Name) and prompt.role != "messages" and not scope.hides(node.id):
        text = known.get(node.id)
    return (text, False) if text is not None else (f"<dynamic:{type(node).__name__ if node else 'KwargsUnpack'}>", True)
