"""Columns of texts that are JSON, nearly JSON, or JSON only together with their neighbours."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

from hypothesis import strategies as st

_SCALARS = st.sampled_from([0, 0, 1, 1.5, True, None, "", "a b", "ab", ",0,", "\t", "é", "\x7f", "[", '"'])
_VALUES = st.recursive(
    _SCALARS,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.sampled_from(["a", "a b", "0"]), inner, max_size=3),
    max_leaves=15,
)


def _written(value: Any, indent: int | None, compact: bool) -> str:
    return json.dumps(value, indent=indent, ensure_ascii=False, separators=(",", ":") if compact else None)


_WHOLE = st.builds(_written, _VALUES, st.sampled_from([None, 2, 4]), st.booleans())
_BROKEN = st.text('[]{}",:\\\t\n 01a.e-', max_size=8)


@st.composite
def _cut(draw: st.DrawFn) -> list[str]:
    """As many texts as there are values, all one valid text together, cut at zeros that are within values as well."""
    values = draw(st.lists(_VALUES | st.lists(_VALUES, min_size=1, max_size=3).map(_parted), min_size=1, max_size=4))
    pieces = ",0,".join(_written(value, None, compact=True) for value in values).split(",0,")
    cuts = draw(st.permutations(range(1, len(pieces))))[: len(values) - 1]
    bounds = [0, *sorted(cuts), len(pieces)]
    return [",0,".join(pieces[start:end]) for start, end in pairwise(bounds)]


def _parted(values: list[Any]) -> list[Any]:
    return [item for value in values for item in (value, 0)][:-1]


COLUMNS: st.SearchStrategy[list[str]] = st.one_of(
    st.lists(_WHOLE, max_size=8),
    st.lists(_WHOLE | _BROKEN, max_size=8),
    _cut(),
    st.tuples(st.lists(_WHOLE, max_size=3), _cut(), st.lists(_WHOLE | _BROKEN, max_size=2)).map(
        lambda parts: [*parts[0], *parts[1], *parts[2]]
    ),
)
