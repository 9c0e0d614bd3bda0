"""Templates with fields in double braces; what goes beyond fields is Liquid's to render."""

from __future__ import annotations

import re

from ringtrue.errors import ConfigurationError

_FIELD = re.compile(r"\{\{[ \t]*(\w{1,100})[ \t]*\}\}")
_BACKSLASHED = str.maketrans({sign: f"\\{sign}" for sign in '\\"`$'})


def rendered(template: str, **texts: str) -> str:
    """The template with its fields filled in; a field without a text is empty, as in Liquid."""
    rest = _FIELD.sub("", template)
    if "{{" not in rest and "{%" not in rest:
        return _FIELD.sub(lambda field: texts.get(field[1], ""), template)
    try:
        from liquid import render  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        raise ConfigurationError(
            f"a template with more of Liquid than fields needs it: pip install 'ringtrue-dropin[benchmarking]'; "
            f"the template is {template!r}",
            parameter="template",
            value=template,
        ) from None
    return str(render(template, **texts))


def within_double_quotes(text: str) -> str:
    """A text as a shell reads it literally between double quotes; what no command line can hold is left out."""
    return text.replace("\0", "").translate(_BACKSLASHED)
