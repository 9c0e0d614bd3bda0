"""The page of public names: every callable with its signature and what its docstring says."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from enum import EnumType
from importlib import import_module
from typing import Any

from generate.markdown import block, fill

WIDTH = 100

MODULES = [
    "ringtrue",
    "ringtrue.evaluators",
    "ringtrue.scoring.overlap.squad",
    "ringtrue.scoring.overlap.bleu",
    "ringtrue.scoring.overlap.rouge",
    "ringtrue.scoring.overlap.chrf",
    "ringtrue.scoring.overlap.edits",
    "ringtrue.scoring.choice",
    "ringtrue.scoring.maths",
    "ringtrue.scoring.facts.numbers",
    "ringtrue.scoring.nli.labels",
    "ringtrue.scoring.ifeval",
    "ringtrue.scoring.personal_data.find",
    "ringtrue.authoring.refusals",
    "ringtrue.metrics",
    "ringtrue.stats.intervals",
    "ringtrue.stats.differences",
    "ringtrue.stats.paired_difference",
    "ringtrue.stats.power",
    "ringtrue.stats.corrected",
    "ringtrue.stats.confusion",
    "ringtrue.stats.cutoff",
    "ringtrue.stats.priced_cutoff",
    "ringtrue.stats.pairs",
    "ringtrue.stats.ranking",
    "ringtrue.suites.validate",
    "ringtrue.suites.publish",
    "ringtrue.reports.comparing.compare_runs",
    "ringtrue.reports.comparing.comparison",
    "ringtrue.reports.csv_text",
    "ringtrue.runner.options",
    "ringtrue.runner.run_from_rows",
    "ringtrue.datasets",
    "ringtrue.authoring.varied_cases",
    "ringtrue.systems.system",
    "ringtrue.systems.function",
    "ringtrue.systems.openai_proxy",
    "ringtrue.systems.command",
    "ringtrue.systems.json_api",
    "ringtrue.models",
    "ringtrue.models.client.endpoint",
    "ringtrue.models.scripted",
    "ringtrue.models.local.local_model",
    "ringtrue.models.structured.question",
    "ringtrue.models.structured.structured_model",
    "ringtrue.models.tokens",
    "ringtrue.sandbox",
    "ringtrue.dialects.dicts",
    "ringtrue.dialects.transcripts",
    "ringtrue.dialects.tools",
    "ringtrue.records",
    "ringtrue.identity",
    "ringtrue.jsontext",
    "ringtrue.sync",
    "ringtrue.errors",
]


def python_page() -> str:
    """Every public name, module by module."""
    contents = "\n".join(f"- [`{module}`](#{module.replace('.', '')})" for module in MODULES)
    names = "\n\n".join(filter(None, (part for module in MODULES for part in _module(module))))
    return fill("python.md", contents=contents, names=names)


def _module(module: str) -> Iterator[str]:
    yield f"## {module}"
    for name, obj in _public(module):
        yield f"### {name}"
        signature = _signature(obj)
        if signature:
            yield block(_folded(f"{name}{signature}"))
        yield _about(obj)


def _public(module: str) -> Iterator[tuple[str, Any]]:
    loaded = import_module(module)
    lazy = getattr(loaded, "__all__", None)
    names = lazy or [name for name, obj in vars(loaded).items() if getattr(obj, "__module__", None) == module]
    for name in sorted(names):
        obj = getattr(loaded, name)
        if callable(obj) and not name.startswith("_"):
            yield name, obj


def _about(obj: Any) -> str:
    """The docstring; what a dataclass writes by itself says nothing that the signature does not."""
    words = inspect.getdoc(obj) or ""
    return "" if words.startswith(f"{getattr(obj, '__name__', '')}(") else words.replace("<", "&lt;")


def _signature(obj: Any) -> str:
    if isinstance(obj, EnumType):
        return ""  # how it is called differs between versions of Python
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
