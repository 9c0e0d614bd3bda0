"""CSV that no spreadsheet runs."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from ringtrue.records import Json


def csv_lines(rows: Sequence[Sequence[Json]]) -> bytes:
    """Rows as CSV; text that a spreadsheet would run as a formula is quoted."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([[_safe_cell(cell) for cell in row] for row in rows])
    return text.getvalue().encode("utf-8", "backslashreplace")


def _safe_cell(cell: Json) -> Json:
    return "'" + cell if isinstance(cell, str) and cell[:1] in ("=", "+", "-", "@", "\t", "\r") else cell
