"""Unified diffs: read out of a reply, which files they touch, whether their hunks fit a file."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from ringtrue.scoring.programs.fences import fenced_block

MAX_CHARS = 5_000_000
_HUNK = re.compile(r"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@")
_NOWHERE = "/dev/null"
_HEADERS = ("diff --git ", "--- ")
_NO_NEWLINE = "\\ No newline at end of file"


class Hunk(NamedTuple):
    """The first line it replaces (1 is the first of the file), what it expects there, and what it puts in its place."""

    start: int
    old: tuple[str, ...]
    new: tuple[str, ...]


class FileDiff(NamedTuple):
    """The changes to one file; a path is None where the file is created or deleted."""

    old: str | None
    new: str | None
    hunks: tuple[Hunk, ...]

    @property
    def path(self) -> str:
        """The path the change is known by."""
        return self.new or self.old or ""


class BadDiff(ValueError):
    """The text is not a unified diff; the message says where it goes wrong."""


def diff_in(reply: str) -> str:
    """The diff a reply holds: a fenced block that looks like one, else everything from the first header on."""
    inside = fenced_block(reply)
    for text in (inside, reply):
        if text is not None:
            start = _first_header(text)
            if start >= 0:
                return text[start:]
    return ""


def read_diff(text: str) -> list[FileDiff]:
    """The files of a unified diff; a text that is none raises BadDiff."""
    if len(text) > MAX_CHARS:
        raise BadDiff(f"it has {len(text):,} characters; {MAX_CHARS:,} are read")
    lines = text.split("\n")
    files: list[FileDiff] = []
    at = 0
    while at < len(lines):
        if lines[at].startswith("--- ") and at + 1 < len(lines) and lines[at + 1].startswith("+++ "):
            old, new = _path(lines[at][4:]), _path(lines[at + 1][4:])
            hunks, at = _hunks(lines, at + 2)
            if not hunks:
                raise BadDiff(f"{new or old} has no hunk")
            files.append(FileDiff(old, new, tuple(hunks)))
        else:
            at += 1
    if not files:
        raise BadDiff("it changes no file: there is no line '--- ' followed by one '+++ '")
    return files


def touched_paths(files: list[FileDiff]) -> set[str]:
    """The paths a diff changes, creates or deletes."""
    return {file.path for file in files}


def first_mismatch(files: list[FileDiff], read: Callable[[str], str | None]) -> str:
    """Return why a diff does not apply to the files `read` returns (None: there is no file); empty if it applies.

    A hunk fits where its old lines are, at its stated place or at the nearest one after the hunk before it.
    """
    for file in files:
        content = read(file.old) if file.old else None
        if file.old and content is None:
            return f"{file.old} does not exist"
        if not file.old and file.new and read(file.new) is not None:
            return f"{file.new} is created, and exists"
        lines = content.splitlines() if content is not None else []
        after = 0
        for number, hunk in enumerate(file.hunks, 1):
            place = _place(lines, hunk, after)
            if place < 0:
                return f"hunk {number} of {file.path} does not fit"
            after = place + len(hunk.old)
    return ""


def _place(lines: list[str], hunk: Hunk, after: int) -> int:
    old = list(hunk.old)
    if not old:
        return max(after, hunk.start) if hunk.start <= len(lines) else -1
    stated = hunk.start - 1
    if stated >= after and lines[stated : stated + len(old)] == old:
        return stated
    places = (place for place in range(after, len(lines) - len(old) + 1) if lines[place] == old[0])
    fitting = (place for place in places if lines[place : place + len(old)] == old)
    return min(fitting, key=lambda place: abs(place - stated), default=-1)


def _first_header(text: str) -> int:
    starts = [0 if text.startswith(mark) else text.find("\n" + mark) + 1 for mark in _HEADERS]
    found = [
        start
        for start, mark in zip(starts, _HEADERS, strict=True)
        if text.startswith(mark, start) and (start == 0 or text[start - 1] == "\n")
    ]
    return min(found, default=-1)


def _path(header: str) -> str | None:
    name = header.partition("\t")[0].strip().strip('"')
    if name == _NOWHERE:
        return None
    return name[2:] if name[:2] in ("a/", "b/") else name


def _hunks(lines: list[str], at: int) -> tuple[list[Hunk], int]:
    found: list[Hunk] = []
    while at < len(lines):
        match = _HUNK.match(lines[at])
        if not match:
            break
        old_count, new_count = int(match[2] or 1), int(match[4] or 1)
        body, at = _body(lines, at + 1, old_count, new_count)
        old = tuple(text for mark, text in body if mark in " -")
        new = tuple(text for mark, text in body if mark in " +")
        if (len(old), len(new)) != (old_count, new_count):
            raise BadDiff(f"the hunk {match[0]} has {len(old)} old and {len(new)} new lines")
        found.append(Hunk(int(match[1]), old, new))
    return found, at


def _body(lines: list[str], at: int, old: int, new: int) -> tuple[list[tuple[str, str]], int]:
    def marked_lines() -> Iterator[tuple[str, str]]:
        nonlocal at, old, new
        while at < len(lines) and (old > 0 or new > 0 or lines[at] == _NO_NEWLINE):
            line = lines[at].removesuffix("\r")
            mark = line[:1] or " "  # mailers and models strip the blank of an empty context line
            if line != _NO_NEWLINE:
                if mark not in " +-":
                    return
                old -= mark in " -"
                new -= mark in " +"
                yield mark, line[1:]
            at += 1

    return list(marked_lines()), at
