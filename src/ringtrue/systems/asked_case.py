"""Which case is asked right now, for whoever records the prompts it makes; while nobody records, nothing is kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar, Token
from threading import Lock
from typing import Any

PROVENANCE_KEY = "_provenance"
"""Where a case's metadata hold its stamp: who made it, and for which prompts."""

RECORDING = Lock()
"""Held while a recorder is at work: there is one in a process."""

_CASE: ContextVar[str | None] = ContextVar("ringtrue_asked_case", default=None)

CaseToken = Token[str | None]


def recording_active() -> bool:
    """Whether prompts are recorded in this process."""
    return RECORDING.locked()


def set_active_case(case_uid: str) -> CaseToken:
    """Say which case is asked, until the token is handed back."""
    return _CASE.set(case_uid)


def reset_active_case(token: CaseToken) -> None:
    """What was said before `set_active_case`."""
    _CASE.reset(token)


def get_active_case() -> str | None:
    """The id of the case that is asked, or None."""
    return _CASE.get()


def stamped(fields: Any) -> Any:
    """Where a case's stamp is: among its own fields, or among those of its `metadata`."""
    own = not isinstance(fields, Mapping) or PROVENANCE_KEY in fields
    return fields if own else fields.get("metadata")


def bind_case(metadata: Any) -> CaseToken | None:
    """Say that the case with this metadata is asked; None while nobody records, and for a case without a stamp."""
    about = stamped(metadata) if recording_active() else None
    stamp = about.get(PROVENANCE_KEY) if isinstance(about, Mapping) else None
    uid = stamp.get("case_uid") if isinstance(stamp, Mapping) else None
    return set_active_case(uid) if isinstance(uid, str) and uid else None


def unbind_case(token: CaseToken | None) -> None:
    """Undo `bind_case`."""
    if token is not None:
        reset_active_case(token)


@contextmanager
def asked_case(fields: Mapping[str, Any]) -> Iterator[None]:
    """Within, the case with these fields is asked."""
    token = bind_case(fields)
    try:
        yield
    finally:
        unbind_case(token)
