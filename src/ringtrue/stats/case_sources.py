"""The sources of cases: those that share a source are one piece of evidence."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, TypeAlias

FEWEST_SUBJECTS = 10
"""With fewer subjects an interval over them says more about their number than about the systems."""
SourceFields: TypeAlias = tuple[Hashable, Hashable]
"""The `source_id` and the `subject` of a case."""


def source_fields(fields: Mapping[str, Any]) -> SourceFields:
    """Return the fields of a case that name its source."""
    return _plain_value(fields.get("source_id")), _plain_value(fields.get("subject"))


def case_sources(cases: Sequence[SourceFields]) -> Sequence[Hashable] | None:
    """Return the source of each case, if some share it: their `source_id`, or their subject if there are enough."""
    if any(source is not None for source, _ in cases):
        return [("case", place) if one is None else ("source", one) for place, (one, _) in enumerate(cases)]
    subjects = [subject for _, subject in cases]
    if FEWEST_SUBJECTS <= len(set(subjects)) < len(subjects):
        return [("subject", one) for one in subjects]
    return None


def _plain_value(value: object) -> Hashable:
    return value if value is None or isinstance(value, (str, int)) else repr(value)  # a row may hold anything there
