"""`EvalResult`: a run as the documented benchmark runner returns it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import fields
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ringtrue.errors import ConfigurationError, MissingExtra
from ringtrue.jsontext import json_text
from ringtrue.metrics.eval_rows import eval_rows
from ringtrue.metrics.metric import Metric, Summarising, summary_of_scores
from ringtrue.metrics.pareto_rank import ParetoRank
from ringtrue.metrics.standard import metrics_of
from ringtrue.records import EvalRow, Json, Run, Summary
from ringtrue.reports.cost import run_cost
from ringtrue.reports.markdown import result_markdown
from ringtrue.reports.run_text import run_text
from ringtrue.stats.summarise import part_keys

if TYPE_CHECKING:
    import pandas


class EvalResult:
    """A view of a `run`: rows with all scores in one dict, a summary per system, seconds, and how it was made.

    `summary` has the numbers of the metrics, the standard ones where none are named; `details` has every number, every
    score's mean among them, with n, what is missing and its interval.
    """

    def __init__(
        self,
        run: Run,
        metrics: Sequence[Metric] | None = None,
        text_fields: Sequence[str] | None = None,
        rows: Sequence[EvalRow] | None = None,
    ) -> None:
        self.run, self.text_fields = run, text_fields
        self.metrics: tuple[Any, ...] = tuple(metrics_of(run.made) if metrics is None else metrics)
        self._given = rows

    def __repr__(self) -> str:
        systems = ", ".join(one.name for one in self.run.made.systems)
        return f"EvalResult({len(self.rows)} rows of {systems})"

    def __str__(self) -> str:
        return run_text(self.run)

    @cached_property
    def rows(self) -> list[EvalRow]:
        """The rows, each with all parts of all evaluators in `scores`."""
        if self._given is not None:
            return [*self._given]
        return eval_rows(list(self.run.rows), self.run.made, self.text_fields)

    @property
    def timing(self) -> dict[str, float]:
        """The seconds that each system took."""
        return dict(self.run.seconds)

    @property
    def cost(self) -> dict[str, float | None]:
        """The dollars that the answers and their judgements took, and both."""
        return run_cost(self.run)

    @cached_property
    def config(self) -> dict[str, Json]:
        """How the run was made, in the documented words."""
        made = self.run.made
        return {
            "systems": [one.name for one in made.systems],
            "evaluators": [one.name for one in made.evaluators],
            "metrics": [metric.name for metric in self.metrics],
            "num_examples": sum(one.cases for one in made.datasets),
            "max_workers": made.options.get("max_workers") or 1,
            "signatures": {
                "systems": [one.signature for one in made.systems],
                "evaluators": [one.signature for one in made.evaluators],
            },
            "run": self.run.id,
            "status": self.run.status,
            "stopped_by": self.run.stopped_by or None,
            **{name: value for name, value in made.options.items() if name != "max_workers"},
        }

    @cached_property
    def details(self) -> dict[str, dict[str, Summary]]:
        """System -> score or metric -> the number with n, what is missing and its interval."""
        found: dict[str, dict[str, Summary]] = {}
        keys = part_keys(self.run.made.evaluators, {})
        counts = {keys[one.name][part] for one in self.run.made.evaluators for part in one.counts}
        for system in self._systems:
            own = [row for row in self.rows if row.system == system]
            found[system] = _means(own, counts)
            for metric in self.metrics:
                if isinstance(metric, Summarising):
                    found[system].update(metric.summarise(own))
        return found

    @cached_property
    def summary(self) -> dict[str, dict[str, float | None]]:
        """System -> metric -> number."""
        found: dict[str, dict[str, float | None]] = {}
        for system in self._systems:
            own = [row for row in self.rows if row.system == system]
            found[system] = {}
            for metric in self.metrics:
                found[system].update(metric.compute(own))
        for metric in self.metrics:
            if isinstance(metric, ParetoRank):
                for system, rank in metric.rank(found).items():
                    found[system]["pareto_rank"] = float(rank)
        return found

    @property
    def _systems(self) -> list[str]:
        named = [one.name for one in self.run.made.systems]
        present = {row.system for row in self.rows}
        return [name for name in named if self._given is None or name in present]

    def filter(self, **attributes: Any) -> EvalResult:
        """The rows whose attributes equal these values, summed up again."""
        known = {item.name for item in fields(EvalRow)}
        unknown = next((name for name in attributes if name not in known), None)
        if unknown:
            raise ConfigurationError(f"rows have no attribute {unknown!r}; there are {', '.join(sorted(known))}")
        rows = [row for row in self.rows if all(getattr(row, name) == value for name, value in attributes.items())]
        return EvalResult(self.run, self.metrics, self.text_fields, rows)

    def to_dataframe(self) -> pandas.DataFrame:
        """One line per row: what was asked, every score, every piece of metadata."""
        try:
            import pandas
        except ImportError as error:
            raise MissingExtra("to_dataframe()", "pandas") from error
        named = ("system", "example_id", "dataset", "input_tokens", "output_tokens", "latency")
        return pandas.DataFrame(
            [{**{name: getattr(row, name) for name in named}, **row.scores, **row.metadata} for row in self.rows]
        )

    def to_json(self) -> str:
        """The result as JSON, without Infinity or NaN."""
        found = {
            "rows": self.rows,
            "summary": self.summary,
            "details": self.details,
            "timing": self.timing,
            "cost": self.cost,
            "config": self.config,
        }
        return json_text(found, indent=True)

    def to_markdown(self) -> str:
        """The summary as a Markdown table."""
        return result_markdown(self.summary, self.details, self.timing, self.config)


def _means(rows: Sequence[EvalRow], counts: Collection[str]) -> dict[str, Summary]:
    keys = dict.fromkeys(key for row in rows for key in (*row.scores, *row.absent))
    measured = {key: [row for row in rows if key in row.scores or key in row.absent] for key in keys}
    return {key: summary_of_scores(own, key, counts=key in counts) for key, own in measured.items()}
