"""`EvalRow` and `EvalResult` in their documented shape: views of a run, or made by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from context_bench.utils.tokens import count_tokens_dict
from ringtrue import EvalResult as NativeResult
from ringtrue import EvalRow as NativeRow
from ringtrue.dialects.dicts import processed_example
from ringtrue.records import Made, Row, Run, SystemInfo

_COUNTS = ("prompt_tokens", "completion_tokens", "total_tokens")


@dataclass(slots=True)
class EvalRow(NativeRow):
    """One example of one system; a row that was never timed has the latency 0."""

    latency: float | None = 0.0


class EvalResult(NativeResult):
    """Rows, a summary per system, seconds per system, and how it was made."""

    def __init__(
        self,
        rows: Sequence[NativeRow],
        summary: Mapping[str, Mapping[str, float | None]] | None = None,
        timing: Mapping[str, float] | None = None,
        config: Mapping[str, Any] | None = None,
        *,
        result: NativeResult | None = None,
    ) -> None:
        names = dict.fromkeys((*(summary or ()), *(row.system for row in rows)))
        made = Made(systems=tuple(map(SystemInfo, names)))
        run = result.run if result else Run(made, (), {}, seconds=timing or {})  # type: ignore[arg-type]
        super().__init__(run, result.metrics if result else (), rows=rows)
        if summary is not None:
            self.summary = {system: dict(numbers) for system, numbers in summary.items()}
        if config is not None:
            self.config = dict(config)

    @classmethod
    def of(cls, result: NativeResult, text_fields: Sequence[str] | None = None) -> EvalResult:
        """A result of ringtrue; tokens are those of the text fields of an example before and after its system."""
        pairs = zip(result.run.rows, result.rows, strict=True)
        return cls([_row(row, shown, text_fields) for row, shown in pairs], result=result)

    def filter(self, **attributes: Any) -> EvalResult:
        """The rows whose attributes equal these values, summed up again where the metrics are known."""
        rows = super().filter(**attributes).rows
        kept = {row.system: self.summary[row.system] for row in rows}
        return EvalResult(rows, None if self.metrics else kept, result=self)


def _row(row: Row, shown: NativeRow, text_fields: Sequence[str] | None) -> EvalRow:
    values = {item.name: getattr(shown, item.name) for item in fields(shown)}
    values["case_tokens"] = None  # the documented two numbers are before and after
    processed = processed_example(row.trial)
    if row.trial.output.error == "":
        values["input_tokens"] = count_tokens_dict(row.trial.case.fields, text_fields)
        values["output_tokens"] = count_tokens_dict(processed, text_fields)
    usage = processed.get("api_usage")
    if isinstance(usage, Mapping) and usage:
        values["metadata"] = {**shown.metadata, **{name: usage.get(name, 0) for name in _COUNTS}}
    return EvalRow(**values)
