"""`BfclServices`: the simulated services of BFCL's conversations, and its authors' check of what calls did to them.

The services, the questions and the two comparisons are those of the authors' package `bfcl-eval`, which this module
alone imports. Calls are carried out here: the package evaluates them as Python source.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import deepcopy
from importlib import import_module
from json import dumps
from keyword import iskeyword
from typing import Any

from ringtrue.errors import ConfigurationError
from ringtrue.records import Json
from ringtrue.safetext import short_repr
from ringtrue.scoring.tool_calls.read_calls import ToolCall

INSTALL = "pip install --no-deps bfcl-eval mpmath"
"""Without --no-deps the package brings some thirty others, a framework for neural networks among them."""
LARGEST = {"precision": 10_000, "exponent": 10_000}
"""Arguments of the calculator that decide how long it works, and the largest value that is tried."""


def bfcl_module(name: str) -> Any:
    """A module of the authors' package."""
    try:
        return import_module(f"bfcl_eval.{name}" if name else "bfcl_eval")
    except ImportError as error:
        raise ConfigurationError(
            f"the conversations of bfcl need its authors' package: {INSTALL}", parameter="bfcl", value=str(error)
        ) from error


class BfclServices:
    """The services of one conversation in the state it starts from; calls change them."""

    def __init__(self, classes: Sequence[str], config: Mapping[str, Json], long_context: bool = False) -> None:
        known = bfcl_module("constants.executable_backend_config")
        self.instances: dict[str, Any] = {}
        self._functions: dict[str, Callable[..., Any]] = {}
        for name in classes:
            if name not in known.CLASS_FILE_PATH_MAPPING:
                raise ConfigurationError(f"bfcl has no service {name!r}", parameter="classes", value=name)
            module = bfcl_module(known.CLASS_FILE_PATH_MAPPING[name].partition(".")[2])
            service = self.instances[name] = getattr(module, name)()
            if name not in known.STATELESS_CLASSES:
                service._load_scenario(deepcopy(config.get(name, {})), long_context=long_context)
            self._functions.update(
                (own, method) for own, method in inspect.getmembers(service, inspect.ismethod) if own[0] != "_"
            )

    def call(self, call: ToolCall) -> str:
        """Return a function's result as text; an error is also a result, for the model to read."""
        try:
            return _as_text(self._result_of(call))
        except Exception as error:
            # The services raise whatever Python raises at arguments of a wrong type: all of it is the model's doing.
            return f"Error during execution: {error}"

    def _result_of(self, call: ToolCall) -> Any:
        if call.name not in self._functions:
            raise NameError(f"name {call.name.partition('.')[0]!r} is not defined")
        named: dict[str, Any] = {}
        placed: list[Any] = []
        for name, given in call.arguments.items():
            value = self._result_of(given) if isinstance(given, ToolCall) else given
            if isinstance(value, (int, float)) and abs(value) > LARGEST.get(name, abs(value)):
                raise ValueError(f"{name} is at most {LARGEST[name]}")
            if name.isdigit():
                placed.append(value)
            elif name.isidentifier() and not iskeyword(name):
                named[name] = value
            else:
                raise SyntaxError(f"{name!r} is not the name of an argument")
        return self._functions[call.name](*placed, **named)


def _as_text(value: Any) -> str:
    """A result as the model and the authors' check read it: JSON where it is an object that JSON can hold."""
    try:
        return dumps(value) if type(value) is dict else str(value)
    except TypeError:
        return str(value)


Step = Sequence[ToolCall]


def conversation_problem(
    scenario: Mapping[str, Any], said: Sequence[Sequence[Step]], expected: Sequence[Sequence[ToolCall]]
) -> str:
    """Return why the calls of a conversation, turn by turn, do not do what the expected ones do; else empty.

    After every turn that expects calls the services are in the same state, and the results so far hold all results of
    the turn's expected calls. Calls in a turn that expects none count by what they change.
    """
    checks = bfcl_module("eval_checker.multi_turn_eval.multi_turn_checker")
    real, wanted = BfclServices(**scenario), BfclServices(**scenario)
    results: list[str] = []
    for number, (steps, calls) in enumerate(zip(said, expected, strict=True), 1):
        results += [real.call(call) for step in steps for call in step]
        needed = [wanted.call(call) for call in calls]
        if not calls:
            continue
        if not any(steps):
            return f"turn {number} makes no call; it needs {_names(calls)}"
        state = checks.state_checker(real.instances, wanted.instances)
        if not state["valid"]:
            service = str(state["error_message"]).partition(" for ")[2].partition(" ")[0]
            return f"after turn {number} the state of {service} is not the expected one: {_differences(state)}"
        answers = checks.response_checker(results, needed, number)
        if not answers["valid"]:
            missing = short_repr(answers["details"]["missing_items"][0], 200)
            return f"after turn {number} no call has returned {missing}"
    return ""


def _names(calls: Iterable[ToolCall]) -> str:
    return ", ".join(dict.fromkeys(call.name for call in calls))


def _differences(state: Mapping[str, Any]) -> str:
    found = state["details"]["differences"]
    lines = [
        f"{name} is {short_repr(one['model'])}, not {short_repr(one['ground_truth'])}" for name, one in found.items()
    ]
    return "; ".join(lines[:3])
