"""`FILE[::QUALNAME][.ROLE[#POS]]`: the one prompt that it means, or an error; never a guess."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping, Sequence
from typing import Any

from ringtrue.errors import ConfigurationError
from ringtrue.prompts.commit import git_info
from ringtrue.prompts.record import PromptRecord
from ringtrue.prompts.source import scan
from ringtrue.prompts.stamps import ANCHOR, ProvenanceError, new_provenance
from ringtrue.reports.whole_file import Where
from ringtrue.systems.asked_case import PROVENANCE_KEY

_ROLES = ("system", "user", "assistant", "developer", "tool", "messages")
_NUMBER = re.compile(r"-?[0-9]{1,9}")
_SHOWN = 10


class AmbiguousSiteError(ProvenanceError, ConfigurationError):
    """The words for a place mean no prompt, or more than one: `candidates`."""

    def __init__(self, message: str, candidates: Sequence[PromptRecord] | None = None) -> None:
        self.candidates = list(candidates or ())
        named = [f"{record.file_path}::{record.qualname}.{_role(record)}" for record in self.candidates]
        more = [f"and {len(named) - _SHOWN} more"] if len(named) > _SHOWN else []
        super().__init__(" ".join([message, ", ".join([*named[:_SHOWN], *more])]) if named else message)


def anchor_for_record(record: PromptRecord) -> dict[str, Any]:
    """Where a prompt is, and on which line it was."""
    return {**{name: getattr(record, name) for name in ANCHOR}, "line": record.line}


def target_from_record(record: PromptRecord, source: str = "scan") -> dict[str, Any]:
    """What a case's stamp says of a prompt that it is for; `external` is one that no scan sees."""
    told = {name: getattr(record, name) for name in ("fingerprint", "loose_fingerprint", "is_dynamic")}
    return {**told, "anchor": anchor_for_record(record), "bound": "manual", "source": source}


def stamp(
    sites: Sequence[str] | None = None,
    repo: Where = ".",
    *,
    authored_by: str = "human",
    evidence: Mapping[str, Any] | None = None,
    case_uid: str | None = None,
) -> dict[str, Any]:
    """The metadata of a case that is for the prompts at these places of a repository."""
    records = scan(repo) if sites else []
    targets = [target_from_record(resolve_site_spec(records, site)) for site in sites or ()]
    about: dict[str, Any] = {"git": git_info(repo), "evidence": evidence, "case_uid": case_uid}
    return {PROVENANCE_KEY: new_provenance(authored_by=authored_by, targets=targets, **about)}


def parse_site_spec(spec: str) -> dict[str, Any]:
    """The parts of the words for a place; what is not said is None."""
    file, inside, rest = spec.partition("::")
    before, dot, last = (rest if inside else file).rpartition(".")
    role, numbered, position = last.partition("#")
    found: dict[str, Any] = {"file_path": file, "qualname": rest or None, "role": None, "role_position": None}
    if role not in _ROLES or not (dot or inside):
        return found
    if numbered and not _NUMBER.fullmatch(position):
        raise AmbiguousSiteError(f"{spec!r}: the position after # must be an integer; got {position!r}")
    found |= {"role": role, "role_position": int(position) if numbered else None}
    return found | ({"qualname": before or None} if inside else {"file_path": before})


def resolve_site_spec(records: Sequence[PromptRecord], spec: str) -> PromptRecord:
    """The prompt that is meant; where its text stands at other places, too, the words have to name the function."""
    wanted = {name: value for name, value in parse_site_spec(spec).items() if value is not None}
    wanted["file_path"] = posixpath.normpath(wanted["file_path"])
    found = [record for record in records if all(getattr(record, name) == wanted[name] for name in wanted)]
    if not found:
        near = [record for record in records if record.file_path == wanted["file_path"]]
        advice = f"{wanted['file_path']} has" if near else "a scan lists those there are"
        raise AmbiguousSiteError(f"no prompt at {spec!r}; {advice}", near)
    if len(found) > 1:
        raise AmbiguousSiteError(f"{spec!r} means {len(found)} prompts; name one of", found)
    same = [record for record in records if record.fingerprint == found[0].fingerprint and not record.is_dynamic]
    if len(same) > 1 and "qualname" not in wanted:
        raise AmbiguousSiteError(f"the text at {spec!r} stands at {len(same)} places; name the function, as in", same)
    return found[0]


def _role(record: PromptRecord) -> str:
    return record.role if record.role_position < 0 else f"{record.role}#{record.role_position}"
