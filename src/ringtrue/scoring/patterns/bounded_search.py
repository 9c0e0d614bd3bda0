"""Searching with a regular expression of `re` in bounded time.

Backtracking can take time that grows with a power of the text's length, or faster. A search whose work is known to be
small (see `pattern_cost`) runs on `re` itself. Any other runs, with the same meaning, on an engine that can be stopped.
"""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass
from itertools import islice
from math import inf
from re import _parser  # type: ignore[attr-defined]
from typing import Any

import regex  # type: ignore[import-untyped]

from ringtrue.errors import ConfigurationError
from ringtrue.scoring.patterns.cost import search_cost
from ringtrue.scoring.patterns.translation import translate

SECONDS_PER_MILLION_CHARACTERS = 0.25
"""CPU time after which a search is given up; shorter texts have the time of a million characters."""

STEP_BUDGET = 20_000_000
"""Searches that cannot take more steps than this run on `re`."""

_LINEAR_CONSTANT = 60
_FLAGS = int(re.ASCII | re.IGNORECASE | re.MULTILINE | re.DOTALL | re.VERBOSE | re.UNICODE)


@dataclass(frozen=True)
class BoundedPattern:
    """A regular expression with the meaning `re` gives it, and with an end to every search."""

    compiled: re.Pattern[str]
    flags: int
    """All flags in force, those written in the pattern included."""
    safe_chars: float
    """Texts up to this length are searched by `re`."""
    stoppable: Any = None
    """The same pattern for texts beyond that."""

    def found_in(self, text: str) -> bool | None:
        """Whether the pattern matches anywhere in the text; None where the engine gave up without an answer."""
        try:
            if len(text) <= self.safe_chars:
                return self.compiled.search(text) is not None
            return self.stoppable.search(text, timeout=_seconds(text)) is not None
        except (TimeoutError, MemoryError, SystemError):
            # `re` raises SystemError where its bookkeeping of groups breaks down, as it does in some nested repeats.
            return None

    def spans(self, text: str, most: int) -> list[tuple[int, int]] | None:
        """The first places where the pattern matches; None if the engine gave up without an answer."""
        try:
            if len(text) <= self.safe_chars:
                return [match.span() for match in islice(self.compiled.finditer(text), most)]
            return [match.span() for match in islice(self.stoppable.finditer(text, timeout=_seconds(text)), most)]
        except (TimeoutError, MemoryError, SystemError):
            return None


def _seconds(text: str) -> float:
    return SECONDS_PER_MILLION_CHARACTERS * max(1.0, len(text) / 1_000_000)


def bounded_pattern(pattern: str | re.Pattern[str], flags: int = 0) -> BoundedPattern:
    """The pattern, with flags of `re`, ready to search; a compiled pattern brings its own flags."""
    compiled = _compile(pattern, flags)
    flags = compiled.flags & _FLAGS
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)
            tree = _parser.parse(compiled.pattern, flags)
        cost = search_cost(tree, flags)
        if cost.degree <= 1 and cost.constant <= _LINEAR_CONSTANT:
            return BoundedPattern(compiled, flags, inf)
        stoppable = regex.compile(translate(tree, flags), regex.V1)
    except (ValueError, RecursionError, OverflowError, MemoryError, regex.error) as trouble:
        raise _pattern_error(
            compiled.pattern, f"it cannot be searched with a time bound ({_explain(trouble)})"
        ) from trouble
    return BoundedPattern(compiled, flags, cost.largest(STEP_BUDGET), stoppable)


def _compile(pattern: str | re.Pattern[str], flags: int) -> re.Pattern[str]:
    if isinstance(pattern, re.Pattern):
        if not isinstance(pattern.pattern, str):
            raise _pattern_error(pattern.pattern, "it is a pattern of bytes; write it as text")
        return pattern
    if not isinstance(pattern, str):
        raise _pattern_error(pattern, "it must be a string or a pattern compiled by re")
    if isinstance(flags, bool) or not isinstance(flags, int) or flags & ~_FLAGS:
        raise ConfigurationError(
            f"flags must combine re.ASCII, re.IGNORECASE, re.MULTILINE, re.DOTALL and re.VERBOSE; got {flags!r}",
            parameter="flags",
            value=flags,
        )
    try:
        with warnings.catch_warnings():
            # What a future `re` may read differently is read here as today's does.
            warnings.simplefilter("ignore", FutureWarning)
            return re.compile(pattern, flags)
    except (re.error, ValueError, RecursionError, OverflowError, MemoryError) as trouble:
        raise _pattern_error(pattern, _explain(trouble)) from trouble


def _explain(trouble: BaseException) -> str:
    return "it is nested too deeply" if isinstance(trouble, RecursionError) else str(trouble) or "it is too large"


def _pattern_error(pattern: object, why: str) -> ConfigurationError:
    shown = repr(pattern)
    shown = shown if len(shown) <= 80 else shown[:77] + "..."
    return ConfigurationError(
        f"the regular expression {shown} cannot be used: {why}; Python's re must accept it, re.escape() quotes text",
        parameter="pattern",
        value=pattern,
    )
