"""Draw the viewer's templates: with the one style, the one script, and the policy that allows no other."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from ringtrue.reports.page import content_policy, render, script_text, stylesheet

TEMPLATES = Path(__file__).parent / "templates"
_SERVED = "connect-src 'self'; form-action 'self'; frame-ancestors 'none'"


def draw(template: str, **values: Any) -> str:
    """A page; a `bundle` is read without a server: it holds its policy itself and has no labels and nothing live."""
    bundled = bool(values.get("bundle"))
    policy = content_policy(style(), script()) if bundled else ""
    return render(template, TEMPLATES, **{"bundle": False, **values}, style=style(), script=script(), policy=policy)


@lru_cache(maxsize=1)
def style() -> str:
    """The common style, and what only the viewer's pages have."""
    return stylesheet() + (TEMPLATES / "viewer.css").read_text("utf-8")


@lru_cache(maxsize=1)
def script() -> str:
    """The common script and our own."""
    return script_text("theme.js") + (TEMPLATES / "viewer.js").read_text("utf-8")


@lru_cache(maxsize=1)
def served_policy() -> str:
    """The policy that a server sends along: no other script or style, no other host, no frame."""
    return content_policy(style(), script(), further=_SERVED)
