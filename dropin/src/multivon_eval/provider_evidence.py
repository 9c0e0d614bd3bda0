"""`capture_provider_events`: what was asked of providers while it is open, each event under a digest."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from ringtrue.reports.canonical import is_sealed, sealed

if TYPE_CHECKING:
    from multivon_eval.provider_journal import ProviderJournal

SCHEMA = "multivon.provider-evidence/v1"
MANUAL = "manual"
UNLABELLED = {"operation_id": None, "provider": "unknown", "role": "unknown", "model": ""}
_COVERAGE = "calls that were observed; an uninstrumented transport may have made others"
_ACTIVE: ContextVar[ProviderCapture | None] = ContextVar("multivon_eval_provider_capture", default=None)
_OPERATION: ContextVar[dict[str, Any] | None] = ContextVar("multivon_eval_provider_operation", default=None)


class ProviderCapture:
    """The events of one capture, from any thread; one that the user opened holds those of captures inside it, too."""

    def __init__(
        self,
        kind: str,
        labels: Mapping[str, Any],
        journal: ProviderJournal | None,
        above: ProviderCapture | None = None,
    ) -> None:
        self.capture_id, self.kind, self.labels, self.journal = uuid4().hex, kind, dict(labels), journal
        self.above = above
        self.events: list[dict[str, Any]] = []
        self._lock = threading.RLock()

    def emit(self, kind: str, **data: Any) -> None:
        """Keep an event; one that a journal is to keep is there before this returns."""
        event = {
            "schema": SCHEMA,
            "event_id": uuid4().hex,
            "capture_id": self.capture_id,
            "capture_kind": self.kind,
            "labels": self.labels,
            "recorded_at": datetime.now(UTC).isoformat(),
            "kind": kind,
            **data,
        }
        with self._lock:
            event = sealed(event)
            if self.journal is not None:
                self.journal.append(event)
        self._keep(event)

    def _keep(self, event: dict[str, Any]) -> None:
        if self.kind == MANUAL or event["capture_id"] == self.capture_id:
            with self._lock:
                self.events.append(event)
        if self.above is not None:
            self.above._keep(event)

    def finish(self, error: BaseException | None = None) -> None:
        """End the capture, and say by which error, if by one."""
        self.emit("capture_finished", error=None if error is None else _told(error), execution=None)

    def unanswered(self, operation_id: str | None = None) -> list[str]:
        """The requests without a whole response; those of one operation, where it is named."""
        with self._lock:
            answered = {one["request_id"] for one in self.events if one["kind"] == "http_response"}
            asked = [one for one in self.events if one["kind"] == "http_request"]
        wanted = [one for one in asked if operation_id is None or one["operation_id"] == operation_id]
        return [one["request_id"] for one in wanted if one["request_id"] not in answered]

    def snapshot(self) -> dict[str, Any]:
        """What was seen so far, and what is known to be missing."""
        with self._lock:
            events = list(self.events)
        seen = {one["operation_id"] for one in events if one["kind"] == "http_request"}
        unseen = [
            {"operation_id": one["operation_id"], "reason": "No instrumented HTTP request observed"}
            for one in events
            if one["kind"] == "operation_started" and one["operation_id"] not in seen
        ]
        cut = [
            {"request_id": one["request_id"], "reason": one["response"]["capture_gap"]}
            for one in events
            if one["kind"] == "http_response" and one["response"]["capture_gap"]
        ]
        ended = {(one["capture_id"], one["kind"]) for one in events}
        return {
            "schema": SCHEMA,
            "capture_id": self.capture_id,
            "kind": self.kind,
            "events": events,
            "state": "closed" if (self.capture_id, "capture_finished") in ended else "open",
            "coverage_gaps": [*unseen, *cut],
            "requests_without_complete_response": self.unanswered(),
            "coverage": _COVERAGE,
        }


@contextmanager
def capture_provider_events(
    *, kind: str = MANUAL, labels: Mapping[str, Any] | None = None, journal: ProviderJournal | None = None
) -> Iterator[ProviderCapture]:
    """Within, what judges and hooked clients ask is kept; a capture inside another writes to the same journal."""
    capture, error = opened(kind, labels, journal), None
    try:
        with watched_by(capture):
            yield capture
    except BaseException as failure:
        error = failure
        raise
    finally:
        capture.finish(error)


def opened(
    kind: str,
    labels: Mapping[str, Any] | None = None,
    journal: ProviderJournal | None = None,
    execution: Mapping[str, Any] | None = None,
) -> ProviderCapture:
    """A capture inside the one that is open here, which `finish` ends; `execution` tells what is run."""
    parent = _ACTIVE.get()
    inherited = {} if parent is None else parent.labels
    kept = journal if journal is not None or parent is None else parent.journal
    capture = ProviderCapture(kind, {**inherited, **(labels or {})}, kept, parent)
    capture.emit("capture_started", execution=execution)
    return capture


@contextmanager
def watched_by(capture: ProviderCapture | None) -> Iterator[None]:
    """Within, a capture that was opened elsewhere keeps what is asked; None changes nothing."""
    if capture is None:
        yield
        return
    token = _ACTIVE.set(capture)
    try:
        yield
    finally:
        _ACTIVE.reset(token)


@contextmanager
def provider_operation(provider: str, role: str, model: str) -> Iterator[None]:
    """Within, requests belong to one call of a model, for a target or a judge; a call within a call is a part of it."""
    capture = _ACTIVE.get()
    if capture is None or _OPERATION.get() is not None:
        yield
        return
    operation = {"operation_id": uuid4().hex, "provider": provider, "role": role, "model": model}
    capture.emit("operation_started", **operation)
    token = _OPERATION.set(operation)
    error = None
    try:
        yield
    except BaseException as failure:
        error = _told(failure)
        raise
    finally:
        _OPERATION.reset(token)
        pending = capture.unanswered(operation["operation_id"])
        capture.emit("operation_finished", **operation, error=error, requests_without_complete_response=pending)


def active_capture() -> ProviderCapture | None:
    """The innermost capture that is open here."""
    return _ACTIVE.get()


def active_operation() -> dict[str, Any]:
    """The call that requests belong to here."""
    return dict(_OPERATION.get() or UNLABELLED)


def require_event(event: Mapping[str, Any]) -> dict[str, Any]:
    """The event, if it is one and nobody changed it."""
    found = dict(event)
    if found.get("schema") != SCHEMA or not isinstance(found.get("event_id"), str) or not is_sealed(found):
        raise ValueError("the schema or the digest of a provider event is not that of what it says")
    return found


def _told(error: BaseException) -> dict[str, str]:
    return {"type": type(error).__name__, "message": str(error)}
