"""Reading a yes or a no from a reply."""

from __future__ import annotations

import re

from ringtrue.scoring.reply import visible

_WINDOW = 400
"""A verdict stands at one end of a reply; no more is looked at."""

_OPENS = re.compile(r"[\W_]{0,40}(yes|no)(?![^\W_])(?!\W{1,5}(?:or|and|nor)\W{1,5}(?:yes|no)\b)")
_ANNOUNCED = re.compile(
    r"(?:^|[\n.!?;:])[\W_]{0,10}"
    r"(?:(?:so|thus|hence|therefore|i (?:believe|think|conclude|say)(?: that)?),? )?"
    r"(?:(?:the|my) )?(?:(?:final|correct|right) )?(?:answer|verdict)[\W_]{0,5}(?: is\b|:)[\W_]{0,10}"
    r"(yes|no)[\W_]{0,40}$"
)


def yes_or_no(reply: str) -> bool | None:
    """Whether a reply answers yes or no: by its first word, or by a last sentence that announces the answer.

    None where it commits to neither; a yes inside an explanation is no verdict.
    """
    said = visible(reply).strip().lower()
    found = _OPENS.match(said[:_WINDOW]) or _ANNOUNCED.search(said[-_WINDOW:])
    return None if found is None else found[1] == "yes"
