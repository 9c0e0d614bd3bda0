"""Runs untrusted programs: one small interface, two profiles, the strongest walls the machine allows."""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # spelled out: a worker process loads this package before every program
if TYPE_CHECKING:
    from ringtrue.sandbox.container import Container as Container
    from ringtrue.sandbox.engine import Engine as Engine
    from ringtrue.sandbox.engine import EngineError as EngineError
    from ringtrue.sandbox.exam import Exam as Exam
    from ringtrue.sandbox.execution import Execution as Execution
    from ringtrue.sandbox.handle import Unavailable as Unavailable
    from ringtrue.sandbox.limits import Limits as Limits
    from ringtrue.sandbox.pool import Sandbox as Sandbox
    from ringtrue.sandbox.pool import run as run
    from ringtrue.sandbox.stop import Stop as Stop

_NAMES = {
    "Container": "ringtrue.sandbox.container",
    "Engine": "ringtrue.sandbox.engine",
    "EngineError": "ringtrue.sandbox.engine",
    "Exam": "ringtrue.sandbox.exam",
    "Execution": "ringtrue.sandbox.execution",
    "Limits": "ringtrue.sandbox.limits",
    "Sandbox": "ringtrue.sandbox.pool",
    "Stop": "ringtrue.sandbox.stop",
    "Unavailable": "ringtrue.sandbox.handle",
    "run": "ringtrue.sandbox.pool",
}

__all__ = sorted(_NAMES)


def __getattr__(name: str) -> object:
    if name not in _NAMES:
        raise AttributeError(f"module 'ringtrue.sandbox' has no attribute {name!r}")
    return getattr(import_module(_NAMES[name]), name)


def __dir__() -> list[str]:
    return __all__
