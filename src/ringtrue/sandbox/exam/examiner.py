"""The examiner: runs the tests in a process the program cannot reach and says whether they completed."""

from __future__ import annotations

import builtins
import json
import os
import sys
import types
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from ringtrue.sandbox.exam.bridge import Bridge, Trust
from ringtrue.sandbox.exam.candidate import Program
from ringtrue.sandbox.exam.channel import Channel, Closed
from ringtrue.sandbox.exam.faults import TEST, TEXT_CHARS, TRACE_CHARS, ProgramSource, text_of, trace_of, unpack_fault

MODULE = "__main__"
"""Tests run as a script does, so that those below `if __name__ == "__main__":` are not left out."""

CHECK = "check"


def examine_across(exam: Mapping[str, Any], channel: Channel, verdict: int) -> None:
    """Examine a program in another process."""
    trust = Trust(allowed=bool(exam["trusting"]))
    bridge = Bridge(channel, trust=trust, module=MODULE)
    names = _Names(bridge, exam)
    outcome = _await_program(bridge) or _outcome(exam, names, names.find)
    if outcome["passed"] and bridge.channel.ended:
        outcome = _failed_verdict("error", bridge.channel.ended)
    last = bridge.last_call if not outcome["passed"] else ""
    helped = trust.used or names.helped
    said = {**outcome, "last_call": last, "verdict": "in_process" if helped else "separate"}
    _report(verdict, {**said, "ended": bool(bridge.channel.ended)})


def examine_inside(job: Mapping[str, Any], verdict: int) -> None:
    """Examine a program in its own process, for tests that need it: what it could tamper with is kept or put back."""
    exam = job["exam"]
    pristine = dict(vars(builtins))
    write, quit_now, dumps = os.write, os._exit, json.dumps
    try:
        program = Program(job)
    except BaseException as fault:  # the program's own failure
        outcome = _failure(fault)
    else:
        for module in filter(None, (sys, sys.modules.get("threading"))):
            module.settrace(None)
            module.setprofile(None)
        vars(builtins).update(pristine)
        names = {name: value for name, value in program.namespace.items() if name not in pristine}
        names.update(__builtins__=pristine, __name__=MODULE)
        outcome = _outcome(exam, names, program.find)
        if outcome["passed"] and (sys.gettrace() or sys.getprofile()):
            outcome = _failed_verdict("error", "the program traces the tests")
    with suppress(Exception):
        sys.stdout.flush()
    write(verdict, dumps({**outcome, "last_call": "", "verdict": "in_process", "nonce": job["nonce"]}).encode())
    quit_now(0)


class _Names(dict[str, Any]):
    """The tests' namespace: what they do not define themselves and Python does not have is the program's.

    So is what the row says is tested, whatever else it is the name of.
    """

    def __init__(self, bridge: Bridge, exam: Mapping[str, Any]) -> None:
        super().__init__(__name__=MODULE)
        self._bridge = bridge
        self._tested = exam["entry_point"]
        self._shadows = exam["shadows"]
        self.helped = False

    def __missing__(self, name: str) -> Any:
        if name == "__builtins__" or (hasattr(builtins, name) and name != self._shadows):
            raise KeyError(name)
        try:
            value = self._bridge.request("name", name)
        except NameError:
            if name == self._shadows:
                raise  # or Python's own would be tested
            raise KeyError(name) from None
        if not isinstance(value, types.ModuleType) and not _is_exception(value):
            # One name is what is tested; a second one means that the program helps to judge itself.
            self.helped = self.helped or bool(self._tested and self._tested != name)
            self._tested = self._tested or name
        self[name] = value
        return value

    def find(self, name: str) -> Any:
        """Return the object that the program has under a name, whatever else it is the name of."""
        return self._bridge.request("name", name)


def _await_program(bridge: Bridge) -> dict[str, Any] | None:
    try:
        kind, *rest = bridge.channel.hear()
    except Closed as end:
        return _failed_verdict("error", str(end).replace("before the tests did", "before it was loaded"))
    if kind == "ready":
        return None
    fault = unpack_fault(rest[0], lambda kind, payload: None, {})
    return _failed_verdict("error", f"{type(fault).__name__}: {text_of(fault)}", _trace(fault))


