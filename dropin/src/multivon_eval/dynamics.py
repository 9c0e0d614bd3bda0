"""`capture_forecast`: what a model of an environment foretells of an episode, given its start and the actions alone."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from copy import deepcopy
from typing import Any

from ringtrue.reports.canonical import plain_copy
from ringtrue.reports.sealed_record import SealedRecord

from multivon_eval.episode import EpisodeEvidence
from ringtrue.evaluators.check import is_number
from ringtrue.evaluators.judged.config import require_text

__all__ = ["ForecastEvidence", "capture_forecast"]

_KEYS = ("states", "standard_deviation", "metadata")


class ForecastEvidence(SealedRecord):
    """A forecast beside the episode it is about, which does not change; what was observed is what the episode says."""

    schema = "multivon.dynamics-forecast/v1"

    def require(self, data: dict[str, Any]) -> None:
        """Raise ValueError unless the forecast is of this episode."""
        _require(data["model_id"], data["contract"], data["coordinates"], data["horizons"])
        width = len(data["coordinates"])
        start, observed, actions = _observed(EpisodeEvidence.from_dict(data["episode"]), width)
        if data["reference"] != observed or (start is not None and data["request"]["initial_state"] != start):
            raise ValueError("what a forecast was held against is not what its bound episode says")
        if data["request"]["actions"][: len(actions)] != actions:
            raise ValueError("the actions of a forecast are not those of its bound episode")
        if data["status"] == "measured":
            _prediction(data["prediction"], len(data["request"]["actions"]), width)


def capture_forecast(
    episode: EpisodeEvidence,
    predict: Callable[[dict[str, Any]], dict[str, Any]],
    *,
    model_id: str,
    contract: str,
    coordinates: dict[str, str],
    horizons: list[int],
    planned_actions: list[Any] | None = None,
) -> ForecastEvidence:
    """What `predict` says to the first observation and the actions: a vector per action, with or without deviations.

    `coordinates` names the numbers of a vector and their units. `planned_actions` begins with those that were done, so
    that the length of the request does not give away when the episode ended. A model that fails is an error, no score.
    """
    _require(model_id, contract, coordinates, horizons)
    width = len(coordinates)
    start, observed, done = _observed(episode, width)
    planned = done if planned_actions is None else list(planned_actions)
    if planned[: len(done)] != done:
        raise ValueError("planned_actions begin with the executed prefix of the episode")
    data = episode.data
    told: dict[str, Any] = {"status": "measured", "error": None, "prediction": None, "duration_ms": None}
    broken = [error for error in data["errors"] if error["phase"] not in ("step_limit", "lifecycle")]
    request = {"initial_state": start, "actions": planned}
    if start is None or broken:
        error = {"type": "SimulatorError", "message": "the episode broke, or has no vectors of this width"}
        told |= {"status": "simulator_error", "error": error}
    else:
        told |= _asked(predict, request, width)
    whole = {
        "episode": data,
        "model_id": model_id,
        "contract": contract,
        "coordinates": dict(coordinates),
        "horizons": list(horizons),
        "action_scope": "observed_prefix" if planned_actions is None else "caller_planned",
        "request": request,
        "reference": observed,
        **told,
    }
    return ForecastEvidence.of(whole)


def _asked(predict: Callable[[dict[str, Any]], Any], request: dict[str, Any], width: int) -> dict[str, Any]:
    given = deepcopy(request)
    started = time.perf_counter()
    try:
        said = predict(given)
        if given != request:
            raise ValueError("the model changed the request")
        told: dict[str, Any] = {"prediction": _prediction(said, len(request["actions"]), width)}
    except Exception as error:  # whatever a model does, there is no forecast
        problem = {"type": type(error).__name__, "message": str(error)}
        told = {"status": "model_error", "error": problem}
    return {**told, "duration_ms": (time.perf_counter() - started) * 1000}


def _prediction(said: Any, steps: int, width: int) -> dict[str, Any]:
    """A forecast, if it is a vector per step, with positive deviations or none."""
    if not isinstance(said, dict) or "states" not in said or not said.keys() <= set(_KEYS):
        raise ValueError(f"a forecast is an object of {', '.join(_KEYS)}")
    for name in ("states", "standard_deviation"):
        rows = said.get(name)
        if rows is None and name != "states":
            continue
        if not isinstance(rows, list) or len(rows) != steps or any(_vector(row, width) is None for row in rows):
            raise ValueError(f"{name} has {width} finite numbers for each of {steps} steps")
        if name != "states" and any(number <= 0 for row in rows for number in row):
            raise ValueError("a standard deviation is positive")
    plain: dict[str, Any] = plain_copy(said)
    return plain


def _observed(episode: EpisodeEvidence, width: int) -> tuple[list[float] | None, list[list[float]], list[Any]]:
    """The first vector of an episode, those after each step that was seen, and the actions of these steps."""
    data = episode.data
    start = _only((data["initial"] or {}).get("observation"), width)
    states, actions = [], []
    for step in data["steps"]:
        state = _only((step["transition"] or {}).get("observation"), width)
        if state is None or not isinstance(step["action"], list) or len(step["action"]) != 1:
            break
        states.append(state)
        actions.append(step["action"][0])
    return start, states, actions


def _only(batch: Any, width: int) -> list[float] | None:
    """The vector of a batch of one."""
    return _vector(batch[0], width) if isinstance(batch, list) and len(batch) == 1 else None


def _vector(value: Any, width: int) -> list[float] | None:
    right = isinstance(value, list) and len(value) == width
    return value if right and all(map(is_number, value)) else None


def _require(model_id: Any, contract: Any, coordinates: Any, horizons: Any) -> None:
    require_text(model_id=model_id, contract=contract)
    named = isinstance(coordinates, dict) and coordinates
    if not named or not all(isinstance(text, str) and text for pair in coordinates.items() for text in pair):
        raise ValueError(f"coordinates are names with units; got {coordinates!r}")
    if not _are_horizons(horizons):
        raise ValueError(f"Horizons are different whole numbers of steps, from 1 up; got {horizons!r}")


def _are_horizons(value: Any) -> bool:
    if not isinstance(value, Sequence) or not value or any(type(one) is not int or one < 1 for one in value):
        return False
    return len(set(value)) == len(value)
