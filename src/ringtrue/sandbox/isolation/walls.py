"""`Walls`: what separates a program from the machine, put up in the process that is about to run it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import NamedTuple

from ringtrue.sandbox.isolation import kernel, landlock, rlimits, seccomp

_FIRST_ID = 0x7000_0000
_NOBODY = 65534
_HARNESS = 4
"""Processes of the harness under the same user: worker, examiner, and what waits for them."""


class Walls(NamedTuple):
    """The layers a worker found possible when it started.

    `user` is the id a worker with root rights changes to, its own for each worker so that processes are counted apart;
    None where there is none to change to. `reads` is the capability it keeps where the interpreter lies in a folder
    that only root may enter. `rules` are Landlock's, of the version `landlock`. `without` says why there are no
    namespaces.
    """

    profile: str
    user: int | None = None
    rules: int = -1
    landlock: int = 0
    private_root: bool = False
    reads: int = 0
    without: str = ""

    def build(self, limits: Mapping[str, float]) -> None:
        """Put up in the worker whatever every process forked from it inherits; it can only be added to."""
        rlimits.forbid()
        if self.profile != "shell":
            rlimits.apply(limits, harness=_HARNESS if self.private_root or self.user is not None else None)
        if self.profile == "unsafe":
            return
        kernel.forbid_new_privileges()
        kernel.drop_bounding_set()
        kernel.forbid_dumps()
        if self.profile == "program":
            self.drop_user()
            landlock.restrict(self.rules)
            seccomp.install(seccomp.worker_filter(private_root=self.private_root))
            seccomp.prepare(False)

    def enclose(self, limits: Mapping[str, float], *, serving: bool = False) -> None:
        """Close the last openings around this process, which is about to run a program.

        `serving` leaves it one: to be handed open files, as an examiner is that stays.
        """
        rlimits.apply_time(limits)
        if self.profile == "unsafe":
            return
        if self.profile == "shell":
            rlimits.apply(limits, harness=0 if self.user is not None else _HARNESS)
            self.drop_user()
            seccomp.install(seccomp.shell_filter())
            return
        if not self.private_root:
            kernel.die_with_parent(kernel.SIGKILL)  # the first process of a namespace takes all others with it anyway
        seccomp.close(os.getpid(), serving=serving)

    def drop_user(self) -> None:
        """Become a user without rights, without groups, without capabilities, for good."""
        if self.user is not None:
            os.setgroups([])
            if self.reads:
                kernel.keep_capabilities()
            os.setresgid(self.user, self.user, self.user)
            os.setresuid(self.user, self.user, self.user)
            kernel.forbid_dumps()  # the change of user has set it again
        kernel.clear_capabilities(keep=self.reads)


def spare_user() -> int | None:
    """An unused user id for a process with root rights; None for other users."""
    if os.geteuid() != 0:
        return None
    for candidate in (_FIRST_ID + int.from_bytes(os.urandom(3), "big"), _NOBODY):
        if _is_mapped(candidate):
            return candidate
    raise PermissionError("no user id to change to is mapped here")


def _is_mapped(number: int) -> bool:
    with open("/proc/self/uid_map") as file:
        ranges = [tuple(map(int, line.split())) for line in file]
    return any(start <= number < start + count for start, _, count in ranges)
