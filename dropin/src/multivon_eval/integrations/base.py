"""`AgentTracer`: what an agent did while it answered; `CaseImporter`: what it did elsewhere, before."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from types import TracebackType
from typing import Any, Self

from multivon_eval.case import AgentStep, EvalCase
from multivon_eval.spoken import say_lines
from multivon_eval.steps import python_call, steps_text
from multivon_eval.values import part

ModelFunction = Callable[..., str]


class AgentTracer(ABC):
    """Wraps an agent once, and is reset before and read after each of its answers."""

    def __init__(self) -> None:
        self._steps: list[AgentStep] = []

    @abstractmethod
    def instrument(self, fn: ModelFunction) -> ModelFunction:
        """The function that is called in place of `fn`, so that its steps are seen."""

    @abstractmethod
    def get_trace(self) -> list[AgentStep]:
        """The steps since the last reset, in a new list."""

    def reset(self) -> None:
        """Forget the steps."""
        self._steps.clear()

    def __enter__(self) -> Self:
        self.reset()
        return self

    def __exit__(  # noqa: B027 - the steps are kept: they are read after the block
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Nothing."""

    @staticmethod
    def format_trace(steps: Sequence[AgentStep] | None) -> str:
        """Steps in lines, calls and values as Python writes them."""
        return steps_text(steps, python_call, repr) if steps else "(no trace captured)"

    def print_trace(self, steps: Sequence[AgentStep] | None = None) -> None:
        """Print steps, those of the tracer where none are given; a terminal obeys nothing in them."""
        say_lines(self.format_trace(self.get_trace() if steps is None else steps))


class CallbackTracer(AgentTracer):
    """A tracer for frameworks that call back: the agent is called with `callbacks=[...]` and passes them on."""

    @abstractmethod
    def _build_handler(self) -> Any:
        """The framework's callback handler, or a list of them; it is asked for before every call of the agent."""

    def get_trace(self) -> list[AgentStep]:
        """The steps that handlers have put into `_steps`."""
        return list(self._steps)

    def instrument(self, fn: ModelFunction) -> ModelFunction:
        """The function with handlers after the callbacks it is called with."""

        def called(input_text: str, **kwargs: Any) -> str:
            built = self._build_handler()
            given = kwargs.pop("callbacks", None) or []
            return fn(input_text, callbacks=[*given, *(built if isinstance(built, list) else [built])], **kwargs)

        return called


class CaseImporter(ABC):
    """Fetches recorded runs as cases: `agent_trace` is what was done, `metadata["_output"]` what was said."""

    @abstractmethod
    def load(self, **kwargs: Any) -> list[EvalCase]:
        """The recorded runs."""

    def as_model_fn(self, cases: Sequence[EvalCase]) -> Replay:
        """A function that says again what was said; `run_on_cases` with the outputs is the better way."""
        warnings.warn(
            "as_model_fn makes recorded answers look fresh: pass (case, output) pairs to run_on_cases",
            DeprecationWarning,
            stacklevel=2,
        )
        return Replay(cases)


class Replay:
    """Recorded outputs by case, or by an input that only one output is known of; anything else is a ValueError."""

    def __init__(self, cases: Iterable[EvalCase]) -> None:
        self._cases: dict[tuple[str, str], str] = {}
        self._inputs: dict[str, set[str]] = {}
        for case in cases:
            output = part(case.metadata, "_output")
            if not isinstance(output, str):
                raise ValueError(f"a recorded case has a string in metadata['_output']; got {output!r}")
            self._cases[case.identity()] = output
            self._inputs.setdefault(case.input, set()).add(output)

    def __call__(self, input_text: str) -> str:
        known = self._inputs.get(input_text, set())
        if len(known) != 1:
            raise ValueError(f"Unknown or ambiguous input {input_text!r}: {len(known)} outputs are recorded of it")
        (output,) = known
        return output

    def _call_with_case(self, case: EvalCase) -> str:
        try:
            return self._cases[case.identity()]
        except KeyError:
            raise ValueError("no output is recorded of this case as it is now") from None

    async def _acall_with_case(self, case: EvalCase) -> str:
        return self._call_with_case(case)
