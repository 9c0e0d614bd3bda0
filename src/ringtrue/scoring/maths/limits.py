"""Bounds on the work of one comparison; beyond a bound two answers are not equal, and the verdict names the bound."""

from __future__ import annotations

MAX_TEXT = 1_000_000
"""Characters of a response that are searched for its answer."""
MAX_ANSWER = 8_000
"""Characters of an extracted answer that are parsed."""
MAX_TOKENS = 1_500
"""Tokens of one answer."""
MAX_DEPTH = 25
"""Nested brackets, fractions, powers."""
MAX_DIGITS = 4_000
"""Digits of one number; Python refuses to read more than 4,300."""
MAX_BITS = 20_000
"""Bits of a number that comes out of a power, a factorial or a binomial coefficient."""
MAX_ITEMS = 300
"""Elements of one list, set or matrix."""
MAX_IRRATIONAL = 16
"""Elements of a set that are compared one by one because they are irrational or have variables."""
MAX_SIGNS = 4
"""Plus-minus signs that are written out as two values each."""
MAX_READINGS = 12
"""Passages of a response that are tried as its answer."""
MAX_BARE = 2_000
"""Characters of a response without any mark that is tried as an answer unchanged."""
MAX_CLAUSE = 600
"""Characters behind `the answer is` that are read."""
MAX_TAIL = 3_000
"""Characters at the end of a response without any mark that are searched for its last statement."""


class Beyond(Exception):
    """A bound on work is passed; the message says which."""


class Unreadable(Exception):
    """The text is not a mathematical answer."""


class UndefinedValue(Exception):
    """An expression has no value: a division by zero, the logarithm of zero, an overflow."""


class Inexact(Exception):
    """An arithmetic cannot carry out this operation without rounding; another one has to."""
