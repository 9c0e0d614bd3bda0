"""`SemanticTestEvaluatorConfig`: what is audited, how, and how far an audit may go."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from ringtrue.evaluators.check import is_number, require
from ringtrue.evaluators.judged.audit.rubric import Rubric
from ringtrue.evaluators.judged.config import BaseEvaluatorConfig, require_count
from ringtrue.records import Json

Folder: TypeAlias = str | os.PathLike[str]


@dataclass(frozen=True, kw_only=True)
class SemanticTestEvaluatorConfig(BaseEvaluatorConfig):
    """What is audited, how, and how far an audit may go.

    `max_tokens` and `max_cost` (US dollars) end the looking; the verdict is one question more. Of the folder, the
    smallest files are copied until `max_copy_bytes`, without those whose path or name fits a pattern of `exclude`.
    `tool_calls=False` is for models that cannot call tools. `allow_unsafe` lets commands run without isolation where
    there is none.
    """

    working_dir: Folder | None = None
    steps: str = ""
    rubric: Mapping[str, Json] = field(default_factory=dict)
    context: str = ""
    max_steps: int = 30
    max_tokens: int = 500_000
    max_cost: float | None = None
    deadline_seconds: float = 1_200.0
    run_seconds: float = 30.0
    max_copy_bytes: int = 32 * 1024 * 1024
    exclude: Sequence[str] = ()
    result_chars: int = 8_000
    history_chars: int = 200_000
    tool_calls: bool = True
    allow_unsafe: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        _require_folder(self.working_dir)
        for name in ("steps", "context"):
            text = getattr(self, name)
            require(isinstance(text, str), f"{name} must be a text; got {text!r}", parameter=name, value=text)
        told = bool(self.steps.strip())
        require(told, "steps must say what to look at, in words", parameter="steps", value=self.steps)
        Rubric(self.rubric)
        for name in ("max_steps", "max_tokens", "max_copy_bytes", "result_chars", "history_chars"):
            require_count(name, getattr(self, name))
        for name in ("deadline_seconds", "run_seconds", *(("max_cost",) if self.max_cost is not None else ())):
            number = getattr(self, name)
            holds = is_number(number) and number > 0
            require(holds, f"{name} must be a number above 0; got {number!r}", parameter=name, value=number)
        patterns = isinstance(self.exclude, Sequence) and not isinstance(self.exclude, (str, bytes))
        patterns = patterns and all(isinstance(one, str) for one in self.exclude)
        message = f"exclude must be a list of patterns such as 'node_modules'; got {self.exclude!r}"
        require(patterns, message, parameter="exclude", value=self.exclude)


def _require_folder(folder: object) -> None:
    named = isinstance(folder, (str, os.PathLike)) and os.fspath(folder)
    holds = folder is None or (isinstance(named, str) and bool(named) and "\0" not in named)
    require(holds, f"working_dir must be a path; got {folder!r}", parameter="working_dir", value=folder)
