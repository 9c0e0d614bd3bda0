"""How far forecasts are from what was observed: each coordinate by itself, at each horizon."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from ringtrue.metrics.forecasts import forecast_error

from multivon_eval.case_manifest import case_from_dict
from multivon_eval.case_result import CaseResult, EvalResult
from multivon_eval.dynamics import ForecastEvidence
from multivon_eval.trials import attach_trial, capture_case
from ringtrue.evaluators.check import is_number

__all__ = ["forecast_case_result", "forecast_metrics"]

_GAPS = ("a forecast says nothing beyond the end of its episode",)


def forecast_metrics(forecast: ForecastEvidence, *, interval_level: float = 0.9) -> dict[str, Any]:
    """A row per horizon; one beyond what was observed is censored, and says nothing.

    Where there are deviations, whether the central interval of a normal distribution holds what was observed.
    """
    if not is_number(interval_level) or not 0 < interval_level < 1:
        raise ValueError(f"interval_level lies between 0 and 1; got {interval_level!r}")
    data = forecast.data
    rows = [_row(data, horizon, interval_level) for horizon in data["horizons"]]
    return {
        "forecast_digest": forecast.digest,
        "model_id": data["model_id"],
        "interval_level": interval_level,
        "rows": rows,
    }


def forecast_case_result(forecast: ForecastEvidence, *, tolerances: dict[str, float]) -> CaseResult:
    """A check per coordinate and horizon, `dynamics/<coordinate>/h<steps>`: the error is within its tolerance."""
    data = forecast.data
    if tolerances.keys() != data["coordinates"].keys():
        raise ValueError(f"there is a tolerance for each of {', '.join(data['coordinates'])}; got {tolerances!r}")
    for name, value in tolerances.items():
        if not is_number(value) or value < 0:
            raise ValueError(f"the tolerance of {name!r} is a number from 0 up; got {value!r}")
    case = case_from_dict(data["episode"]["case"])
    results = [
        _check(name, row, tolerances[name])
        for row in forecast_metrics(forecast)["rows"]
        for name in data["coordinates"]
    ]
    result = CaseResult(case.input, "", results, data["duration_ms"] or 0.0, list(case.tags))
    if data["status"] == "model_error":
        result.model_error, result.results = data["error"]["message"], []
    elif data["status"] == "simulator_error":
        result.evaluator_error, result.results = data["error"]["message"], []
    about: dict[str, Any] = {"upstream": {"format": "dynamics_forecast", "evidence": data}, "gaps": _GAPS}
    known = data["duration_ms"] is not None
    return attach_trial(result, capture_case(case), origin="dynamics_forecast", latency_known=known, **about)


def _row(data: dict[str, Any], horizon: int, level: float) -> dict[str, Any]:
    row: dict[str, Any] = {"horizon": horizon, "status": data["status"], "coordinates": []}
    if data["status"] != "measured":
        return row
    if horizon > len(data["reference"]):
        return {**row, "status": "censored"}
    at = horizon - 1
    deviations = data["prediction"].get("standard_deviation")
    for place, (name, unit) in enumerate(data["coordinates"].items()):
        said, seen = data["prediction"]["states"][at][place], data["reference"][at][place]
        found = forecast_error(said, seen, None if deviations is None else deviations[at][place], level=level)
        if found is None:
            return {**row, "status": "metric_error", "coordinates": []}
        told = asdict(found)
        row["coordinates"].append({"name": name, "unit": unit, **told, "interval": told.pop("spread")})
    return row


def _check(name: str, row: dict[str, Any], tolerance: float) -> EvalResult:
    label = f"dynamics/{name}/h{row['horizon']}"
    found = next((one for one in row["coordinates"] if one["name"] == name), None)
    if found is None:
        return EvalResult(label, 0.0, False, f"[skipped] {row['status']}", {"skipped": True, "status": row["status"]})
    good = found["absolute_error"] <= tolerance
    reason = f"off by {found['absolute_error']:.6g} {found['unit']}, {tolerance:g} may be"
    return EvalResult(label, float(good), good, reason, {"tolerance": tolerance, "diagnostics": found})
