"""A pattern of `re` said again for the `regex` engine, from `re`'s own parse tree, so that both find the same.

The two read the same source differently: `regex` knows nested sets, fuzzy counts and POSIX classes, gives `\\w`, `\\s`
and case another extent, and has a Unicode version of its own. So no source text is reused, and what a class contains is
asked of `re`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from itertools import groupby
from re import _constants as ops  # type: ignore[attr-defined]
from typing import Any

import regex  # type: ignore[import-untyped]

from ringtrue.scoring.patterns.cost import REPEATS, Node

_CATEGORIES = {
    ops.CATEGORY_DIGIT: (r"\d", r"\p{Nd}", False),
    ops.CATEGORY_NOT_DIGIT: (r"\d", r"\p{Nd}", True),
    ops.CATEGORY_SPACE: (r"\s", r"\s", False),
    ops.CATEGORY_NOT_SPACE: (r"\s", r"\s", True),
    ops.CATEGORY_WORD: (r"\w", r"\p{L}\p{N}_", False),
    ops.CATEGORY_NOT_WORD: (r"\w", r"\p{L}\p{N}_", True),
}
"""Category -> how `re` writes it, about the same set for `regex`, whether it is the complement."""

_LAST_CASED = 0x1FFFF
_LAST_CLASSED = 0x3FFFF
"""No character beyond these code points has case, or is a letter, a digit or a space."""


def translate(tree: Any, flags: int) -> str:
    """The source with which `regex.compile(source, regex.V1)` finds what `re` finds with this parse tree."""
    return "".join(_node(node, flags) for node in tree)


def _node(node: Node, flags: int) -> str:
    op, argument = node
    if op in (ops.LITERAL, ops.NOT_LITERAL, ops.IN):
        return _one_character(node, flags)
    if op is ops.ANY:
        return r"[\x00-\U0010FFFF]" if flags & re.DOTALL else r"[^\n\n]"
    if op is ops.AT:
        return _position(argument, flags)
    if op is ops.FAILURE:
        return "(?!)"
    if op in REPEATS:
        return _repeat(op, argument, flags)
    return _group(op, argument, flags)


def _group(op: Any, argument: Any, flags: int) -> str:
    if op is ops.SUBPATTERN:
        number, add, remove, body = argument
        kept = flags & ~(re.ASCII | re.UNICODE) if add & (re.ASCII | re.UNICODE) else flags
        inside = translate(body, (kept | add) & ~remove)
        return f"({inside})" if number else f"(?:{inside})"
    if op is ops.BRANCH:
        return "(?:" + "|".join(translate(branch, flags) for branch in argument[1]) + ")"
    if op is ops.ATOMIC_GROUP:
        return f"(?>{translate(argument, flags)})"
    if op in (ops.ASSERT, ops.ASSERT_NOT):
        direction, body = argument
        opening = ("(?<" if direction < 0 else "(?") + ("=" if op is ops.ASSERT else "!")
        return f"{opening}{translate(body, flags)})"
    if op is ops.GROUPREF:
        return rf"(?i-f:\g<{argument}>)" if flags & re.IGNORECASE else rf"\g<{argument}>"
    if op is ops.GROUPREF_EXISTS:
        number, yes, no = argument
        return f"(?({number}){translate(yes, flags)}|{translate(no or (), flags)})"
    raise ValueError(f"the regular expression has a part that cannot be bounded: {op}")


def _repeat(op: Any, argument: Any, flags: int) -> str:
    low, high, body = argument
    count = f"{{{low},{'' if high is ops.MAXREPEAT else high}}}"
    inside = translate(body, flags)
    if op is ops.POSSESSIVE_REPEAT:
        # `re` gives nothing back between the rounds either, though `(?>x{m,n})` would.
        return f"(?>{inside}){count}+"
    return f"(?:{inside}){count}{'?' if op is ops.MIN_REPEAT else ''}"


def _position(where: Any, flags: int) -> str:
    if where is ops.AT_BEGINNING:
        return r"(?<![^\n])" if flags & re.MULTILINE else r"\A"
    if where is ops.AT_END:
        return r"(?![^\n])" if flags & re.MULTILINE else r"(?=\n?\Z)"
    if where in (ops.AT_BOUNDARY, ops.AT_NON_BOUNDARY):
        word = _category(ops.CATEGORY_WORD, bool(flags & re.ASCII))
        if where is ops.AT_BOUNDARY:
            return f"(?:(?<={word})(?!{word})|(?<!{word})(?={word}))"
        # Until Python 3.14 the empty text has no position at all that is not a boundary.
        empty = "" if re.search(r"\B", "") else r"(?!\A\Z)"
        return f"(?:(?<={word})(?={word})|(?<!{word})(?!{word}){empty})"
    return r"\A" if where is ops.AT_BEGINNING_STRING else r"\Z"


def _one_character(node: Node, flags: int) -> str:
    op, argument = node
    items = list(argument) if op is ops.IN else [(ops.LITERAL, argument)]
    negated = op is ops.NOT_LITERAL or items[0][0] is ops.NEGATE
    if items[0][0] is ops.NEGATE:
        items = items[1:]
    ascii_only = bool(flags & re.ASCII)
    inside = "".join(_item(item, ascii_only) for item in items)
    if negated and len(items) == 1:
        # Twice, since `regex` loses a negation where it joins two alternatives that each leave out one character.
        inside *= 2
    if flags & re.IGNORECASE:
        gained, lost = _case_changes("".join(map(_source, items)), ascii_only)
        inside = _without(inside + gained, lost)
    return f"[^{inside}]" if negated else f"[{inside}]"


def _item(item: Node, ascii_only: bool) -> str:
    op, argument = item
    return _category(argument, ascii_only) if op is ops.CATEGORY else _source(item)


def _source(item: Node) -> str:
    # How `re` writes an item of a set; but for categories, `regex` reads it alike.
    op, argument = item
    if op is ops.LITERAL:
        return _escape(argument)
    if op is ops.RANGE:
        return f"{_escape(argument[0])}-{_escape(argument[1])}"
    name, _, negated = _CATEGORIES[argument]
    return name.upper() if negated else name


def _without(items: str, others: str) -> str:
    return f"[{items}]--[{others}]" if others else items


def _escape(code: int) -> str:
    return f"\\U{code:08X}"


@cache
def _category(category: Any, ascii_only: bool) -> str:
    """A set for `regex` with exactly the characters `re` has in this category."""
    name, about, negated = _CATEGORIES[category]
    if ascii_only:
        inside = _ranges(re.sub(name.upper(), "", _characters(0x7F), flags=re.ASCII))
    else:
        everything = _characters(_LAST_CLASSED)
        near = regex.sub(f"[^{about}]+", "", everything, flags=regex.V1)
        missing = regex.sub(f"[{about}]+", "", re.sub(f"{name.upper()}+", "", everything), flags=regex.V1)
        inside = _without(about + _ranges(missing), _ranges(re.sub(f"{name}+", "", near)))
    return f"[^{inside}]" if negated else f"[{inside}]"


@cache
def _case_changes(items: str, ascii_only: bool) -> tuple[str, str]:
    # The cased characters that a set gains and loses when case is ignored.
    flags = re.ASCII if ascii_only else re.UNICODE
    plain = set(re.findall(f"[{items}]", _cased_characters(), flags))
    folded = set(re.findall(f"[{items}]", _cased_characters(), flags | re.IGNORECASE))
    return _ranges(folded - plain), _ranges(plain - folded)


@cache
def _cased_characters() -> str:
    return "".join(char for char in _characters(_LAST_CASED) if char.lower() != char or char.upper() != char)


def _characters(last: int) -> str:
    return "".join(map(chr, range(last + 1)))


def _ranges(characters: Iterable[str]) -> str:
    # Code points that follow one another differ from their rank by the same number.
    runs = groupby(enumerate(sorted(map(ord, characters))), key=lambda pair: pair[1] - pair[0])
    bounds = [[code for _, code in run] for _, run in runs]
    return "".join(f"{_escape(codes[0])}-{_escape(codes[-1])}" for codes in bounds)
