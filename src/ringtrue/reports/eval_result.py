"""`EvalResult`: a run as `evaluate()` returns it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import fields
from functools import cached_property
from html import escape
from typing import Any

from ringtrue.errors import ConfigurationError
from ringtrue.jsontext import json_text
from ringtrue.metrics.eval_rows import eval_rows
from ringtrue.metrics.metric import Metric, SummarisingMetric, summary_of_scores
from ringtrue.metrics.pareto_rank import ParetoRank
from ringtrue.metrics.standard import metrics_of
from ringtrue.records import EvalRow, Json, Row, Run, Summary
from ringtrue.reports.cost import run_cost
from ringtrue.reports.data_frame import Library, frame_of
from ringtrue.reports.markdown import result_markdown
from ringtrue.reports.number import count, with_interval
from ringtrue.reports.run_text import run_text
from ringtrue.reports.terminal.run_line import run_line
from ringtrue.safetext import printable
from ringtrue.stats.row_status import RowVerdicts
from ringtrue.stats.summarise import part_keys


class EvalResult:
    """The result of `evaluate`: rows with all scores in one dict, a summary per system, and how it was made.

    It is a view of a `run`. `summary` has the values of the metrics, by default the standard ones. `details` has a
    `Summary` for every metric and every score: value, n, skipped, errors and interval.
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
        self._passed, self._given = metrics is not None, rows

    def __repr__(self) -> str:
        if self._given is not None:
            return f"<EvalResult: {len(self._given):,} of {count(len(self.run.rows), 'row')}>"
        return run_line(self.run).replace("<Run", "<EvalResult", 1)

    def __str__(self) -> str:
        """The run, then the metrics that were passed; of filtered rows the metrics alone."""
        if self._given is None:
            return "\n".join([run_text(self.run), *(self._metric_lines() if self._passed else ())])
        return "\n".join([f"{len(self._given):,} of {count(len(self.run.rows), 'row')}", "", *self._metric_lines()])

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
        """The cost in dollars of the answers, of the judges, and of both together."""
        return run_cost(self.run)

    @cached_property
    def config(self) -> dict[str, Json]:
        """The settings and signatures of the run, as a dict."""
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
        """System -> score or metric -> its `Summary`: value, n, skipped, errors and interval."""
        found: dict[str, dict[str, Summary]] = {}
        keys = part_keys(self.run.made.evaluators)
        counts = {keys[one.name][part] for one in self.run.made.evaluators for part in one.counts}
        for system in self._systems:
            own = [row for row in self.rows if row.system == system]
            found[system] = _means(own, counts) | self._summaries_of(system, own)
            for metric in self.metrics:
                if isinstance(metric, SummarisingMetric):
                    found[system].update(metric.summarise(own))
        return found

    def _summaries_of(self, system: str, rows: Sequence[EvalRow]) -> dict[str, Summary]:
        """The run's own summaries of the scores, with verdicts and thresholds, where they are about just these rows."""
        several = len(self.run.summaries) > 1 or self._given is not None
        known = {} if several else next(iter(self.run.summaries.values()), {}).get(system, {})
        return {key: known[key] for key in _score_keys(rows) if key in known}

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

    def _metric_lines(self) -> Iterator[str]:
        for system, numbers in self.summary.items():
            for key, value in numbers.items():
                shown = with_interval(self.details[system].get(key, Summary(value, 0)))
                yield printable(f"{system}  {key}  {shown}")

    @property
    def _systems(self) -> list[str]:
        named = [one.name for one in self.run.made.systems]
        present = {row.system for row in self.rows}
        return [name for name in named if self._given is None or name in present]

    def filter(self, **attributes: Any) -> EvalResult:
        """Keep the rows whose attributes equal these values, and summarize them again."""
        known = {item.name for item in fields(EvalRow)}
        unknown = next((name for name in attributes if name not in known), None)
        if unknown:
            raise ConfigurationError(f"rows have no attribute {unknown!r}; there are {', '.join(sorted(known))}")
        rows = [row for row in self.rows if all(getattr(row, name) == value for name, value in attributes.items())]
        return EvalResult(self.run, self.metrics, self.text_fields, rows)

    def to_dataframe(self, library: Library | None = None) -> Any:
        """A data frame with one line per row: texts, status, cost, scores, metadata; pandas, or else polars."""
        named = ("system", "example_id", "dataset", "repeat", "input_tokens", "output_tokens", "latency", "cost")
        asked = {_place(row): row for row in self.run.rows}
        verdicts = RowVerdicts(self.run.made)
        records = []
        for row in self.rows:
            record: dict[str, Json] = {name: getattr(row, name) for name in named}
            own = asked.get((row.dataset, row.position, row.system, row.repeat))
            if own is not None:
                case = own.trial.case
                expected = None if case.expected is None else " | ".join(case.expected)
                record |= {"status": verdicts.status(own), "question": case.input, "expected": expected}
            records.append({**record, "response": row.response, **row.scores, **row.metadata})
        return frame_of(records, library)

    def _repr_html_(self) -> str:
        """The result as a notebook shows it."""
        from ringtrue.reports.pages.notebook import run_html

        if self._given is not None:
            return f"<pre>{escape(str(self))}</pre>"
        passed = f"<pre>{escape(chr(10).join(self._metric_lines()))}</pre>" if self._passed else ""
        return run_html(self.run, ("result.run", "result.to_dataframe()", "result.summary")) + passed

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


def _place(row: Row) -> tuple[str, int, str, int]:
    return row.dataset, row.position, row.system, row.repeat


def _means(rows: Sequence[EvalRow], counts: Collection[str]) -> dict[str, Summary]:
    measured = {key: [row for row in rows if key in row.scores or key in row.absent] for key in _score_keys(rows)}
    return {key: summary_of_scores(own, key, counts=key in counts) for key, own in measured.items()}


def _score_keys(rows: Sequence[EvalRow]) -> list[str]:
    return list(dict.fromkeys(key for row in rows for key in (*row.scores, *row.absent)))
