"""A run's rows as a data frame: what was asked, expected and answered, how it ended, every score, what it cost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib.util import find_spec
from typing import Any, Literal

from ringtrue.dialects.run_record import AMOUNTS
from ringtrue.errors import ConfigurationError, MissingExtra
from ringtrue.metrics.eval_rows import judge_cost, keys_of_rows
from ringtrue.records import Json, Row, Run
from ringtrue.stats.row_status import RowVerdicts
from ringtrue.stats.summarise import numbers_by_key

Library = Literal["pandas", "polars"]


def run_frame(run: Run, library: Library | None = None) -> Any:
    """One line per row of a run."""
    return frame_of(row_records(list(run.rows), run), library)


def row_records(rows: Sequence[Row], run: Run) -> list[dict[str, Json]]:
    """Rows as flat records; a score that was not measured is None, and `status` says how the row ended."""
    keys, verdicts = keys_of_rows(rows, run.made), RowVerdicts(run.made)
    names = list(dict.fromkeys(key for own in keys.values() for key in own.values()))
    return [_record(row, keys, names, verdicts) for row in rows]


def frame_of(records: Iterable[Mapping[str, Json]], library: Library | None = None) -> Any:
    """Records as a data frame of pandas, or of polars where only that is installed."""
    wanted = library or next((name for name in ("pandas", "polars") if find_spec(name) is not None), None)
    if wanted not in ("pandas", "polars", None):
        raise ConfigurationError(
            f"library is 'pandas' or 'polars'; got {library!r}", parameter="library", value=library
        )
    if wanted is None or find_spec(wanted) is None:
        raise MissingExtra("to_dataframe()", "pandas")
    if wanted == "polars":
        return _polars_frame(list(records))
    import pandas

    return pandas.DataFrame(list(records))


def _polars_frame(records: Sequence[Mapping[str, Json]]) -> Any:
    """A column holds values of one type; where a value is not JSON's (an id that is a UUID), it holds objects."""
    import polars

    names = list(dict.fromkeys(name for record in records for name in record))
    objects = {name for record in records for name, value in record.items() if not isinstance(value, _JSON)}
    plain = [{name: None if name in objects else value for name, value in record.items()} for record in records]
    frame = polars.DataFrame(plain, infer_schema_length=None, strict=False)
    columns = [polars.Series(name, [record.get(name) for record in records], polars.Object) for name in objects]
    return frame.with_columns(columns).select(names)


_JSON = (str, int, float, list, dict, type(None))


def _record(
    row: Row, keys: Mapping[str, Mapping[str, str]], names: Sequence[str], verdicts: RowVerdicts
) -> dict[str, Json]:
    case, output = row.trial.case, row.trial.output
    scores: dict[str, float] = {}
    for name, score in row.scores.items():
        scores.update(numbers_by_key(score, keys.get(name) or {name: name}))
    why = [f"{name}: {score.reason}" for name, score in row.scores.items() if score.reason]
    return {
        "dataset": row.dataset,
        "id": case.id,
        "system": row.system,
        "repeat": row.repeat,
        "status": verdicts.status(row),
        "threshold": verdicts.threshold(row),
        "question": case.input,
        "expected": None if case.expected is None else " | ".join(case.expected),
        "response": output.text,
        **{name: scores.get(name) for name in names},
        "reason": "; ".join(why) or None,
        "error": output.problem or None,
        **{name: getattr(output, name) for name in AMOUNTS},
        "judge_cost": judge_cost(row.scores.values()),
        "reused": row.reused,
    }
