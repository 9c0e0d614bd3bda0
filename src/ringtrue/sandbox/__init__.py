"""Runs untrusted programs: one small interface, two profiles, the strongest walls the machine allows.

Five kinds of processes, who holds which descriptor, and behind which filter of system calls:

    caller  (your process)                              no filter
      │ one socket pair: jobs and open files            holds: the socket, and memory files with
      │                                                 program, tests, stdin, stdout, stderr, verdict
    worker  (one per place in the pool, stays warm)     user of its own, Landlock, private root,
      │ forks, never looks into the files               filter 1: listed calls only, no exec, no network
      │
      ├── program   (one per program)                   filter 1 + 2: no fork, no signal to others,
      │     0 stdin  1 stdout  2 stderr  4 wire         no open files sent or received
      │          ║
      │          ║ plain values, calls                  neither holds the other's files; a program that
      │          ║                                      tests share has 5 verdict in place of the wire
      ├── examiner  (one per program, or one that       filter 1 + 2; one that stays may also
      │     4 wire   5 verdict           stays)         receive open files
      │
      └── tree of a shell (shell profile; its worker    first process: no filter, it counts and reaps;
            0 stdin  1 stdout  2 stderr  has no filter) command: user of its own, filter 3: no mounts,
                                                        namespaces, tracing, clocks

`pool/` has the processes, `exam/` what program and examiner say to each other, `isolation/` the walls; `container` is
the same interface with Docker or Podman behind it, `proof` tries to escape.
"""

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
