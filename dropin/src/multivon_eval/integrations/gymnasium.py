"""Gymnasium: one episode in a fresh environment, recorded from its start to its end, whatever happens in between."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from math import isfinite
from numbers import Real
from typing import Any

from ringtrue.reports.canonical import canonical_json

from multivon_eval.case import EvalCase
from multivon_eval.case_manifest import case_identity, case_to_dict
from multivon_eval.episode import EpisodeEvidence
from multivon_eval.values import required
from ringtrue.evaluators.judged.config import require_count, require_text

__all__ = ["capture_episode"]


class _OutOfTurn(RuntimeError):
    """The agent did what an episode does not allow."""


def capture_episode(
    factory: Callable[[], Any],
    interact: Callable[..., Any],
    *,
    case: EvalCase,
    environment_id: str,
    observer_id: str,
    observe: Callable[[], dict[str, Any]],
    seed: int,
    max_steps: int,
    options: dict[str, Any] | None = None,
) -> EpisodeEvidence:
    """The episode of `interact(env, observation, info)` in the environment that `factory` makes; it is always closed.

    `observe` tells the state independently of the agent. An error is part of the episode; an interrupt is raised again.
    """
    gym = required("gymnasium", "capture_episode", "gymnasium")
    require_text(environment_id=environment_id, observer_id=observer_id)
    require_count("seed", seed, least=0)
    require_count("max_steps", max_steps)
    given = {"environment_id": environment_id, "observer_id": observer_id, "seed": seed, "max_steps": max_steps}
    data = {**_blank(case), **given, "options": _plain(options), "gymnasium_version": gym.__version__}
    started = time.perf_counter()
    recording = _Recording(data, observe)
    recording.run(type("Recorder", (_Recorder, gym.Wrapper), {}), factory, interact)
    data["duration_ms"] = (time.perf_counter() - started) * 1000
    return EpisodeEvidence.recorded(data)


def _blank(case: EvalCase) -> dict[str, Any]:
    """An episode in which nothing has happened."""
    case_id, case_digest = case_identity(case)
    return {
        "case": case_to_dict(case, include_reference=False),
        "case_id": case_id,
        "case_digest": case_digest,
        "recorded_at": datetime.now(UTC).isoformat(),
        **dict.fromkeys(("spaces", "initial", "output", "initial_state", "final_state")),
        "steps": [],
        "errors": [],
        "termination": {"terminated": False, "truncated": False},
        "cleanup": {"attempted": False, "completed": False, "error": None},
    }


class _Recording:
    """What is written down of an episode while it runs."""

    def __init__(self, data: dict[str, Any], observe: Callable[[], dict[str, Any]]) -> None:
        self.data, self._observe = data, observe
        self._known: list[BaseException] = []

    def run(self, recorder: Callable[..., Any], factory: Callable[[], Any], interact: Callable[..., Any]) -> None:
        """Set up, reset, interact, observe, close."""
        env: Any = None
        try:
            with self.phase("setup"):
                env = factory()
                self.data["spaces"] = {name: str(getattr(env, f"{name}_space")) for name in ("action", "observation")}
            if self.data["errors"]:
                return
            with self.phase("reset"):
                observation, info = env.reset(seed=self.data["seed"], options=self.data["options"])
                shown = env.observation_space.to_jsonable([observation])
                self.data["initial"] = _plain({"observation": shown, "info": info})
            if self.data["errors"]:
                return
            self.data["initial_state"] = self.state("initial")
            with self.phase("interaction"):
                self.data["output"] = _plain(interact(recorder(env, self), observation, info))
            self.data["final_state"] = self.state("final")
        finally:
            if env is not None:
                self._close(env)

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """A block whose errors are written down under this name; an interrupt ends the episode for its caller, too."""
        try:
            yield
        except Exception as error:
            self.failed(name, error)

    def failed(self, phase: str, error: BaseException) -> dict[str, str]:
        """Write an error down where it is first met."""
        message = str(error).encode("utf-8", "backslashreplace").decode()
        told = {"phase": phase, "type": type(error).__name__, "message": message}
        if not any(error is known for known in self._known):
            self._known.append(error)
            self.data["errors"].append(told)
        return told

    def state(self, when: str) -> dict[str, Any] | None:
        """What the observer sees, or None."""
        with self.phase(f"observe_{when}"):
            seen = _plain(self._observe())
            if not isinstance(seen, dict):
                raise TypeError(f"observe returns an object; got {type(seen).__name__}")
            return seen
        return None

    def _close(self, env: Any) -> None:
        cleanup = self.data["cleanup"]
        cleanup["attempted"] = True
        with self.phase("close"):
            env.close()
            cleanup["completed"] = True
        if not cleanup["completed"]:
            cleanup["error"] = self.data["errors"][-1]


class _Recorder:
    """Put before gymnasium.Wrapper: the environment as the agent sees it, for one episode."""

    env: Any

    def __init__(self, env: Any, recording: _Recording) -> None:
        super().__init__(env)  # type: ignore[call-arg]
        self._recording = recording

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        """Refused: an episode that starts again would lose what was done."""
        raise self._refused("lifecycle", "an episode is not reset")

    def close(self) -> None:
        """Nothing: the environment is closed when the episode is over."""

    def step(self, action: Any) -> Any:
        """One step of the environment, written down with what was seen after it, even where it fails."""
        data = self._recording.data
        if any(data["termination"].values()):
            raise self._refused("lifecycle", "the episode is over")
        if len(data["steps"]) >= data["max_steps"]:
            raise self._refused("step_limit", f"max_steps={data['max_steps']} are done")
        step: dict[str, Any] = {"index": len(data["steps"]), "action": None, "transition": None, "error": None}
        data["steps"].append(step)
        try:
            step["action"] = _plain(self.env.action_space.to_jsonable([action]))
            found = self.env.step(action)
            step["transition"] = self._transition(*found)
            data["termination"] = {name: step["transition"][name] for name in ("terminated", "truncated")}
            return found
        except Exception as error:
            step["error"] = self._recording.failed("step", error)
            raise
        finally:
            step["state"] = self._recording.state("step")

    def _transition(self, observation: Any, reward: Any, terminated: Any, truncated: Any, info: Any) -> dict[str, Any]:
        if not isinstance(reward, Real) or not isfinite(reward):
            raise ValueError(f"a reward is a finite number; got {reward!r}")
        shown = self.env.observation_space.to_jsonable([observation])
        ended = {"terminated": bool(terminated), "truncated": bool(truncated)}
        told: dict[str, Any] = _plain({"observation": shown, "reward": float(reward), "info": info})
        return {**told, **ended}

    def _refused(self, phase: str, message: str) -> _OutOfTurn:
        error = _OutOfTurn(message)
        self._recording.failed(phase, error)
        return error


def _plain(value: Any) -> Any:
    """A value in JSON; arrays and numbers of numpy are lists and numbers, what JSON cannot hold is refused."""
    text = canonical_json(_converted(value))
    return json.loads(text.encode())  # what UTF-8 cannot hold is refused here, and not when the episode is sealed


def _converted(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _converted(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_converted(item) for item in value]
    return value.tolist() if hasattr(value, "tolist") else value
