"""`diff_records`: which prompts changed between two scans."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from itertools import zip_longest

from multivon_eval.attribution.schema import PromptDiff, PromptRecord

__all__ = ["diff_records"]

_ORDER = ("modified", "added", "removed", "dynamic")


def diff_records(base: Iterable[PromptRecord], head: Iterable[PromptRecord]) -> list[PromptDiff]:
    """The prompts that differ at equal call sites: first modified ones, then added, removed and dynamic ones."""
    sites: defaultdict[str, tuple[list[PromptRecord], list[PromptRecord]]] = defaultdict(lambda: ([], []))
    for side, records in enumerate((base, head)):
        for record in records:
            sites[record.call_site_id][side].append(record)
    found = [
        PromptDiff(site, kind, before, after)
        for site, (old, new) in sites.items()
        for before, after in zip_longest(old, new)
        if (kind := _kind(before, after))
    ]
    return sorted(found, key=lambda diff: (_ORDER.index(diff.change_type), diff.call_site_id))


def _kind(before: PromptRecord | None, after: PromptRecord | None) -> str:
    if before is None or after is None:
        return "removed" if after is None else "added"
    if before.is_dynamic or after.is_dynamic:
        return "dynamic" if before.text != after.text else ""
    return "modified" if before.fingerprint != after.fingerprint else ""
