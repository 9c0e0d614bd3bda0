"""Which case is asked right now, for whoever records prompts; while nobody records, nothing is kept."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar, Token
from threading import Lock
from typing import Any

from multivon_eval.stamps import read_provenance

RECORDING = Lock()
"""Held while a recorder is at work: there is one in a process."""

_CASE: ContextVar[str | None] = ContextVar("multivon_active_case", default=None)

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


def bind_case(metadata: Any) -> CaseToken | None:
    """Say that the case with this metadata is asked; None while nobody records, and for a case without a stamp."""
    if not recording_active():
        return None
    _, stamp = read_provenance(metadata)
    uid = (stamp or {}).get("case_uid")
    return set_active_case(uid) if isinstance(uid, str) and uid else None


def unbind_case(token: CaseToken | None) -> None:
    """Undo `bind_case`."""
    if token is not None:
        reset_active_case(token)


@contextmanager
def asked_case(metadata: Any) -> Iterator[None]:
    """Within, the case with this metadata is asked."""
    token = bind_case(metadata)
    try:
        yield
    finally:
        unbind_case(token)