def _outcome(exam: Mapping[str, Any], names: dict[str, Any], find: Callable[[str], Any]) -> dict[str, Any]:
    test = exam["test"]
    names["__loader__"] = ProgramSource(test)
    try:
        code = compile(test, TEST, "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as fault:
        return _failed_verdict("broken_test", f"{type(fault).__name__}: {fault}")
    try:
        if "unittest" in test:
            _keep_unittest_from_leaving()
        for text in exam["prelude"]:
            exec(compile(text, "prelude.py", "exec", dont_inherit=True), names)
        if exam["shadows"] and type(names) is dict:  # the names of an examiner apart see to it
            names[exam["shadows"]] = find(exam["shadows"])
        exec(code, names)
        _conclude(exam, names, find)
    except BaseException as fault:  # whatever ends the tests early is a failure
        return _failure(fault)
    return {"passed": True}


def _conclude(exam: Mapping[str, Any], names: dict[str, Any], find: Callable[[str], Any]) -> None:
    """Run the tests that were only defined so far."""
    own = exam["defines"]
    if CHECK in own:
        names[CHECK](find(exam["entry_point"]))
        return
    cases = [names[name] for name in own if _is_test_case(names.get(name))]
    if cases:
        _run_cases(cases, exam["test"])
    for name in own:
        if name.startswith("test") and isinstance(names.get(name), types.FunctionType):
            names[name]()


def _is_exception(value: Any) -> bool:
    return isinstance(value, type) and issubclass(value, BaseException)


def _is_test_case(value: Any) -> bool:
    unittest = sys.modules.get("unittest")
    return unittest is not None and isinstance(value, type) and issubclass(value, unittest.TestCase)


def _keep_unittest_from_leaving() -> None:
    """Its `main` would look for tests in the harness and end the process; the cases are run without it."""
    import unittest

    unittest.main = lambda *_, **__: types.SimpleNamespace(result=unittest.TestResult())  # type: ignore[assignment]


def _run_cases(cases: list[Any], test: str) -> None:
    import unittest

    loader = unittest.defaultTestLoader
    suite = unittest.TestSuite(loader.loadTestsFromTestCase(case) for case in cases)
    result = unittest.TestResult()
    suite.run(result)
    for where, text in [*result.errors, *result.failures]:
        raise AssertionError(f"{where}\n{text}"[-TEXT_CHARS:])
    if any(not _skips_itself(case, test) for case, _ in result.skipped):
        raise AssertionError("the program skipped a test")
    if not result.testsRun or result.unexpectedSuccesses:
        raise AssertionError("no test ran" if not result.testsRun else "a test that must fail did not")


def _skips_itself(case: Any, test: str) -> bool:
    """Whether the tests mean to leave a case out: a program that shares their process could raise SkipTest, too."""
    method = getattr(case, getattr(case, "_testMethodName", ""), None)
    marked = getattr(method, "__unittest_skip__", False) or getattr(type(case), "__unittest_skip__", False)
    return bool(marked) or "skiptest" in test.lower()


def _failure(fault: BaseException) -> dict[str, Any]:
    asserted = isinstance(fault, AssertionError) and not hasattr(fault, "__ringtrue_trace__")
    said = text_of(fault)
    error = f"{type(fault).__name__}: {said}" if said else type(fault).__name__
    return _failed_verdict("assertion" if asserted else "error", error, _trace(fault), _line(fault))


def _failed_verdict(kind: str, error: str, trace: str = "", line: int = 0) -> dict[str, Any]:
    return {"passed": False, "kind": kind, "error": error, "line": line, "trace": trace}


def _trace(fault: BaseException) -> str:
    return str(getattr(fault, "__ringtrue_trace__", "") or trace_of(fault))[-TRACE_CHARS:]


def _line(fault: BaseException) -> int:
    """The line of the tests that was running when the fault happened."""
    line, step = 0, fault.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename == TEST:
            line = step.tb_lineno
        step = step.tb_next
    return line


def _report(verdict: int, outcome: Mapping[str, Any]) -> None:
    data = json.dumps(outcome).encode()
    while data:
        data = data[os.write(verdict, data) :]
