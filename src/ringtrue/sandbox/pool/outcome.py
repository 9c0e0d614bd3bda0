"""From what a worker reported and what came through the pipes to an `Execution`."""

from __future__ import annotations

import json
import signal
from typing import Any

from ringtrue.sandbox.isolation.directories import ENTRIES
from ringtrue.sandbox.pool.execution import Execution, Status
from ringtrue.sandbox.pool.handle import Received
from ringtrue.sandbox.pool.limits import Limits
from ringtrue.sandbox.pool.shell import MEMORY

_VERDICT: dict[str, type] = {
    **dict.fromkeys(("kind", "error", "trace", "last_call", "verdict"), str),
    **dict.fromkeys(("passed", "ended"), bool),
    "line": int,
}


def execution_of(
    received: Received, limits: Limits, profile: str, layers: tuple[str, ...], *, examined: bool, nonce: str
) -> Execution:
    """Return the outcome of a program; with an examiner, only a verdict of completed tests is `ok`."""
    streams = {name: data.decode("utf-8", "replace") for name, data in received.streams.items()}
    channel = streams.get("verdict", "")
    verdict = _verdict(channel, nonce) if examined else None
    status, reason = _judge(received, limits, streams["stderr"], examined, verdict)
    return Execution(
        status,
        streams["stdout"],
        streams["stderr"],
        json.dumps(verdict) if verdict else "",
        received.seconds,
        int(received.outcome.get("peak", 0)),
        profile,
        ", ".join(layers) or "none",
        reason,
        received.outcome.get("code"),
    )


def is_unexplained(received: Received, execution: Execution, *, across: bool) -> bool:
    """Whether a process was killed, and neither by the sandbox nor by a limit: it may be harm from outside.

    `across`: an examiner in a process of its own has to have said something.
    """
    if execution.status == "ok" or received.outcome.get("stopped") or received.overflow or "broken" in received.outcome:
        return False
    said = execution.verdict_channel
    if across and not said:
        return True
    killed = received.outcome.get("code") == -signal.SIGKILL and execution.status in ("failed", "killed")
    return killed and (json.loads(said)["ended"] is True if across else not said)


def _verdict(channel: str, nonce: str) -> dict[str, Any] | None:
    """Return the examiner's verdict; a program in its process may have written it, so only expected values are kept."""
    try:
        verdict = json.loads(channel)
    except (ValueError, RecursionError):
        return None
    if not isinstance(verdict, dict) or (nonce and verdict.pop("nonce", "") != nonce):
        return None
    kept = {name: verdict[name] for name, kind in _VERDICT.items() if type(verdict.get(name)) is kind}
    # Tests that are not Python are an error of the row, and that is not a program's to say.
    if nonce and kept.get("kind") == "broken_test":
        kept["kind"] = "error"
    return {name: kind() for name, kind in _VERDICT.items()} | kept


def _judge(
    received: Received, limits: Limits, stderr: str, examined: bool, verdict: dict[str, Any] | None
) -> tuple[Status, str]:
    code, outcome = received.outcome.get("code", 0), received.outcome
    if "broken" in outcome:
        return "refused", f"the sandbox broke down: {outcome['broken']}; {stderr[-500:]}"
    if received.overflow:
        return "killed", f"it wrote more than {limits.output_bytes:,} bytes"
    if verdict is not None and verdict.get("passed") is True:
        return "ok", ""
    if outcome.get("stopped") == "disk":
        return "killed", f"it filled its directory beyond {limits.disk_bytes:,} bytes or {ENTRIES:,} entries"
    if outcome.get("stopped") == "cpu":
        return "timeout", f"it used more than {limits.cpu_seconds or limits.seconds:g} s of processor time"
    if outcome.get("stopped"):
        return "timeout", f"it ran longer than {limits.seconds:g} seconds"
    if code == -signal.SIGXCPU or outcome.get("cpu", 0) >= (limits.cpu_seconds or limits.seconds):
        return "timeout", f"it used more than {limits.cpu_seconds or limits.seconds:g} s of processor time"
    error = str(verdict.get("error", "")) if verdict else stderr.rstrip().rpartition("\n")[2]
    if error.startswith("MemoryError") or code == MEMORY:
        return "memory", f"it needed more than {limits.memory_bytes:,} bytes of memory"
    if code < 0 and not (examined and code == -signal.SIGKILL):
        return "killed", f"it ended by {signal.Signals(-code).name}"
    if examined:
        return "failed", error or "the tests did not complete"
    return ("failed", f"exit code {code}") if code else ("ok", "")
