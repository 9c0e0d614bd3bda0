"""Rows that ringtrue wrote with `-o` and that come back as input: as JSON objects, or as the cells of a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ringtrue.dialects.fields import is_row_record
from ringtrue.dialects.run_record import trial_of_record
from ringtrue.jsontext import json_text, parse_json
from ringtrue.records import Json, Trial

NESTED = ("scores", "expected", "messages", "tools", "fields", "output_messages", "tool_calls", "output_fields", "tags")
"""What a table of rows holds as JSON text."""
NUMBER_ID = "id_is_number"
"""The column of a table that distinguishes the id 1 from the id "1"."""


def place_and_repeat(record: Mapping[str, Json]) -> tuple[int, int] | None:
    """The place of the case, and which asking of it, in a row that ringtrue wrote; None of any other row."""
    if not is_row_record(record):
        return None
    try:
        return int(record["row"]) - 1, int(record["repeat"])  # the cells of a CSV file are text
    except (TypeError, ValueError):
        return None


def cell_of_answers(answers: Sequence[str]) -> str:
    """The acceptable answers in a cell of a CSV file: one is its text, several are a JSON list."""
    alone = len(answers) == 1 and not answers[0].startswith("[")
    return answers[0] if alone else json_text(answers)


def answers_of_cell(cell: Json) -> Json:
    """The answers in a cell that `cell_of_answers` made; any other cell as it is."""
    if not isinstance(cell, str) or not cell.startswith("["):
        return cell
    try:
        return parse_json(cell)
    except ValueError:
        return cell  # a person changed it


def record_of_cells(cells: Mapping[str, Json]) -> dict[str, Json]:
    """The record of a row that ringtrue wrote into a table."""
    found = {name: value for name, value in cells.items() if name != NUMBER_ID}
    found |= {name: parse_json(cells[name]) for name in NESTED if isinstance(cells.get(name), str)}
    return {**found, "id": parse_json(cells["id"])} if cells.get(NUMBER_ID) else found


def trial_from(record: Mapping[str, Any]) -> Trial | None:
    """The trial of a row that ringtrue wrote; None of any other row."""
    if not is_row_record(record) or not isinstance(record.get("scores"), Mapping):
        return None
    try:
        return trial_of_record(record)
    except (TypeError, ValueError, AttributeError):
        return None  # it only looks like one
