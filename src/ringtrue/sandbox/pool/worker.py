"""A worker: a small, warm interpreter that forks once or twice for each program and never sees what is in one.

It runs as a process of its own and speaks only to its owner. Programs, tests and outputs travel in open files that go
straight to the forked processes, so the next program cannot find the last one in the memory it was copied from.
"""

from __future__ import annotations

import _socket
import _thread
import gc
import os
import select
import sys
from contextlib import suppress
from importlib import import_module
from typing import Any

from ringtrue.sandbox.exam import candidate
from ringtrue.sandbox.exam.channel import Channel
from ringtrue.sandbox.exam.examiner import examine_across
from ringtrue.sandbox.isolation import kernel, private_root
from ringtrue.sandbox.isolation.directories import empty, overfull
from ringtrue.sandbox.isolation.preparation import NoNamespaces, Refused, layers, prepare
from ringtrue.sandbox.isolation.walls import Walls
from ringtrue.sandbox.pool import shell
from ringtrue.sandbox.pool.child import LOW, become_examiner, become_program
from ringtrue.sandbox.pool.messages import receive, send
from ringtrue.sandbox.pool.proctor import Proctor
from ringtrue.sandbox.pool.watch import Watch

_WATCH_SECONDS = 0.03
_WARM = "abc collections contextlib copy enum functools itertools json math operator re string time typing"
"""What programs import most: loaded once here, at no cost in each of them.

Not `random` and `threading`: they renew themselves in every forked process, which costs more than most programs do.
"""

_REHEARSALS = 16
"""An interpreter adapts code that runs often to its values; what a forked process need not adapt, it need not copy."""


class _Owner:
    """The parent of this worker: a socket, and notice of its end even where a forked copy holds the socket open."""

    def __init__(self, control: _socket.socket) -> None:
        self.control = control
        self.waiting = select.poll()
        """Waits for its word or its end."""
        self.waiting.register(control, select.POLLIN)
        with suppress(OSError, AttributeError):  # an old kernel, or another system
            self.waiting.register(os.pidfd_open(os.getppid()), select.POLLIN)

    def next_job(self) -> tuple[dict[str, Any], list[int]]:
        """The next message and its files; an empty message where the owner is gone."""
        ready = dict(self.waiting.poll())
        return receive(self.control) if self.control.fileno() in ready else ({}, [])


def main(control: _socket.socket) -> None:
    """Serve until the owner leaves."""
    owner = _Owner(control)
    with suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
        file.write("1000")  # where memory runs out, this process and what it runs go first
    config, _ = receive(control)
    if not config:
        return
    try:
        walls = prepare(config)
    except (Refused, OSError) as error:
        no_namespaces = str(error.__cause__) if isinstance(error, NoNamespaces) else ""
        send(control, {"refused": str(error), "no_namespaces": no_namespaces})
        return
    for name in _WARM.split():
        import_module(name)
    home = config["home"] or (private_root.HOME if walls.profile == "program" else "/")
    candidate.hide_harness(home, config["view"]["import_paths"])
    for _ in range(_REHEARSALS):
        _rehearse(config["rehearsal"])
    walls.build(config["limits"])
    if walls.profile != "unsafe":
        kernel.die_with_parent(kernel.SIGKILL)  # not before: the change of user takes it back
    for _ in range(LOW):
        os.dup(0)  # what comes later stays clear of the numbers that forked processes use
    gc.collect()
    gc.freeze()
    send(control, {"ready": walls.profile, "layers": layers(walls)})
    proctor = Proctor(walls, config["limits"])
    with suppress(OSError):  # the owner is gone
        while True:
            message, files = owner.next_job()
            if not message:
                break
            if "stop" not in message:  # too late: what it meant has ended
                send(control, _attend(owner, walls, proctor, {**message, "view": config["view"]}, files))
                for descriptor in files:
                    os.close(descriptor)


