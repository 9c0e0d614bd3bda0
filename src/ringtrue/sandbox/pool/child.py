"""The first steps of a forked process: open files in place, walls up, then the program or its examiner."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from typing import Any

from ringtrue.sandbox.exam import candidate, examiner
from ringtrue.sandbox.exam.channel import Channel, decode
from ringtrue.sandbox.isolation.walls import Walls

_JOB, _WIRE, _VERDICT = 3, 4, 5
LOW, _MANY = 6, 1 << 16
"""Descriptors below this number are given out here; a worker's own files lie beyond."""

BROKEN = 113
"""The exit code of a process that failed before it came to the program."""

Files = Mapping[str, int]


def become_program(walls: Walls, message: Mapping[str, Any], given: Files, wire: int) -> int:
    """Fork the process of a program; with a wire it answers an examiner, else it runs unchanged.

    Where the tests need the program's own process, it is given the verdict's file instead.
    """

    def work() -> int:
        task = read_job()
        # Only here: an examiner must never import what a program has written.
        sys.path.insert(0, os.getcwd())
        candidate.furnish(task["files"])
        if task.get("command"):
            os.execve("/bin/sh", ["sh", "-c", task["program"]], dict(os.environ))
        if "exam" in task:
            examiner.examine_inside(task, _VERDICT)
        return candidate.serve_program(task, Channel(_WIRE)) if wire >= 0 else candidate.run_program(task)

    places = {0: given.get("stdin", 0), 1: given["stdout"], 2: given["stderr"], _JOB: given["job"]}
    if wire >= 0:
        places[_WIRE] = wire
    elif "verdict" in given:
        places[_VERDICT] = given["verdict"]
    return _fork(walls, message["limits"], places, work)


def become_examiner(walls: Walls, message: Mapping[str, Any], given: Files, wire: int) -> int:
    """Fork the process of an examiner."""

    def work() -> int:
        examiner.examine_across(read_job(), Channel(_WIRE), _VERDICT)
        return 0

    places = {_JOB: given["exam"], _WIRE: wire, _VERDICT: given["verdict"]}
    return _fork(walls, message["limits"], places, work)


def _fork(walls: Walls, limits: Mapping[str, float], places: Mapping[int, int], work: Callable[[], int]) -> int:
    process = os.fork()
    if process:
        return process
    code = BROKEN
    try:
        if walls.profile == "unsafe":
            os.setsid()  # its group is all there is to end it by
        arrange(places)
        walls.enclose(limits)
        code = work()
    except BaseException as error:  # nothing may escape into the worker's own code
        os.write(2, f"{type(error).__name__}: {error}\n".encode(errors="replace"))
    finally:
        os._exit(code)


def arrange(places: Mapping[int, int]) -> None:
    """Put descriptors in their places and close all others but the first three."""
    for place, source in places.items():
        os.dup2(source, place)
    for place in range(_JOB, LOW):
        if place not in places:
            os.closerange(place, place + 1)
    os.closerange(LOW, _MANY)


def read_job(descriptor: int = _JOB) -> Any:
    """Read a job from the file it was handed over in.

    The file is left empty: to the caller, who holds it too, that says that all went well up to here.
    """
    data = os.pread(descriptor, os.fstat(descriptor).st_size, 0)
    os.ftruncate(descriptor, 0)
    os.close(descriptor)
    return decode(data)
