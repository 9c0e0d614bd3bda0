"""`EvalResult`: a run's rows and what they sum up to."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields
from math import fsum
from typing import TYPE_CHECKING, Any

from ringtrue.errors import ConfigurationError, MissingExtra
from ringtrue.jsontext import json_text
from ringtrue.metrics.metric import Metric, Summarising, summary_of_scores
from ringtrue.metrics.pareto_rank import ParetoRank
from ringtrue.records import EvalRow, Json, Summary
from ringtrue.reports.markdown import result_markdown

if TYPE_CHECKING:
    import pandas


@dataclass
class EvalResult:
    """Rows, a summary per system, seconds per system, and how it was made.

    `summary` has the metrics' numbers; `details` has every number, every score's mean among them, with n, what is
    missing and its interval.
    """

    rows: list[EvalRow]
    summary: dict[str, dict[str, float | None]] = field(default_factory=dict)
    timing: dict[str, float] = field(default_factory=dict)
    config: dict[str, Json] = field(default_factory=dict)
    details: dict[str, dict[str, Summary]] = field(default_factory=dict)
    metrics: tuple[Metric, ...] = field(default=(), repr=False)

    @classmethod
    def of(
        cls,
        rows: list[EvalRow],
        systems: Sequence[str],
        metrics: Sequence[Metric],
        timing: Mapping[str, float],
        config: Mapping[str, Json],
    ) -> EvalResult:
        """Sum rows up."""
        summary: dict[str, dict[str, float | None]] = {}
        details: dict[str, dict[str, Summary]] = {}
        for system in systems:
            own = [row for row in rows if row.system == system]
            details[system] = _means(own, config.get("counts", ()))
            summary[system] = {}
            for metric in metrics:
                if isinstance(metric, Summarising):
                    found = metric.summarise(own)
                    details[system].update(found)
                    summary[system].update({key: value.value for key, value in found.items()})
                else:
                    summary[system].update(metric.compute(own))
        for metric in metrics:
            if isinstance(metric, ParetoRank):
                for system, rank in metric.rank(summary).items():
                    summary[system]["pareto_rank"] = float(rank)
        return cls(rows, summary, dict(timing), dict(config), details, tuple(metrics))

    @property
    def cost(self) -> dict[str, float | None]:
        """The dollars that the answers (`systems`) and their judgements (`judges`) took when they were asked, and both.

        None where the price of one is not known; an answer that never came counts as nothing.
        """
        answered = [row.cost for row in self.rows if row.status == "ok"]
        judged = [row.judge_cost for row in self.rows]
        systems, judges = _sum(answered), _sum(judged)
        return {"systems": systems, "judges": judges, "total": _sum([systems, judges])}

    def filter(self, **attributes: Any) -> EvalResult:
        """The rows whose attributes equal these values, summed up anew."""
        known = {item.name for item in fields(EvalRow)}
        unknown = next((name for name in attributes if name not in known), None)
        if unknown:
            raise ConfigurationError(f"rows have no attribute {unknown!r}; there are {', '.join(sorted(known))}")
        rows = [row for row in self.rows if all(getattr(row, name) == value for name, value in attributes.items())]
        systems = [system for system in self.summary if any(row.system == system for row in rows)]
        return EvalResult.of(rows, systems, self.metrics, self.timing, self.config)

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
        return json_text(
            {
                "rows": [_fields(row) for row in self.rows],
                "summary": self.summary,
                "details": {
                    system: {key: _fields(summary) for key, summary in found.items()}
                    for system, found in self.details.items()
                },
                "timing": self.timing,
                "cost": self.cost,
                "config": self.config,
            },
            indent=True,
        )

    def to_markdown(self) -> str:
        """The summary as a Markdown table."""
        return result_markdown(self.summary, self.details, self.timing, self.config)


def _sum(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fsum(known) if len(known) == len(values) else None


def _means(rows: Sequence[EvalRow], counts: Collection[str]) -> dict[str, Summary]:
    keys = dict.fromkeys(key for row in rows for key in (*row.scores, *row.absent))
    measured = {key: [row for row in rows if key in row.scores or key in row.absent] for key in keys}
    return {key: summary_of_scores(own, key, counts=key in counts) for key, own in measured.items()}


def _fields(record: EvalRow | Summary) -> dict[str, Any]:
    return {item.name: getattr(record, item.name) for item in fields(record)}