def _rehearse(exam: dict[str, Any]) -> None:
    """Go through one exam in this process: what the interpreter learns from it, forked processes need not learn."""
    theirs, ours = _socket.socketpair()
    served = _thread.allocate_lock()
    served.acquire()

    def serve() -> None:
        candidate.serve_program(
            {"program": "from typing import List\ndef answer(x: List[int]) -> List[int]:\n    return x"},
            Channel(theirs.fileno()),
        )
        served.release()

    _thread.start_new_thread(serve, ())
    with open(os.devnull, "wb") as nowhere:
        examine_across(exam, Channel(ours.fileno()), nowhere.fileno())
    ours.close()
    served.acquire()
    theirs.close()
    candidate.forget()


def _attend(owner: _Owner, walls: Walls, proctor: Proctor, message: dict[str, Any], files: list[int]) -> dict[str, Any]:
    """Run one job to its end, or to the owner's stop; nothing it started is alive afterwards.

    What can be done before a fork is, and what can wait until the forked process has ended does: each page of memory
    that is touched in between has to be copied.
    """
    given = dict(zip(message["files"], files, strict=True))
    home = os.getcwd()
    # A directory in memory has its own size; one on the disk has to be watched.
    watched = "" if walls.private_root or walls.profile == "shell" else home
    limits = message["limits"]
    watch = None
    try:
        if walls.profile == "shell":
            program = decider = shell.start(walls, message["view"], message, given)
        else:
            os.utime(home)
            watch = Watch(limits, *([_WATCH_SECONDS] if watched else []))
            program, decider = _start(walls, proctor, watch, message, given)
    except OSError as error:
        return {"broken": str(error), "spent": True}
    stopped = _await_decision(owner, decider or proctor, watch, watched, int(limits["disk_bytes"]))
    status, usage = _end(program, group=walls.profile == "unsafe")
    if not decider:
        proctor.settle(bool(stopped))
    elif decider != program:
        _end(decider)
    return {
        "code": os.waitstatus_to_exitcode(status),
        "cpu": usage.ru_utime + usage.ru_stime,
        "peak": usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024),
        "stopped": stopped,
        "spent": walls.profile != "shell" and not empty(home),
    }


def _start(
    walls: Walls, proctor: Proctor, watch: Watch, message: dict[str, Any], given: dict[str, int]
) -> tuple[int, int]:
    """The process of the program, and the one whose end decides: itself, an examiner, or 0 for the proctor."""
    if "exam" not in given:
        program = watch.add(become_program(walls, message, given, -1))
        return program, program
    theirs, ours = _socket.socketpair()
    try:
        if message["benign"]:
            proctor.examine(given["exam"], ours.fileno(), given["verdict"])
            watch.add(proctor.process)
        program = watch.add(become_program(walls, message, given, theirs.fileno()))
        return program, 0 if message["benign"] else watch.add(become_examiner(walls, message, given, ours.fileno()))
    finally:
        theirs.close()
        ours.close()


def _await_decision(owner: _Owner, decider: int | Proctor, watch: Watch | None, watched: str, most: int) -> str:
    """Wait for the decision, the owner's stop, a full directory or the end of time; empty for a decision."""
    handle = os.pidfd_open(decider) if isinstance(decider, int) else decider.fileno()
    owner.waiting.register(handle, select.POLLIN)
    stopped = ""
    while not stopped:
        ready = dict(owner.waiting.poll(watch.pause() * 1_000 if watch else None))
        if watched and overfull(watched, most):
            stopped = "disk"
        elif handle in ready:
            break
        elif ready:
            stopped = "owner"
        elif watch is not None:
            stopped = watch.verdict()
    owner.waiting.unregister(handle)
    if isinstance(decider, int):
        os.close(handle)
    return stopped


def _end(process: int, *, group: bool = False) -> tuple[int, Any]:
    with suppress(ProcessLookupError, PermissionError):
        (os.killpg if group else os.kill)(process, kernel.SIGKILL)
    _, status, usage = os.wait4(process, 0)
    return status, usage
