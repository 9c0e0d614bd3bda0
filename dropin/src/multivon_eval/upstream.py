"""What another program recorded of a trial that it ran, and why that may not be taken for a finished one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

__all__ = ["execution_issues"]


def execution_issues(upstream: Mapping[str, Any] | None, *, include_errors: bool = True) -> list[str]:
    """Why a run of another program gives no verdict: it broke, was cut short, was withdrawn, or is not what it was."""
    return list(_issues((upstream or {}).get("execution") or {}, include_errors))


def _issues(execution: Mapping[str, Any], include_errors: bool) -> Iterator[str]:
    if include_errors and execution.get("error"):
        yield f"the run broke: {execution['error']}"
    limit = execution.get("limit")
    if limit and limit.get("type") not in execution.get("accepted_limits", ()):
        yield f"the run was stopped by the limit {limit.get('type')!r}, which accepted_limits does not name"
    if execution.get("invalidation"):
        yield f"the run was invalidated: {execution['invalidation'].get('reason') or 'without a reason'}"
    yield from execution.get("compatibility_issues", ())
