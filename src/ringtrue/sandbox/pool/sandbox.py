"""`Sandbox`: warm workers that run untrusted programs on all cores."""

from __future__ import annotations

import atexit
import os
import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from threading import Condition
from types import TracebackType
from typing import Literal, TypeAlias

from ringtrue.errors import ConfigurationError
from ringtrue.sandbox.exam.channel import encode
from ringtrue.sandbox.exam.definition import Exam
from ringtrue.sandbox.isolation.visible_files import program_view, shell_view
from ringtrue.sandbox.pool.execution import Execution
from ringtrue.sandbox.pool.handle import Handle, Unavailable
from ringtrue.sandbox.pool.job import Files, describe
from ringtrue.sandbox.pool.limits import Limits
from ringtrue.sandbox.pool.outcome import execution_of, is_unexplained
from ringtrue.sandbox.pool.stop import WATCH_SECONDS, Stop

Profile: TypeAlias = Literal["program", "shell"]

HOW = "or use a container: sandbox='docker' or sandbox='podman'; allow_unsafe=True runs programs without isolation"


STOPPED = "the caller stopped it"


_TRIES = 2
"""How often a program is run whose worker, examiner or own process was killed from outside."""


class _Stopped(Exception):
    """A run was to end before it had begun."""


class Sandbox:
    """Runs programs in the strongest isolation that this machine allows; safe to use from many threads.

    Workers start at the first use and stay warm, two for each core: while one waits for its program, the other works.
    Every program is forked into a fresh sandbox. `packages` are the installed packages that programs may import in
    addition to the standard library. `allow_unsafe` runs programs without isolation if this machine has none; every
    execution then says `unsafe`.
    """

    def __init__(self, *, workers: int | None = None, packages: Iterable[str] = (), allow_unsafe: bool = False) -> None:
        self.workers = workers or 2 * _cores()
        self.packages = tuple(packages)
        self.allow_unsafe = allow_unsafe
        self._views = {"program": program_view(self.packages), "shell": shell_view(self.packages)}
        self._idle: list[tuple[str, Handle]] = []
        self._busy = 0
        self._refusals: dict[str, str] = {}
        self._namespaces, self._without = True, ""
        self._free = Condition()
        self._closed = False
        self._owner = os.getpid()

    def run(
        self,
        program: str,
        stdin: str = "",
        files: Files | None = None,
        limits: Limits | None = None,
        *,
        profile: Profile = "program",
        exam: Exam | None = None,
        folder: str = "",
        stop: Stop | None = None,
    ) -> Execution:
        """Run a program (in the profile `shell`: a command) and return what became of it; it never raises for it.

        `files` appear in the private directory the program starts in. `folder`, for the shell, is a directory of the
        caller that becomes the sandbox's own: give it a copy. `stop` ends the run from another thread.
        """
        limits = limits or Limits()
        if profile not in self._views:
            raise ConfigurationError(
                f"no sandbox profile named {profile!r}; there are program and shell", parameter="profile", value=profile
            )
        nonce = secrets.token_hex(16) if exam is not None and not exam.across else ""
        job = describe(program, files or {}, command=profile == "shell", exam=exam, nonce=nonce)
        contents = {"job": encode(job)}
        if stdin:
            contents["stdin"] = stdin.encode(errors="replace")
        if exam is not None and exam.across:
            contents["exam"] = encode(exam.plain())
        # A command may have changed its folder already: it is not repeated.
        for left in reversed(range(_TRIES if profile == "program" else 1)):
            try:
                with self._worker(profile, limits, stop) as worker:
                    received = worker.run(contents, limits, exam, folder, stop)
            except Unavailable as error:
                return Execution("refused", profile=profile, reason=str(error))
            except _Stopped:
                return Execution("killed", profile=profile, reason=STOPPED)
            except ConnectionError as error:
                if not left:
                    # Harm from outside does not strike every time; an error would take the failure out of the count.
                    said = f"it took the sandbox down with it, {_TRIES} times in a row: {error}"
                    return Execution("killed", profile=profile, reason=said)
                self._end_idle()  # what killed this worker may have killed others
                continue
            except OSError as error:
                return Execution("refused", profile=profile, reason=f"the sandbox broke down: {error}")
            if stop and stop.is_said and received.outcome.get("stopped"):
                return Execution("killed", profile=profile, reason=STOPPED)
            execution = execution_of(
                received, limits, worker.profile, worker.layers, examined=exam is not None, nonce=nonce
            )
            if not left or not is_unexplained(received, execution, across="exam" in contents):
                break
        return execution

    def isolation(self, profile: Profile = "program") -> str:
        """The layers in use in words; raises Unavailable with the reason where there are none."""
        with self._worker(profile, Limits()) as worker:
            return worker.profile + (f": {', '.join(worker.layers)}" if worker.layers else "")

    def close(self) -> None:
        """End all workers; the sandbox cannot be used afterwards. In a forked process they are not its own to end."""
        if os.getpid() != self._owner:
            return
        self._closed = True
        self._end_idle()

    def _end_idle(self) -> None:
        with self._free:
            idle = list(self._idle)
            self._idle.clear()
        for _, handle in idle:
            handle.close()

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    @contextmanager
    def _worker(self, profile: str, limits: Limits, stop: Stop | None = None) -> Iterator[Handle]:
        """A worker for one job; one that broke or is spent is ended and replaced when the next is needed."""
        handle = self._taken(profile, limits, stop)
        keep = False
        try:
            handle = handle or self._start(profile, limits)
            yield handle
            keep = not handle.spent
        finally:
            with self._free:
                self._busy -= 1
                leaving: Handle | None = handle
                if keep and handle is not None and not self._closed:
                    self._idle.append((profile, handle))
                    leaving = self._idle.pop(0)[1] if len(self._idle) > self.workers else None
                self._free.notify()
            if leaving is not None:
                leaving.close()

    def _taken(self, profile: str, limits: Limits, stop: Stop | None) -> Handle | None:
        with self._free:
            while self._busy >= self.workers and not (stop and stop.is_said):
                self._free.wait(WATCH_SECONDS if stop else None)
            if stop and stop.is_said:
                self._free.notify()  # the place that was free for this one is free for another
                raise _Stopped
            if self._closed:
                raise Unavailable("this sandbox was closed")
            if profile in self._refusals:
                raise Unavailable(self._refusals[profile])
            self._busy += 1
            for at in reversed(range(len(self._idle))):
                kind, handle = self._idle[at]
                if kind == profile and handle.standing == limits.standing():
                    del self._idle[at]
                    return handle
            return None

    def _start(self, profile: str, limits: Limits) -> Handle:
        view = self._views[profile].plain()
        try:
            try:
                namespaces = self._namespaces or profile == "shell"
                without = "" if namespaces else self._without
                return Handle(profile, view, namespaces=namespaces, limits=limits, without=without)
            except Unavailable as error:
                if profile != "program" or not error.no_namespaces:
                    raise
                self._namespaces, self._without = False, error.no_namespaces
                return Handle(profile, view, namespaces=False, limits=limits, without=self._without)
        except Unavailable as error:
            if self.allow_unsafe:
                return Handle("unsafe", view, namespaces=False, limits=limits)
            message = f"the {profile} sandbox needs {error}, {HOW}"
            self._refusals[profile] = message
            raise Unavailable(message) from error


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


_SHARED: dict[tuple[int, bool, tuple[str, ...]], Sandbox] = {}
"""One sandbox per process and kind: its warm workers are worth more than the purity of having none between calls."""


def shared_sandbox(*, allow_unsafe: bool = False, packages: tuple[str, ...] = ()) -> Sandbox:
    """The sandbox everybody in this process shares; it ends with the process. A forked process gets its own."""
    key = (os.getpid(), allow_unsafe, packages)
    sandbox = _SHARED.get(key)
    if sandbox is None:
        sandbox = _SHARED.setdefault(key, Sandbox(allow_unsafe=allow_unsafe, packages=packages))
        atexit.register(sandbox.close)
    return sandbox


def run(
    program: str,
    stdin: str = "",
    files: Files | None = None,
    limits: Limits | None = None,
    *,
    profile: Profile = "program",
    allow_unsafe: bool = False,
) -> Execution:
    """Run one program in this process's shared sandbox."""
    return shared_sandbox(allow_unsafe=allow_unsafe).run(program, stdin, files, limits, profile=profile)
