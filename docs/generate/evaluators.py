"""The page of evaluators: name, class, needs, parts, formula, settings."""

from __future__ import annotations

import inspect
from collections.abc import Iterator

from generate.markdown import fill, table
from ringtrue.cli.explain import facts
from ringtrue.evaluators.built_in import BUILT_IN, JUDGED
from ringtrue.evaluators.spec import find


def evaluators_page() -> str:
    """Every evaluator, the deterministic ones first."""
    details = "\n\n".join(filter(None, _details({**BUILT_IN, **JUDGED})))
    return fill("evaluators.md", overview=_overview(), details=details)


def _overview() -> str:
    rows = (
        (f"[`{name}`](#{name})", f"`{kind}`", ", ".join(f"`{part}`" for part in find(name).parts), _decider(name))
        for name, (_, kind) in {**BUILT_IN, **JUDGED}.items()
    )
    return table(("name", "class", "parts", "decided by"), rows)


def _decider(name: str) -> str:
    return "a model" if name in JUDGED else "code"


def _details(names: dict[str, tuple[str, str]]) -> Iterator[str]:
    for name in names:
        kind = find(name)
        yield f"## {name}"
        yield inspect.getdoc(kind) or ""
        yield "\n".join(f"- **{label}**: {value}" for label, value in facts(kind))
