"""A keyword of the benchmark, which its official checker reads as a regular expression.

A keyword that is not a valid expression, or takes too long, counts as plain text: the official checker raises or hangs
there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import Any

from ringtrue.errors import ConfigurationError
from ringtrue.scoring.patterns.bounded_search import BoundedPattern, bounded_pattern

_SPECIAL = frozenset(".^$*+?{}[]\\|()")
_LONGEST = 1_000
_SECONDS = 0.05
"""A response has eight variants, and an instruction several keywords."""
_FOLDING = "ſıİK"
"""Characters that match an ASCII letter when case is ignored, but do not become it in lower case."""


class Expression:
    """Finds a keyword between two fixed pieces of pattern."""

    def __init__(self, keyword: str, *, before: str = "", after: str = "", flags: re.RegexFlag = re.NOFLAG) -> None:
        self._plain = re.compile(before + re.escape(keyword) + after, flags)
        self._pattern: BoundedPattern | None = None
        if not is_literal(keyword) and len(keyword) <= _LONGEST:
            try:
                self._pattern = bounded_pattern(before + keyword + after, flags)
            except ConfigurationError:
                self._pattern = None

    def occurs_in(self, text: str) -> bool:
        """Whether it occurs."""
        return self._count(text, 1) > 0

    def count(self, text: str) -> int:
        """Count the occurrences, without overlaps."""
        return self._count(text, None)

    def _count(self, text: str, limit: int | None) -> int:
        if self._pattern is not None:
            try:
                return sum(1 for _ in islice(_matches(self._pattern, text), limit))
            except (TimeoutError, MemoryError, SystemError):
                pass
        return sum(1 for _ in islice(self._plain.finditer(text), limit))

    @property
    def groups(self) -> int:
        """The number of groups that the keyword has."""
        return self._pattern.compiled.groups if self._pattern else 0


def _matches(pattern: BoundedPattern, text: str) -> Iterator[Any]:
    if len(text) <= pattern.safe_chars:
        return pattern.compiled.finditer(text)
    matches: Iterator[Any] = pattern.stoppable.finditer(text, timeout=_SECONDS)
    return matches


@lru_cache(maxsize=1_024)
def expression(keyword: str, *, before: str = "", after: str = "", flags: re.RegexFlag = re.NOFLAG) -> Expression:
    """The compiled keyword, remembered."""
    return Expression(keyword, before=before, after=after, flags=flags)


def is_literal(keyword: str) -> bool:
    """Whether a keyword as an expression means nothing but itself."""
    return _SPECIAL.isdisjoint(keyword)


def is_plain(keyword: str, text: str) -> bool:
    """Whether ignoring case between the two is the same as comparing them in lower case."""
    if not keyword.isascii() or not is_literal(keyword):
        return False
    return text.isascii() or not any(map(text.__contains__, _FOLDING))
