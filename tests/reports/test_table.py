"""The table of summaries shows every number, however narrow the terminal."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from ringtrue.records import Summary
from ringtrue.reports.table import summary_table

SUMMARY = Summary(0.25, 1_200, 3, 4, (0.2, 0.3), "t", 300, 900, (0.2491, 0.2525))
SURE = Summary(0.5, 10, 0, 0, (0.2, 0.8), "t", 5, 5, (0.5, 0.5))


@pytest.mark.parametrize(("width", "tables"), [(120, 1), (60, 2), (45, 2)])
def test_no_number_is_cut(width: int, tables: int) -> None:
    sink = io.StringIO()
    console = Console(file=sink, width=width, highlight=False)
    console.print(summary_table({"answer_quality": {"f1": SUMMARY}, "not_empty": {"not_empty": SUMMARY}}))
    said = sink.getvalue()
    assert said.count("─\n") == tables
    for cell in ("1,200", "0.2500", "[0.200,", "0.300]", "300", "900", "3", "4", "0.2491", "0.2525"):
        assert said.split().count(cell) == 2, cell
    assert max(map(len, said.splitlines())) <= width


def test_what_errors_could_have_been_is_a_column_only_where_there_are_some() -> None:
    def shown(**parts: Summary) -> list[list[str]]:
        sink = io.StringIO()
        Console(file=sink, width=150, highlight=False).print(summary_table({"e": parts}))
        return [line.split() for line in sink.getvalue().splitlines()]

    assert "wrong" not in shown(sure=SURE)[0]
    heading, _, _, doubtful, sure = shown(doubtful=SUMMARY, sure=SURE)
    assert heading[-4:] == ["errors", "wrong", "…", "right"]
    assert doubtful[-3:] == ["0.2491", "…", "0.2525"]
    assert sure[-1] == "–"
