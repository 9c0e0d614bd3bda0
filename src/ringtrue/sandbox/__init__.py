"""Runs untrusted programs: one small interface, two profiles, the strongest walls the machine allows."""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # spelled out: a worker process loads this package before every program
if TYPE_CHECKING:
    from ringtrue.sandbox.container import Container as Container
    from ringtrue.sandbox.exam.definition import Exam as Exam
    from ringtrue.sandbox.pool.execution import Execution as Execution
    from ringtrue.sandbox.pool.handle import Unavailable as Unavailable
    from ringtrue.sandbox.pool.limits import Limits as Limits
    from ringtrue.sandbox.pool.sandbox import Sandbox as Sandbox
    from ringtrue.sandbox.pool.sandbox import run as run
    from ringtrue.sandbox.pool.stop import Stop as Stop

_NAMES = {
    "Container": "ringtrue.sandbox.container",
    "Exam": "ringtrue.sandbox.exam.definition",
    "Execution": "ringtrue.sandbox.pool.execution",
    "Limits": "ringtrue.sandbox.pool.limits",
    "Sandbox": "ringtrue.sandbox.pool.sandbox",
    "Stop": "ringtrue.sandbox.pool.stop",
    "Unavailable": "ringtrue.sandbox.pool.handle",
    "run": "ringtrue.sandbox.pool.sandbox",
}

__all__ = sorted(_NAMES)


def __getattr__(name: str) -> object:
    if name not in _NAMES:
        raise AttributeError(f"module 'ringtrue.sandbox' has no attribute {name!r}")
    return getattr(import_module(_NAMES[name]), name)


def __dir__() -> list[str]:
    return __all__
