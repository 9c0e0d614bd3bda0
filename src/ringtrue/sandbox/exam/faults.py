"""Exceptions on the wire: their type by name, their arguments as values, their traceback as text."""

from __future__ import annotations

import builtins
import sys
from types import FunctionType
from typing import Any

from ringtrue.sandbox.exam.wire import Export, Import, Tree, pack, unpack

PROGRAM, TEST = "program.py", "test.py"
"""The file names under which program and tests are compiled."""

FRAMES = 8
TRACE_CHARS = 4_000
TEXT_CHARS = 2_000
_ATTRIBUTES = 50

_ELSEWHERE = "program"
"""The module of a mirror."""

Mirrors = dict[str, type[BaseException]]
"""Local classes that stand for the other side's exception classes, by name."""


def names_of(kind: type) -> list[str]:
    """An exception class and its ancestors, as `module.name`."""
    return [f"{item.__module__}.{item.__qualname__}" for item in kind.__mro__ if issubclass(item, BaseException)]


def pack_fault(fault: BaseException, export: Export) -> Tree:
    """An exception as a tree."""
    try:
        # Of a file's name `args` says nothing.
        named = [fault.filename] if isinstance(fault, OSError) and fault.filename is not None else []
        arguments = [pack(item, export) for item in (*fault.args, *named)]
    except RecursionError:
        arguments = []
    own: Tree = {"names": names_of(type(fault)), "args": arguments, "attributes": _packed_attributes(fault, export)}
    if isinstance(type(fault).__str__, FunctionType):
        own["text"] = text_of(fault)
    if fault.__cause__ is not None:
        own["cause"] = export(fault.__cause__)
    return {**own, "trace": trace_of(fault)}


def unpack_fault(tree: Tree, resolve: Import, mirrors: Mirrors) -> BaseException:
    """The exception of a tree: its own class where it is built in or already loaded here, else a mirror of it."""
    kind = mirror_of([str(name) for name in tree["names"]], mirrors)
    arguments = [unpack(item, resolve) for item in tree["args"]]
    try:
        fault = kind(*arguments)
    except Exception:  # some classes insist on more arguments than they keep
        fault = kind.__new__(kind)
        fault.args = tuple(arguments)
    vars(fault).update({str(name): unpack(item, resolve) for name, item in tree["attributes"]})
    if "text" in tree and kind.__module__ == _ELSEWHERE:
        kind.__str__ = _own_text  # type: ignore[method-assign]
        fault.__ringtrue_text__ = str(tree["text"])  # type: ignore[attr-defined]
    cause = unpack(tree["cause"], resolve) if "cause" in tree else None
    if isinstance(cause, BaseException):
        fault.__cause__ = cause
    fault.__ringtrue_trace__ = str(tree["trace"])[-TRACE_CHARS:]  # type: ignore[attr-defined]
    return fault


def mirror_of(names: list[str], mirrors: Mirrors) -> type[BaseException]:
    """The local class for an exception class of the other side."""
    for position, name in enumerate(names):
        known = mirrors.get(name) or _loaded_class(name)
        if known is None:
            continue
        for missing in reversed(names[:position]):
            known = type(missing.rpartition(".")[2] or "Fault", (known,), {"__module__": _ELSEWHERE})
            mirrors[missing] = known
        return known
    return RuntimeError


def text_of(fault: BaseException) -> str:
    """Return the text of an exception, shortened; an exception that has none is named by its class."""
    try:
        return str(fault)[:TEXT_CHARS]
    except BaseException:  # a program's own __str__ may do anything
        return type(fault).__name__


def trace_of(fault: BaseException) -> str:
    """The traceback as text: the innermost frames of program and tests, the harness's own left out.

    The module `traceback` does it better and costs more than most programs do.
    """
    frames, step = [], fault.__traceback__
    while step is not None:
        code = step.tb_frame.f_code
        if code.co_filename in (PROGRAM, TEST):
            source = step.tb_frame.f_globals.get("__loader__")
            lines = source.get_source("").splitlines() if isinstance(source, ProgramSource) else []
            line = lines[step.tb_lineno - 1].strip() if step.tb_lineno <= len(lines) else ""
            frames.append(f'  File "{code.co_filename}", line {step.tb_lineno}, in {code.co_name}\n    {line}\n')
        step = step.tb_next
    said = text_of(fault)
    last = f"{type(fault).__name__}: {said}" if said else type(fault).__name__
    return "".join(["Traceback (most recent call last):\n", *frames[-FRAMES:], last])[-TRACE_CHARS:]


class ProgramSource:
    """The text of a module, for those who ask its loader for it."""

    def __init__(self, text: str) -> None:
        self._text = text

    def get_source(self, name: str) -> str:
        """The text."""
        return self._text


def _own_text(fault: BaseException) -> str:
    """The text that the class of the original makes of it."""
    return str(vars(fault).get("__ringtrue_text__", fault.args))


def _packed_attributes(fault: BaseException, export: Export) -> list[list[Tree]]:
    found = []
    for name, value in [*vars(fault).items()][:_ATTRIBUTES]:
        if isinstance(name, str) and not name.startswith("_"):
            try:
                found.append([name, pack(value, export)])
            except RecursionError:
                continue
    return found


def _loaded_class(name: str) -> type[BaseException] | None:
    module, _, attribute = name.rpartition(".")
    home: Any = builtins if module == "builtins" else sys.modules.get(module)
    # Only classes of the standard library count, and importing one at the program's wish is out of the question.
    # unittest's own exceptions would let a program skip the tests.
    top = module.partition(".")[0]
    if home is None or top == "unittest" or (home is not builtins and top not in sys.stdlib_module_names):
        return None
    found = vars(home).get(attribute)
    return found if isinstance(found, type) and issubclass(found, BaseException) else None
