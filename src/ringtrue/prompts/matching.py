"""`match_records`: what became of each prompt of an earlier scan; where nobody can tell, it says `unknown`."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ringtrue.prompts.record import PromptRecord
from ringtrue.prompts.stamps import ANCHOR, RUNTIME_SOURCE

_Key = Callable[[PromptRecord], Hashable | None]


@dataclass
class SiteVerdict:
    """What became of a prompt: `unchanged`, `changed`, `removed` or `unknown`, how that is meant, and how sure it is.

    Labels are `moved`, `formatting-only`, `file-renamed`, `dynamic`, `became-dynamic` and `unscannable`. The
    confidence is `exact`, `moved`, `structural`, or `ambiguous` where another prompt might be meant as well.
    """

    status: str
    labels: list[str]
    confidence: str
    baseline: PromptRecord | None
    live: PromptRecord | None
    bound_cases: list[dict[str, Any]] = field(default_factory=list)


def match_records(
    baseline_records: Sequence[PromptRecord],
    live_records: Sequence[PromptRecord],
    *,
    unscannable_files: Collection[str] | None = None,
) -> tuple[list[SiteVerdict], list[PromptRecord]]:
    """A verdict for each earlier prompt, in their order, and the prompts that are new.

    Equal texts are matched first, then equal places. A prompt in a file that cannot be read is not called removed.
    """
    verdicts: dict[int, SiteVerdict] = {}
    left = dict(enumerate(live_records))
    for key in (_same_text_and_place, _dynamic_place, _same_text_and_file, _same_text, _place, _same_words_elsewhere):
        waiting = {at: record for at, record in enumerate(baseline_records) if at not in verdicts}
        for at, found, others in list(_pairs(waiting, left, key)):
            live = left.pop(found)
            verdicts[at] = _verdict(waiting[at], live, _SURE.get(key) or ("ambiguous" if others else "structural"))
    gone = {at: record for at, record in enumerate(baseline_records) if at not in verdicts}
    verdicts |= {at: _gone(record, unscannable_files or ()) for at, record in gone.items()}
    return [verdicts[at] for at in sorted(verdicts)], list(left.values())


def match_target(
    target: Mapping[str, Any], live_records: Sequence[PromptRecord], unscannable_files: Collection[str] | None = None
) -> tuple[str, list[str]]:
    """What became of a prompt that a case is for; `unverifiable` is what no scan sees."""
    if target.get("source") == "external":
        return "unverifiable", []
    if target.get("source") == RUNTIME_SOURCE:
        return "unverifiable", [RUNTIME_SOURCE]
    if target.get("is_dynamic"):
        return "unknown", ["dynamic"]
    verdicts, _ = match_records([record_of_target(target)], live_records, unscannable_files=unscannable_files)
    return verdicts[0].status, verdicts[0].labels


def record_of_target(target: Mapping[str, Any]) -> PromptRecord:
    """The prompt that a case's stamp speaks of, as far as it says anything."""
    given = target.get("anchor")
    anchor: Mapping[str, Any] = given if isinstance(given, Mapping) else {}
    told: dict[str, Any] = {name: str(anchor.get(name) or "") for name in ANCHOR}
    told |= {name: str(target.get(name) or "") for name in ("fingerprint", "loose_fingerprint")}
    told |= {name: _number(anchor.get(name), missing) for name, missing in (("line", 0), ("role_position", -1))}
    return PromptRecord(**told, text="", is_dynamic=bool(target.get("is_dynamic")))


class Alike:
    """Prompts by all that one is matched by, so that a case's prompt is held against few of them."""

    def __init__(self, records: Iterable[PromptRecord]) -> None:
        self._groups: defaultdict[Hashable, list[PromptRecord]] = defaultdict(list)
        for record in records:
            for key in {_place(record), _same_text(record), _same_words_elsewhere(record)}:
                self._groups[key].append(record)

    def of(self, target: Mapping[str, Any]) -> list[PromptRecord]:
        """The prompts that a stamp may speak of."""
        wanted = record_of_target(target)
        keys = [key for key in (_place(wanted), _same_text(wanted), _same_words_elsewhere(wanted)) if key is not None]
        return list(dict.fromkeys(record for key in keys for record in self._groups.get(key, ())))


def _number(value: Any, missing: int) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else missing


def _same_text_and_place(record: PromptRecord) -> Hashable | None:
    return None if record.is_dynamic else (record.fingerprint, record.anchor)


def _dynamic_place(record: PromptRecord) -> Hashable | None:
    return record.anchor if record.is_dynamic else None


def _same_text_and_file(record: PromptRecord) -> Hashable | None:
    return None if record.is_dynamic else (record.fingerprint, record.file_path)


def _same_text(record: PromptRecord) -> Hashable | None:
    return None if record.is_dynamic else record.fingerprint


def _place(record: PromptRecord) -> Hashable | None:
    return record.anchor


def _same_words_elsewhere(record: PromptRecord) -> Hashable | None:
    """A file that was renamed while its prompt was edited cannot be told from another file: only indents may differ."""
    plain = record.loose_fingerprint and not record.is_dynamic
    return (record.loose_fingerprint, *record.anchor[1:]) if plain else None


_SURE: dict[_Key, str] = {_same_text_and_place: "exact", _same_text_and_file: "moved", _same_text: "moved"}


def _pairs(
    waiting: Mapping[int, PromptRecord], left: Mapping[int, PromptRecord], key: _Key
) -> Iterator[tuple[int, int, bool]]:
    """Prompts of equal keys, those on the nearest lines together, and whether there was a choice."""
    groups: defaultdict[Hashable, list[tuple[int, int]]] = defaultdict(list)
    for at, record in left.items():
        if (found := key(record)) is not None:
            groups[found].append((record.line, at))
    for group in groups.values():
        group.sort()
    for at, record in waiting.items():
        wanted = key(record)
        group = groups.get(wanted, []) if wanted is not None else []
        if group:
            after = bisect_left(group, (record.line, 0))
            near = min(
                range(max(after - 1, 0), min(after + 1, len(group))), key=lambda n: abs(group[n][0] - record.line)
            )
            yield at, group.pop(near)[1], bool(group)


def _verdict(old: PromptRecord, live: PromptRecord, confidence: str) -> SiteVerdict:
    if old.is_dynamic or live.is_dynamic:
        return SiteVerdict("unknown", ["dynamic" if old.is_dynamic else "became-dynamic"], confidence, old, live)
    if old.fingerprint == live.fingerprint:
        return SiteVerdict("unchanged", ["moved"] if confidence == "moved" else [], confidence, old, live)
    labels = ["formatting-only"] if old.loose_fingerprint and old.loose_fingerprint == live.loose_fingerprint else []
    return SiteVerdict("changed", labels + ["file-renamed"] * (old.file_path != live.file_path), confidence, old, live)


def _gone(record: PromptRecord, unscannable: Collection[str]) -> SiteVerdict:
    if record.file_path in unscannable:
        return SiteVerdict("unknown", ["unscannable"], "structural", record, None)
    return SiteVerdict("removed", [], "structural", record, None)
