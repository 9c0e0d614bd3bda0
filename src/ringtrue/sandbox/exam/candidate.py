"""The process of the untrusted program: it loads the program, runs it, and asks it for its answers."""

from __future__ import annotations

import _sitebuiltins
import atexit
import builtins
import os
import sys
import types
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from ringtrue.sandbox.exam.bridge import Bridge
from ringtrue.sandbox.exam.channel import Channel, Closed
from ringtrue.sandbox.exam.faults import PROGRAM, ProgramSource, pack_fault, trace_of

MODULE = "program"


def hide_harness(home: str, import_paths: list[str]) -> None:
    """Take the harness out of the interpreter's view, once for all programs that will be forked from it."""
    os.chdir(home)
    os.environ.clear()
    os.environ.update(HOME=home, TMPDIR=home, PATH="/usr/bin:/bin", LANG="C.UTF-8", OPENBLAS_NUM_THREADS="1")
    sys.argv[:] = [PROGRAM]
    sys.orig_argv[:] = [sys.executable, PROGRAM]
    sys.path[:] = [*(path for path in sys.path if path.startswith(sys.base_prefix)), *import_paths]
    for name in [name for name in sys.modules if name.partition(".")[0] == "ringtrue"]:
        del sys.modules[name]
    for name in ("exit", "quit"):  # what `site` adds, which reads too much of the installation
        setattr(builtins, name, _sitebuiltins.Quitter(name, "Ctrl-D (i.e. EOF)"))
    builtins.help = _sitebuiltins._Helper()
    # Opened here, they speak to whatever a forked process puts in the place of the first three descriptors.
    sys.stdin = sys.__stdin__ = open(  # type: ignore[misc]  # noqa: SIM115
        0, encoding="utf-8", newline="\n", closefd=False
    )
    sys.stdout = sys.__stdout__ = open(1, "w", encoding="utf-8", closefd=False)  # type: ignore[misc]  # noqa: SIM115
    sys.stderr = sys.__stderr__ = open(  # type: ignore[misc]  # noqa: SIM115
        2, "w", encoding="utf-8", errors="backslashreplace", closefd=False, buffering=1
    )


def furnish(files: Mapping[str, str]) -> None:
    """Put the given files (name -> base64) into the private directory, which is the current one."""
    if not files:
        return
    import binascii  # seldom needed, and every loaded library makes every fork dearer

    for name, content in files.items():
        folder = os.path.dirname(name)
        if folder:
            os.makedirs(folder, exist_ok=True)
        with open(name, "wb") as file:
            file.write(binascii.a2b_base64(content))


def run_program(job: Mapping[str, Any]) -> int:
    """Run a program as the main module, as the interpreter would; the result is its exit code."""
    code = 0
    try:
        _execute(job["program"], "__main__")
    except SystemExit as leaving:
        code = _exit_code(leaving)
    except BaseException as fault:  # the program's own failure, shown as the interpreter shows it
        code = 1
        _show(fault)
    return _finish(code)


def serve_program(job: Mapping[str, Any], channel: Channel) -> int:
    """Load a program as a module, then answer the examiner's questions about it until it leaves."""
    bridge = Bridge(channel)
    bridge.before_reply = _flush
    try:
        program = Program(job)
    except BaseException as fault:  # the program's own failure is the examiner's to judge
        _flush()
        with suppress(Closed):
            bridge.channel.say(["raise", pack_fault(fault, lambda value: None)])
        return 1
    _flush()
    bridge.find = program.find
    with suppress(Closed):
        bridge.channel.say(["ready"])
        bridge.serve()
    return 0


class Program:
    """A program, loaded as a module; the tests' own preparations come first, as far as they go."""

    def __init__(self, job: Mapping[str, Any]) -> None:
        self.namespace = _module(MODULE)
        for text in job.get("prelude", ()):
            with suppress(Exception):
                exec(compile(text, "prelude.py", "exec", dont_inherit=True), self.namespace)
        self._prepared = dict(self.namespace)
        _execute(job["program"], MODULE)

    def find(self, expression: str) -> Any:
        """Return the object of a name or an expression; a method of the class `Solution` counts as a function.

        A name that only Python or the preparations define is not the program's.
        """
        names = self.namespace
        solution = names.get("Solution")
        if isinstance(solution, type) and hasattr(solution, expression):
            return getattr(solution(), expression)
        others = self._prepared if expression in names else vars(builtins)
        if expression in others and names.get(expression, others[expression]) is others[expression]:
            raise NameError(f"name {expression!r} is not defined by the program")
        return eval(expression, names)


def forget() -> None:
    """Leave no trace of a program that ran in this process."""
    sys.modules.pop(MODULE, None)


def _module(name: str) -> dict[str, Any]:
    module = sys.modules.get(name)
    if module is None or (name == "__main__" and getattr(module, "__file__", None) != PROGRAM):
        module = sys.modules[name] = types.ModuleType(name)
        module.__file__ = PROGRAM
    return vars(module)


def _execute(text: str, name: str) -> None:
    namespace = _module(name)
    # Where tracebacks look for the lines of a file that does not exist.
    namespace["__loader__"] = ProgramSource(text)
    try:
        code = compile(text, PROGRAM, "exec", dont_inherit=True)
    except (MemoryError, RecursionError) as fault:  # the parser's own bound, not the memory's
        raise SyntaxError("it is nested too deeply to be parsed") from fault
    exec(code, namespace)


def _exit_code(leaving: SystemExit) -> int:
    if leaving.code is None or isinstance(leaving.code, int):
        return int(leaving.code or 0) & 0xFF
    with suppress(Exception):
        print(leaving.code, file=sys.stderr)  # noqa: T201 - what the interpreter does
    return 1


def _show(fault: BaseException) -> None:
    with suppress(BaseException):
        if sys.excepthook is sys.__excepthook__:
            print(trace_of(fault), file=sys.stderr)  # noqa: T201 - what the interpreter does
        else:
            sys.excepthook(type(fault), fault, fault.__traceback__)


def _finish(code: int) -> int:
    with suppress(BaseException):
        if "threading" in sys.modules:
            sys.modules["threading"]._shutdown()
        atexit._run_exitfuncs()
    _flush()
    return code


def _flush() -> None:
    try:  # not `suppress`: this happens after every answer
        sys.stdout.flush()
        sys.stderr.flush()
    except BaseException:  # a program may have put anything in their places
        return
