"""Feedback for a generator: what to do better."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def feedback(introduction: str, items: Sequence[Mapping[str, str]]) -> str | None:
    """One sentence, then each item's fields between tags of their names; None where there is nothing to complain of."""
    if not items:
        return None
    lines = [f"<{name}>{_escape(text)}</{name}>" for item in items for name, text in item.items()]
    return "\n".join([introduction, *lines])


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
