"""Pages: one Jinja environment, one way to draw a template, and the policy under which a page is shown.

Every text is escaped and made visible (control characters as their pictures, half surrogates as escapes); what is
markup says so with `|safe`, and only our own pictures do.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ringtrue.identity import content_hash
from ringtrue.safetext import visible_text

if TYPE_CHECKING:
    from jinja2 import Environment

PAGES = Path(__file__).parent / "pages"
"""Where the templates, the styles and the scripts are."""


def render(template: str, folder: Path | None = None, **values: Any) -> str:
    """A template as text; `folder` holds further templates, which may extend and import those of `pages`."""
    return page_environment(folder).get_template(template).render(**values)


def render_page(template: str, *, scripts: tuple[str, ...] = (), **values: Any) -> str:
    """A page that needs nothing else: its style, its one script, and a policy that allows these two alone."""
    style, script = stylesheet(), script_text(*scripts)
    return render(template, style=style, script=script, policy=content_policy(style, script), **values)


def content_policy(style: str, script: str = "", *, further: str = "") -> str:
    """A content security policy: nothing is loaded, and only this style and this script count.

    `further` are directives of a page that a server answers for, such as `connect-src 'self'`.
    """
    parts = ["default-src 'none'", f"style-src '{content_hash(style)}'"]
    parts += [f"script-src '{content_hash(script)}'"] if script else []
    parts += [further] if further else []
    return "; ".join([*parts, "base-uri 'none'"] + ([] if "form-action" in further else ["form-action 'none'"]))


@lru_cache(maxsize=1)
def stylesheet() -> str:
    """The values and the components, as one style sheet."""
    return "".join((PAGES / name).read_text("utf-8") for name in ("tokens.css", "look.css"))


@lru_cache(maxsize=8)
def script_text(*names: str) -> str:
    """Our own scripts, joined into the one that a page has."""
    return "".join((PAGES / name).read_text("utf-8") for name in names)


@lru_cache(maxsize=8)
def page_environment(folder: Path | None = None) -> Environment:
    """The templates of `pages`, and of another folder before them."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    from ringtrue.reports.charts import swatch
    from ringtrue.reports.comparing.comparison_words import p_words
    from ringtrue.reports.number import NOTHING, count, duration, interval, number
    from ringtrue.reports.pages.folded_text import fold_text

    found = Environment(
        loader=FileSystemLoader([*([folder] if folder else []), PAGES]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_show,
    )
    found.filters.update(
        number=number, interval=interval, count=count, duration=duration, fold=fold_text, p_value=p_words
    )
    found.globals.update(NOTHING=NOTHING, swatch=swatch)
    return found


def _show(value: Any) -> Any:
    """Return the text for a value in a template: text as text, nothing for nothing."""
    if isinstance(value, str) and not hasattr(value, "__html__"):
        return visible_text(value)
    return "" if value is None else value
