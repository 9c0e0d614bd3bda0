"""Numbers and texts as a report shows them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from statistics import fmean, variance
from typing import TypeVar

from eval_recipes.benchmarking.schemas import TaskInfo
from ringtrue.reports.html import Folded
from ringtrue.stats.intervals import mean_interval

Item = TypeVar("Item")
NOTHING = "–"


def number(value: float | None, digits: int = 1) -> str:
    """A number, or a dash where there is none."""
    return NOTHING if value is None else f"{value:.{digits}f}"


def interval(values: Sequence[float], *, low: float = 0.0, high: float = 100.0) -> str:
    """Student's 95% interval of the mean of these values, within their range; a dash where nothing spreads."""
    if len(set(values)) < 2:
        return NOTHING
    found = mean_interval(fmean(values), variance(values), len(values))
    return NOTHING if found is None else f"{max(low, found[0]):.1f} to {min(high, found[1]):.1f}"


def spoken(seconds: float | None) -> str:
    """A duration in seconds, or from two minutes on in minutes."""
    if seconds is None:
        return NOTHING
    return f"{seconds:.1f} s" if seconds < 120 else f"{seconds / 60:.1f} min"


def folded(title: str, text: str | None) -> list[Folded]:
    """A text behind its title; nothing where there is no text."""
    return [Folded(title, text)] if text else []


def text_of(results: Path, path: str | None) -> str:
    """The text of a file beside the report; empty where there is none."""
    file = results / path if path else None
    return file.read_text(encoding="utf-8", errors="replace") if file and file.is_file() else ""


def by_kind(items: Iterable[Item], info: Callable[[Item], TaskInfo]) -> dict[str, list[Item]]:
    """Items by the difficulty and by every category of their task; one without categories is in none."""
    found: dict[str, list[Item]] = {}
    for kind in ("easy", "medium", "hard"):
        found[f"difficulty: {kind}"] = []
    categories: dict[str, list[Item]] = {}
    for item in items:
        found[f"difficulty: {info(item).difficulty}"].append(item)
        for category in dict.fromkeys(info(item).categories):
            categories.setdefault(f"category: {category}", []).append(item)
    return {kind: inside for kind, inside in (found | dict(sorted(categories.items()))).items() if inside}
