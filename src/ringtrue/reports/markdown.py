"""A result as Markdown."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ringtrue.records import Json, Summary


def result_markdown(
    summary: Mapping[str, Mapping[str, float | None]],
    details: Mapping[str, Mapping[str, Summary]],
    timing: Mapping[str, float],
    config: Mapping[str, Json],
) -> str:
    """A heading, a table of systems by metrics with intervals, the timing and the number of examples."""
    if not summary:
        return "No results to report."
    columns = list(dict.fromkeys(key for numbers in summary.values() for key in numbers))
    columns = columns or list(dict.fromkeys(key for found in details.values() for key in found))
    if not columns:
        return "No metrics computed."
    lines = ["# Evaluation Results", "", "| System | " + " | ".join(map(escaped, columns)) + " |"]
    lines.append("|---|" + "---|" * len(columns))
    for system in summary:
        cells = [_cell(summary[system].get(column), details.get(system, {}).get(column)) for column in columns]
        lines.append(f"| {escaped(system)} | " + " | ".join(cells) + " |")
    if timing:
        lines += ["", "## Timing", "", *(f"- {escaped(system)}: {taken:.2f} s" for system, taken in timing.items())]
    if config.get("num_examples") is not None:
        lines += ["", f"*{config['num_examples']} examples*"]
    return "\n".join(lines) + "\n"


def _cell(value: float | None, summary: Summary | None) -> str:
    if value is None and summary is not None:
        value = summary.value
    if value is None:
        return "—"
    text = f"{value:.4f}"
    if summary is not None and summary.interval is not None:
        text += " [{:.3f}, {:.3f}]".format(*summary.interval)
    if summary is not None and summary.errors:
        text += f" ({summary.errors} errors)"
    return text


_SPECIAL = re.compile(r"[\\|*`<>\[\]]|(?<![^\W_])_|_(?![^\W_])")
"""What Markdown reads as more than text; an underscore inside a word is none."""


def escaped(text: str) -> str:
    """Text from outside that cannot break a table or a page."""
    plain = "".join(character if character.isprintable() else " " for character in str(text))
    return _SPECIAL.sub(r"\\\g<0>", plain)


def fence(text: str, least: int = 3) -> str:
    """Backticks, so many that nothing in a text closes what they open."""
    return "`" * max(least, 1 + max(map(len, re.findall("`+", text)), default=0))
