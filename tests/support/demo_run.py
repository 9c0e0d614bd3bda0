"""A run to look at: three made-up systems answer shipped questions, the same way every time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from ringtrue import evaluate
from ringtrue.datasets.cases import read_cases
from ringtrue.records import Output, Run

SYSTEMS = {"small-8b": (0.52, 0.4, 0.0001), "large-70b": (0.68, 1.2, 0.0009), "large-70b+search": (0.8, 2.7, 0.0024)}
"""How often a system is right, about how many seconds it takes, and what an answer costs."""
_OPENINGS = ("It is", "That would be", "From what is known it is", "The answer is")
_WRONG = ("the year 1990", "Helsinki", "about forty of them", "nobody in particular", "the second one")


def demo_system(name: str) -> Any:
    """A system that is right as often as it should be, and sometimes unreachable."""
    share, seconds, cost = SYSTEMS[name]

    class Demo:
        def __init__(self) -> None:
            self.name = name

        def process(self, example: Mapping[str, Any]) -> Output:
            dice = Random(f"{name}{example.get('question')}")
            if name.endswith("search") and dice.random() < 0.02:
                raise ConnectionError('HTTP 429 {"error": {"code": "rate_limited", "message": "60 per minute"}}')
            gold = example.get("answer") or ""
            right = str(gold[0] if isinstance(gold, Sequence) and not isinstance(gold, str) and gold else gold)
            answer = right.split("####")[-1].strip() if dice.random() < share else dice.choice(_WRONG)
            text = f"{dice.choice(_OPENINGS)} {answer}."
            taken = seconds * dice.lognormvariate(0, 0.5)
            tokens = len(text.split()) + 2
            return Output(text, latency_seconds=taken, cost=cost, input_tokens=60, output_tokens=tokens, calls=1)

    return Demo()


def demo_run(
    datasets: Sequence[str] = ("nq@sample", "gsm8k@sample"),
    systems: Sequence[str] = tuple(SYSTEMS),
    examples: int | None = None,
    store: str | None = None,
    more: Callable[..., Any] | None = None,
    name: str = "Does search help?",
) -> Run:
    """The run of these systems on these datasets."""
    asked = [demo_system(name) for name in systems]
    found = evaluate(
        asked if more is None else [*asked, more],
        [case for name in datasets for case in [*read_cases(name)][:examples]],
        progress=False,
        store=store,
        name=name,
    )
    return found.run
