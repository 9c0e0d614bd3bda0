"""All programs to judge, with what plain Python says of each."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from support.agreeable import agreeing
from support.conformance.mutants import mutants
from support.conformance.plain_python import truths
from support.conformance.shapes import Judged, fitting_shapes, published
from support.conformance.tasks import Task, defined_names
from support.values import HELPER, OWN, SHARED, VALUES

MUTANTS = 3


def programs_of(tasks: list[Task]) -> Iterator[tuple[Judged, bool | None]]:
    """Solutions in every shape, mutants in one each, objects that agree with everything, empty programs."""
    honest = [judged for task in tasks for judged in _honest(task)]
    yield from zip(honest, truths(honest), strict=True)
    for task in tasks:
        yes = agreeing(defined_names(task.solution))
        for shape in (published, *fitting_shapes(task)):
            yield shape(task, f"{task.name} {shape.__name__} agrees", yes), False
        yield published(task, f"{task.name} empty", "x = 1\n"), False
    for expression, test in VALUES:
        program = f"{SHARED}{OWN}\ndef f():\n    return {expression}\n"
        yield Judged(test, {"test": f"{SHARED}{HELPER}\nassert {test}"}, program, ""), True


def _honest(task: Task) -> Iterator[Judged]:
    shapes = [published, *fitting_shapes(task)]
    for shape in shapes:
        yield shape(task, f"{task.name} {shape.__name__}", task.solution)
    # What the prompt defines beside the function belongs to the tests: a program cannot break it.
    for number, mutant in enumerate(mutants(task.solution, MUTANTS, task.function if task.context else "")):
        shape = shapes[number % len(shapes)]
        yield shape(task, f"{task.name} {shape.__name__} mutant {number}", mutant)


def write_programs(tasks: list[Task], path: Path) -> dict[str, int]:
    """Write all programs as JSON lines; the result counts them."""
    counts = {"right": 0, "wrong": 0, "too slow to tell": 0}
    with path.open("w") as lines:
        for judged, truth in programs_of(tasks):
            counts["too slow to tell" if truth is None else "right" if truth else "wrong"] += 1
            if truth is not None:
                lines.write(json.dumps({**asdict(judged), "script": "", "truth": truth}) + "\n")
    return counts


def read_programs(path: Path) -> list[dict[str, Any]]:
    """The programs of such a file."""
    with path.open() as lines:
        return [json.loads(line) for line in lines]
