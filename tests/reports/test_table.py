"""The table of summaries shows every number, however narrow the terminal."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from ringtrue.records import Summary
from ringtrue.reports.table import summary_table

SUMMARY = Summary(0.25, 1_200, 3, 4, (0.2, 0.3), "t", 300, 900)


@pytest.mark.parametrize(("width", "tables"), [(120, 1), (60, 2), (45, 2)])
def test_no_number_is_cut(width: int, tables: int) -> None:
    sink = io.StringIO()
    console = Console(file=sink, width=width, highlight=False)
    console.print(summary_table({"answer_quality": {"f1": SUMMARY}, "not_empty": {"not_empty": SUMMARY}}))
    said = sink.getvalue()
    assert said.count("─\n") == tables
    for cell in ("1,200", "0.2500", "[0.200,", "0.300]", "300", "900", "3", "4"):
        assert said.split().count(cell) == 2, cell
    assert max(map(len, said.splitlines())) <= width
