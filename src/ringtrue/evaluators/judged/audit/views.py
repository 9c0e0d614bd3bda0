"""Views of a snapshot for an auditor: names, texts and matching lines, each of bounded length."""

from __future__ import annotations

from collections import Counter
from posixpath import normpath

from ringtrue.errors import ConfigurationError
from ringtrue.evaluators.judged.audit.snapshot import File, Snapshot, printable_path
from ringtrue.safetext import shorten
from ringtrue.scoring.patterns.bounded_search import BoundedPattern, bounded_pattern

MAX_LISTED = 200
MAX_MATCHES = 100
_MAX_LINE_CHARS = 200
_MAX_PATTERN_CHARS = 500


class Mistaken(Exception):
    """A tool was asked for something that it cannot give; the message goes to the auditor."""


def place(path: str) -> str:
    """A path below the folder in its plain spelling, the empty string for the folder itself."""
    plain = normpath(path.strip() or ".")
    if plain.startswith("/") or plain.split("/")[0] == "..":
        raise Mistaken("paths are relative to the folder and stay inside it; '.' is the folder itself")
    return "" if plain == "." else plain


def listing(snapshot: Snapshot, path: str = ".") -> str:
    """Everything below a folder with its size; of large ones only the next level, with counts."""
    inside = place(path)
    start = f"{inside}/" if inside else ""
    names = {**dict.fromkeys((f"{printable_path(one)}/" for one in snapshot.folders), ""), **_described_files(snapshot)}
    below = {name: note for name, note in names.items() if name.startswith(start) and name != start}
    if not below:
        if start and start not in names:
            raise Mistaken(f"there is no folder {_short(inside)}")
        return "(empty)"
    if len(below) > MAX_LISTED:
        below = _next_level(below, start)
    lines = [f"{name}  {note}".rstrip() for name, note in sorted(below.items())]
    left = len(lines) - MAX_LISTED
    more = [f"… and {left:,} more; list a folder below this one"] if left > 0 else []
    cut = [] if snapshot.whole else ["(the folder has more entries than were copied)"]
    return "\n".join([*lines[:MAX_LISTED], *more, *cut])


def reading(snapshot: Snapshot, path: str, start_line: int, most: int) -> str:
    """The text of a file from a line on, as far as `most` characters go, under a line that says what is shown."""
    name, file = _find(snapshot, path)
    size = f"{name}: {len(file.data):,} bytes"
    text = _text(file)
    if text is None:
        return f"{size}, not text; it begins with {file.data[:32].hex(' ')}"
    lines = text.splitlines(keepends=True)
    if not lines:
        return f"{size}, empty"
    if start_line > len(lines):
        raise Mistaken(f"the file has {len(lines):,} lines")
    last, room = start_line - 1, most
    while last < len(lines) and len(lines[last]) <= room:
        room -= len(lines[last])
        last += 1
    if last < start_line:
        return f"{size}, line {start_line:,} of {len(lines):,}, cut off here\n{lines[last][:most]}"
    more = f"; continue with start_line {last + 1}" if last < len(lines) else ""
    piece = "".join(lines[start_line - 1 : last])
    return f"{size}, lines {start_line:,} to {last:,} of {len(lines):,}{more}\n{piece}"


def searching(snapshot: Snapshot, pattern: str, path: str, most: int) -> str:
    """The lines below a path in which a regular expression is found."""
    if len(pattern) > _MAX_PATTERN_CHARS:
        raise Mistaken(f"a pattern has at most {_MAX_PATTERN_CHARS:,} characters")
    try:
        wanted = bounded_pattern(pattern)
    except ConfigurationError as error:
        raise Mistaken(str(error)) from None
    inside = place(path)
    inside = snapshot.links.get(inside, inside)
    names = [name for name in snapshot.files if not inside or name == inside or name.startswith(f"{inside}/")]
    if not names:
        raise Mistaken(f"there is nothing at {_short(path)}")
    found: list[str] = []
    for name in names:
        found += _matches(wanted, name, snapshot.files[name], MAX_MATCHES + 1 - len(found))
        if len(found) > MAX_MATCHES or sum(map(len, found)) > most:
            return "\n".join([*found[:MAX_MATCHES], "… and more; narrow the path or the pattern"])
    return "\n".join(found) or f"no line of {len(names):,} files"


def _matches(wanted: BoundedPattern, name: str, file: File, most: int) -> list[str]:
    text = _text(file)
    found = []
    for number, line in enumerate((text or "").splitlines(), 1):
        hit = wanted.found_in(line)
        if hit is None:
            raise Mistaken(f"the pattern takes too long on {name}, line {number}; use a simpler one")
        if hit:
            found.append(f"{name}:{number}: {line[:_MAX_LINE_CHARS]}")
            if len(found) == most:
                break
    return found


def _described_files(snapshot: Snapshot) -> dict[str, str]:
    files = {name: f"{len(file.data):,} bytes" for name, file in snapshot.files.items()}
    links = {name: f"-> {target}" for name, target in snapshot.links.items()}
    return files | links | {name: f"({why})" for name, why in snapshot.left_out.items()}


def _next_level(below: dict[str, str], start: str) -> dict[str, str]:
    counts = Counter(name[len(start) :].partition("/")[0] for name in below if "/" in name[len(start) :].rstrip("/"))
    level = {name: note for name, note in below.items() if "/" not in name[len(start) :].rstrip("/")}
    return {
        name: f"{counts[name[len(start) : -1]]:,} entries" if name[-1] == "/" else note for name, note in level.items()
    }


def _find(snapshot: Snapshot, path: str) -> tuple[str, File]:
    name = place(path)
    name = snapshot.links.get(name, name)
    if name in snapshot.files:
        return name, snapshot.files[name]
    if name in snapshot.left_out:
        raise Mistaken(f"{_short(name)}: {snapshot.left_out[name]}")
    kind = (
        "a folder; list it" if any(printable_path(one) == name for one in snapshot.folders) or not name else "not there"
    )
    raise Mistaken(f"{_short(name or '.')} is {kind}")


def _text(file: File) -> str | None:
    """The file's text; None for what is none."""
    if b"\0" in file.data[:8_192]:
        return None
    text = file.data.decode("utf-8", "replace")
    return None if text[:8_192].count("\ufffd") * 10 > len(text[:8_192]) else text


def _short(text: str) -> str:
    return repr(shorten(text, 120))
