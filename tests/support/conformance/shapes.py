"""One task in the shapes of the common benchmarks: a row, the answer to it, and the script that plain Python runs."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from support.conformance.tasks import Task

PLUS = """
import numpy as np

def is_floats(x) -> bool:
    if isinstance(x, float):
        return True
    if isinstance(x, (list, tuple)):
        return all(isinstance(i, float) for i in x)
    if isinstance(x, np.ndarray):
        return x.dtype == np.float64 or x.dtype == np.float32
    return False

def assertion(out, exp, atol):
    exact_match = out == exp
    if atol == 0 and is_floats(exp):
        atol = 1e-6
    if not exact_match and atol != 0:
        assert np.allclose(out, exp, rtol=1e-07, atol=atol)
    else:
        assert exact_match

"""
"""How the tests of HumanEval+ and MBPP+ begin."""

READS = "\nimport ast, sys\nprint({}(*map(ast.literal_eval, sys.stdin.read().splitlines())))\n"
METHOD = "\nclass Solution:\n    def {0}(self, *arguments):\n        return {0}(*arguments)\n"
LIKE_LIVECODEBENCH = """
result = Solution().{}(*{!r})
assert (list(result) if isinstance(result, tuple) else result) == {!r}
"""


@dataclass(frozen=True)
class Judged:
    """What is judged: a row and an answer to it; `script` decides by plain Python, on `stdin` by what it prints."""

    name: str
    row: dict[str, Any]
    answer: str
    script: str
    streams: tuple[tuple[str, str], ...] = ()


def published(task: Task, name: str, program: str) -> Judged:
    """The row as its authors publish it."""
    tests = task.row.get("test") or "\n".join(task.row["test_list"])
    imports, setup = task.row.get("test_imports", ()), task.row.get("test_setup_code", "")
    call = f"\ncheck({task.function})" if "def check(" in tests else ""
    continued = bool(task.context) and program.startswith(task.context)
    row = {**task.row, "context": task.context} if task.context else task.row
    # MBPP's set-up makes objects of the program's classes: it comes after the program.
    script = "\n".join([*imports, task.context if not continued else "", program, setup, tests, call])
    return Judged(name, row, program.removeprefix(task.context) if continued else program, script)


def plus(task: Task, name: str, program: str) -> Judged:
    """The shape of HumanEval+, and of MBPP+ where the task has no `entry_point`."""
    calls = task.calls()
    inputs, results = [given for given, _ in calls], [wanted for _, wanted in calls]
    checked = bool(task.row.get("entry_point"))
    loop = f"inputs = {inputs!r}\nresults = {results!r}\nfor i, (inp, exp) in enumerate(zip(inputs, results)):\n"
    loop += f"    assertion({'candidate' if checked else task.function}(*inp), exp, 0)\n"
    if not checked:
        return Judged(name, {"test": PLUS + loop}, program, f"{program}\n{PLUS}{loop}")
    body = "".join(f"    {line}\n" for line in loop.splitlines())
    test = f"{PLUS}def check(candidate):\n{body}"
    row = {"test": test, "entry_point": task.function}
    return Judged(name, row, program, f"{program}\n{test}\ncheck({task.function})")


def functional(task: Task, name: str, program: str) -> Judged:
    """LiveCodeBench's calls of a method: arguments in JSON, a line each."""
    calls = task.calls()
    cases = [
        {"input": "\n".join(map(json.dumps, given)), "output": json.dumps(wanted), "testtype": "functional"}
        for given, wanted in calls
    ]
    row = {
        "public_test_cases": json.dumps(cases[:1]),
        "private_test_cases": json.dumps(cases[1:]),
        "metadata": json.dumps({"func_name": task.function}),
    }
    answer = program + METHOD.format(task.function)
    read = [(json.loads(json.dumps(given)), json.loads(json.dumps(wanted))) for given, wanted in calls]
    return Judged(name, row, answer, answer + "".join(LIKE_LIVECODEBENCH.format(task.function, *call) for call in read))


def streams(task: Task, name: str, program: str) -> Judged:
    """LiveCodeBench's standard input and output."""
    pairs = [("\n".join(map(repr, given)), f"{wanted}\n") for given, wanted in task.calls()]
    cases = [{"input": given, "output": wanted, "testtype": "stdin"} for given, wanted in pairs]
    answer = program + READS.format(task.function)
    return Judged(name, {"public_test_cases": json.dumps(cases)}, answer, answer, tuple(pairs))


def fitting_shapes(task: Task) -> list[Any]:
    """The shapes that a task can be given beside its own."""
    calls = task.calls()
    if not calls:
        return []
    is_json = all(_crosses_json(given) and _crosses_json(_listed(wanted)) for given, wanted in calls)
    is_text = all("\n" not in repr(item) for given, _ in calls for item in given)
    return [plus, *([functional] if is_json else []), *([streams] if is_text else [])]


def _crosses_json(value: Any) -> bool:
    try:
        return bool(json.loads(json.dumps(value)) == value)
    except (TypeError, ValueError):
        return False


def _listed(value: Any) -> Any:
    return [*map(_listed, value)] if isinstance(value, (list, tuple)) else value
