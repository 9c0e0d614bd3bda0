"""The first process inside a container: program or examiner, with its conversation on standard input and output."""

from __future__ import annotations

import os
import sys
import tempfile
from typing import Any

from ringtrue.sandbox.exam import candidate, examiner
from ringtrue.sandbox.exam.channel import Channel

_IN, _OUT = 10, 11


def main(role: str) -> int:
    """Read the job, then be what it says; the program's own output goes to standard error, as far as it is examined."""
    os.dup2(0, _IN)
    os.dup2(1, _OUT)
    channel = Channel(_IN, _OUT)
    job = channel.hear()
    if role == "examiner":
        verdict = os.dup(2)
        _point(os.open(os.devnull, os.O_RDWR), 0, 1, 2)
        examiner.examine_across(job, channel, verdict)
        return 0
    return _program(job, channel)


def _program(job: dict[str, Any], channel: Channel) -> int:
    with tempfile.TemporaryFile() as given:
        given.write(job["stdin"].encode())
        given.seek(0)
        _point(given.fileno(), 0)
    home = os.getcwd()
    if job.get("command"):
        candidate.furnish(job["files"])
        os.execv("/bin/sh", ["sh", "-c", job["program"]])
    if job["mode"] != "plain":
        _point(2, 1)
    candidate.hide_harness(home, [])
    sys.path.insert(0, home)
    candidate.furnish(job["files"])
    if job["mode"] == "inside":
        examiner.examine_inside(job, _OUT)
    return candidate.serve_program(job, channel) if job["mode"] == "across" else candidate.run_program(job)


def _point(source: int, *targets: int) -> None:
    for target in targets:
        os.dup2(source, target)
