"""`Rule`: what an instruction asks of a response, and what of it the loose reading has to look at."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

Loose = Literal["same", "whole", "core", "any"]
"""The loose reading takes away the first line, the last line, both, and with each of these all asterisks.

same   taking away never helps
whole  taking away lines never helps, taking away asterisks may
core   the more is taken away, the better
any    anything may help
"""


class Rule(NamedTuple):
    """A check of a response that is not blank."""

    follows: Callable[[str], bool]
    loose: Loose = "any"
