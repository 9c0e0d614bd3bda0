"""`AuditConfig`, `SemanticTestEvaluatorConfig`: what is audited, how, and how far an audit may go."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from ringtrue.evaluators.judged.audit.rubric import Rubric
from ringtrue.evaluators.judged.config import BaseEvaluatorConfig
from ringtrue.records import Json
from ringtrue.require import (
    require_count,
    require_number,
    require_string,
    require_text,
    require_that,
)

Folder: TypeAlias = str | os.PathLike[str]
_PLAIN = re.compile(r"[A-Za-z0-9_-]{1,64}")


@dataclass(frozen=True, kw_only=True)
class AuditConfig(BaseEvaluatorConfig):
    """The limits of an audit.

    At `max_tokens` or `max_cost` (US dollars) the auditor stops looking and is asked for its verdict. Files are copied,
    the smallest first, up to `max_copy_bytes`; those whose path or name fits a pattern of `exclude` are left out.
    `tool_calls=False` is for models that cannot call tools. `allow_unsafe` runs commands without isolation if this
    machine has none.
    """

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
        for name in ("max_steps", "max_tokens", "max_copy_bytes", "result_chars", "history_chars"):
            require_count(name, getattr(self, name))
        for name in ("deadline_seconds", "run_seconds", *(("max_cost",) if self.max_cost is not None else ())):
            require_number(name, getattr(self, name), above=0)
        patterns = isinstance(self.exclude, Sequence) and not isinstance(self.exclude, (str, bytes))
        patterns = patterns and all(isinstance(one, str) for one in self.exclude)
        require_that(patterns, "exclude", self.exclude, "a list of patterns such as 'node_modules'")


@dataclass(frozen=True, kw_only=True)
class SemanticTestEvaluatorConfig(AuditConfig):
    """The folder to audit, the steps and the rubric of the audit, and its limits.

    `beside` are further folders that the auditor sees under these names; of the audited folder, files and
    folders with such a name are left out.
    """

    working_dir: Folder | None = None
    steps: str = ""
    rubric: Mapping[str, Json] = field(default_factory=dict)
    context: str = ""
    beside: Mapping[str, Folder] = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__post_init__()
        _require_folder(self.working_dir)
        require_text("steps", self.steps)
        require_string("context", self.context)
        Rubric(self.rubric)
        _require_beside(self.beside)


def _require_beside(beside: object) -> None:
    named = isinstance(beside, Mapping) and all(isinstance(name, str) and _PLAIN.fullmatch(name) for name in beside)
    what = "a dict of folders by names of letters, digits, '_' and '-'"
    require_that(named, "beside", beside, what)
    for folder in beside.values() if isinstance(beside, Mapping) else ():
        require_that(folder is not None, "beside", beside, what)
        _require_folder(folder)


def _require_folder(folder: object) -> None:
    named = isinstance(folder, (str, os.PathLike)) and os.fspath(folder)
    holds = folder is None or (isinstance(named, str) and bool(named) and "\0" not in named)
    require_that(holds, "working_dir", folder, "a path")
