"""What Label Studio exports of tasks that reviewers have seen."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any


def annotation(number: int, reviewer: int | str, choice: str, **changes: Any) -> dict[str, Any]:
    """A finished review."""
    regions = [
        {"from_name": "verdict", "to_name": "output", "type": "choices", "value": {"choices": [choice]}},
        {"from_name": "review_reason", "to_name": "output", "type": "textarea", "value": {"text": ["because"]}},
    ]
    return {"id": number, "completed_by": {"id": reviewer}, "result": regions, **changes}


def exported(tasks: Sequence[Mapping[str, Any]], choices: Sequence[Sequence[str]]) -> list[dict[str, Any]]:
    """The tasks with one review by each of several reviewers, who choose so."""
    found = [copy.deepcopy(dict(task)) for task in tasks]
    for place, (task, chosen) in enumerate(zip(found, choices, strict=True)):
        task["id"] = 1000 + place
        task["annotations"] = [annotation(100 * place + who, who, choice) for who, choice in enumerate(chosen)]
    return found
