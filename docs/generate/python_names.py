"""The page of public names: every callable with its signature and docstring, every class with its members."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from enum import EnumType
from functools import cached_property
from importlib import import_module
from types import FunctionType
from typing import Any

from generate.markdown import block, fill

WIDTH = 100

PUBLIC = {
    "ringtrue": "",
    "ringtrue.evaluators": "",
    "ringtrue.metrics": "",
    "ringtrue.datasets": "",
    "ringtrue.models": "",
    "ringtrue.models.tokens": "TokenCount count estimate",
    "ringtrue.systems.system": "System",
    "ringtrue.systems.function": "as_output as_system",
    "ringtrue.systems.openai_proxy": "OpenAIProxy",
    "ringtrue.systems.command": "Command CommandFailed",
    "ringtrue.systems.json_api": "JsonApi",
    "ringtrue.sandbox": "",
    "ringtrue.scoring.overlap.squad": "exact_match f1_score normalize_answer recall_score",
    "ringtrue.scoring.overlap.bleu": "corpus_bleu sentence_bleu",
    "ringtrue.scoring.overlap.rouge": "PRF loses_letters rouge rouge_l",
    "ringtrue.scoring.overlap.chrf": "Chrf corpus_chrf sentence_chrf",
    "ringtrue.scoring.choice": "extract_letter",
    "ringtrue.scoring.maths": "Verdict compare equivalent",
    "ringtrue.scoring.facts.numbers": "NumberReading read_number",
    "ringtrue.stats.intervals": "bootstrap_interval credible_interval mean_interval"
    " pass_at_k pass_hat_k quantile wilson",
    "ringtrue.stats.differences": "benjamini_hochberg cohens_h holm mcnemar paired_interval two_proportions",
    "ringtrue.stats.power": "cases_needed detectable_effect pairs_needed",
    "ringtrue.reports.comparing.comparison": "Comparison Flip PartDifference SystemPair",
    "ringtrue.stats.calibration": "Calibration",
    "ringtrue.suites.validate": "SuiteValidation",
    "ringtrue.reports.csv_text": "csv_lines",
    "ringtrue.suites.publish": "Publishing",
    "ringtrue.authoring.varied_cases": "varied_cases",
    "ringtrue.runner.options": "Options",
    "ringtrue.runner.run_from_rows": "run_of",
    "ringtrue.dialects.dicts": "example processed_example",
    "ringtrue.dialects.transcripts": "Turn as_responses content_text last_said since_last_user turns up_to_last_user",
    "ringtrue.dialects.tools": "Tool tools_of",
    "ringtrue.records": "DatasetInfo EvaluatorInfo Made Problem Rows SystemInfo",
    "ringtrue.identity": "name_of origin",
    "ringtrue.jsontext": "json_text",
    "ringtrue.sync": "in_thread run_sync",
    "ringtrue.errors": "",
}
"""Module -> its public names; all of those it lists in `__all__` or defines where none are named."""

WITH_MEMBERS = (
    "ringtrue",
    "ringtrue.reports.comparing.comparison",
    "ringtrue.stats.calibration",
    "ringtrue.suites.validate",
)
"""Modules with the classes whose objects people hold in their hands: their members are shown, too."""


def python_page() -> str:
    """Every public name, module by module."""
    contents = "\n".join(f"- [`{module}`](#{module.replace('.', '')})" for module in PUBLIC)
    names = "\n\n".join(filter(None, (part for module in PUBLIC for part in _module(module))))
    return fill("python.md", contents=contents, names=names)


def _module(module: str) -> Iterator[str]:
    yield f"## {module}"
    for name, obj in _public(module):
        yield f"### {name}"
        signature = _signature(obj)
        if signature:
            yield block(_folded(f"{name}{signature}"))
        yield _about(obj)
        if isinstance(obj, type) and module in WITH_MEMBERS:
            yield from _members(name, obj)


def _members(owner: str, cls: type) -> Iterator[str]:
    """The attributes and methods of a class: a list, and a section for each method with many parameters."""
    short, long = [], []
    for name, member in _own_members(cls):
        call = name + _method_signature(member)
        words = inspect.getdoc(member) or ""
        if len(call) > WIDTH:
            long.append(f"#### {owner}.{name}\n\n{block(_folded(call))}\n\n{words}")
        else:
            short.append(f"- `{call}`" + (f": {' '.join(words.split())}" if words else ""))
    yield "\n".join(short)
    yield from long


def _own_members(cls: type) -> Iterator[tuple[str, Any]]:
    """Public properties and methods that ringtrue defines, in the order of their definition."""
    seen: dict[str, Any] = {}
    for base in cls.__mro__:
        if base.__module__.startswith("ringtrue."):
            seen = {**vars(base), **seen}
    for name, member in seen.items():
        if not name.startswith("_") and isinstance(member, property | cached_property | classmethod | FunctionType):
            yield name, member


def _method_signature(member: Any) -> str:
    """The signature without `self`; nothing for a property."""
    if isinstance(member, property | cached_property):
        return ""
    function = member.__func__ if isinstance(member, classmethod) else member
    return re.sub(r"^\((?:self|cls)(?:, )?", "(", _signature(function))


def _public(module: str) -> Iterator[tuple[str, Any]]:
    loaded = import_module(module)
    own = (name for name, obj in vars(loaded).items() if getattr(obj, "__module__", None) == module)
    for name in sorted(PUBLIC[module].split() or getattr(loaded, "__all__", own)):
        obj = getattr(loaded, name)
        if callable(obj) and not name.startswith("_"):
            yield name, obj


def _about(obj: Any) -> str:
    """The docstring; what a dataclass writes by itself says nothing that the signature does not."""
    words = inspect.getdoc(obj) or ""
    return "" if words.startswith(f"{getattr(obj, '__name__', '')}(") else words.replace("<", "&lt;")


def _signature(obj: Any) -> str:
    if isinstance(obj, EnumType) or getattr(obj, "_is_protocol", False):
        return ""  # how an enum is called differs between versions of Python; a protocol is not called
    try:
        text = str(inspect.signature(obj))
    except (TypeError, ValueError):
        return ""
    text = re.sub(r"<factory>", "…", text)
    text = re.sub(r"ForwardRef\('([^']*)'\)", r"\1", text)
    text = re.sub(r"(: |-> )'([^']*)'", r"\1\2", text)
    return re.sub(r"(?<![/'\w.])(?:ringtrue|collections|typing)\.[\w.]*?(?=[A-Z]\w*\b(?!\.))", "", text)


def _folded(call: str) -> str:
    """A call in one line, or with a line for each parameter."""
    if len(call) <= WIDTH:
        return call
    start = call.index("(") + 1
    depth, begin, parts = 1, start, []
    quoted = ""
    for place in range(start, len(call)):
        letter = call[place]
        if quoted:
            quoted = "" if letter == quoted else quoted
        elif letter in "'\"":
            quoted = letter
        elif letter in "([{":
            depth += 1
        elif letter in ")]}":
            depth -= 1
            if not depth:
                parts.append(call[begin:place])
                inside = "".join(f"    {part.strip()},\n" for part in parts if part.strip())
                return f"{call[:start]}\n{inside}{call[place:]}"
        elif letter == "," and depth == 1:
            parts.append(call[begin:place])
            begin = place + 1
    return call
