"""Claims and the passages that bear them out: each passage is marked in its source, and both lead to the other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ringtrue.records import RowStatus, Score
from ringtrue.reports.number import count

MOST_CLAIMS = 60
AROUND = 240
"""How many characters are shown around a passage; the whole source is behind a fold."""
_STATUS: Mapping[str, RowStatus] = {"supported": "passed", "error": "error", "inconclusive": "skipped"}


class MarkedPiece(NamedTuple):
    """A run of a source; `number` is that of the passage it is, 0 between passages."""

    text: str
    number: int = 0


@dataclass(frozen=True, slots=True)
class ClaimLine:
    """A claim, what became of it, and the numbers of its passages."""

    text: str
    status: RowStatus
    verdict: str
    reason: str
    numbers: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class MarkedSource:
    """A source with its passages marked: what lies around them, and the whole text."""

    name: str
    pieces: tuple[MarkedPiece, ...]
    whole: str
    size: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """The claims of an answer and their sources; `unplaced` are passages that no source of the row holds."""

    claims: tuple[ClaimLine, ...]
    sources: tuple[MarkedSource, ...]
    unplaced: tuple[tuple[int, str, str], ...] = ()
    more: int = 0


def claim_evidence(score: Score, sources: Iterable[tuple[str, str]]) -> Evidence | None:
    """The claims that a score kept, with the row's sources; None if it kept none."""
    kept = score.metadata.get("claims")
    if not isinstance(kept, (list, tuple)) or not kept or not all(isinstance(one, Mapping) for one in kept):
        return None
    passages: dict[str, int] = {}
    titles: dict[str, str] = {}
    claims = []
    for one in kept[:MOST_CLAIMS]:
        numbers = []
        for cited in one.get("citations") or ():
            text = cited.get("cited_text") if isinstance(cited, Mapping) else None
            if isinstance(text, str) and text.strip():
                numbers.append(passages.setdefault(text, len(passages) + 1))
                titles.setdefault(text, str(cited.get("title") or cited.get("source_id") or ""))
        verdict = str(one.get("verdict") or "").replace("_", " ")
        status = _STATUS.get(str(one.get("verdict")), "failed")
        text = str(one.get("claim") or one.get("sentence") or "")
        claims.append(ClaimLine(text, status, verdict, str(one.get("proof") or ""), tuple(dict.fromkeys(numbers))))
    placed: set[int] = set()
    marked = [_mark(name, text, passages, placed) for name, text in sources]
    unplaced = tuple((number, titles[text], text) for text, number in passages.items() if number not in placed)
    more = max(0, len(kept) - MOST_CLAIMS)
    return Evidence(tuple(claims), tuple(one for one in marked if one is not None), unplaced, more)


def _mark(name: str, text: str, passages: Mapping[str, int], placed: set[int]) -> MarkedSource | None:
    """A source with the passages marked that no source before it holds; None where it holds none."""
    spans: list[tuple[int, int, int]] = []
    for passage, number in passages.items():
        at = text.find(passage) if number not in placed else -1
        if at >= 0:
            spans.append((at, at + len(passage), number))
            placed.add(number)
    if not spans:
        return None
    return MarkedSource(name, _pieces(text, sorted(spans)), text, f"Whole source, {count(len(text.split()), 'word')}")


def _pieces(text: str, spans: Sequence[tuple[int, int, int]]) -> tuple[MarkedPiece, ...]:
    """The passages and what lies around them; what is left out between two is an ellipsis."""
    pieces: list[MarkedPiece] = []
    done = max(0, spans[0][0] - AROUND)
    if done:
        pieces.append(MarkedPiece("… "))
    for start, end, number in spans:
        if start - done > 2 * AROUND:
            pieces += [
                MarkedPiece(text[done : done + AROUND]),
                MarkedPiece(" … "),
                MarkedPiece(text[start - AROUND : start]),
            ]
        elif start > done:
            pieces.append(MarkedPiece(text[done:start]))
        pieces.append(MarkedPiece(text[max(start, done) : end], number))
        done = max(done, end)
    after = text[done : done + AROUND]
    return (*pieces, MarkedPiece(after + (" …" if done + AROUND < len(text) else "")))


def json_of(metadata: Mapping[str, Any], known: Iterable[str]) -> dict[str, Any]:
    """Return the details of a score that a page does not show already."""
    return {
        name: value for name, value in metadata.items() if name not in set(known) and value not in (None, "", [], {})
    }
