"""Episodes in environments: what is recorded, what is doubted, and what models foretell of them."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from math import log, pi
from typing import Any

import pytest
from multivon_eval import AcceptancePolicy, CheckRequirement, EvalCase, EvalReport
from multivon_eval.compare import compare_reports
from multivon_eval.dynamics import ForecastEvidence, capture_forecast
from multivon_eval.dynamics_metrics import forecast_case_result, forecast_metrics
from multivon_eval.episode import EpisodeEvidence, OutcomeCheck, OutcomeVerdict, evaluate_episode
from multivon_eval.integrations.gymnasium import capture_episode
from multivon_eval.trials import trial_integrity_issues
from ringtrue.reports.canonical import digest

CASE = EvalCase("Walk three steps to the right.", case_id="walk", source_id="line")


def recorded(**changes: Any) -> EpisodeEvidence:
    """A walk on a line, as `capture_episode` would record it."""
    named, found = CASE.identity()
    steps = []
    for at in range(3):
        ended = {"terminated": at == 2, "truncated": False}
        seen = {"observation": [[at + 1.0, 1.0]], "reward": 0.0, "info": {}, **ended}
        steps.append({"index": at, "action": [1], "state": {"at": at + 1}, "error": None, "transition": seen})
    data: dict[str, Any] = {
        "case": {name: value for name, value in vars(CASE).items() if name != "reference_output"},
        "case_id": named,
        "case_digest": found,
        "environment_id": "line/v1",
        "observer_id": "place/v1",
        "gymnasium_version": "1.0",
        "spaces": {"action": "Discrete(2)", "observation": "Box"},
        "seed": 1,
        "options": None,
        "max_steps": 5,
        "initial": {"observation": [[0.0, 1.0]], "info": {}},
        "initial_state": {"at": 0},
        "final_state": {"at": 3},
        "steps": steps,
        "errors": [],
        "termination": {"terminated": True, "truncated": False},
        "cleanup": {"attempted": True, "completed": True, "error": None},
        "output": "there",
        "duration_ms": 2.0,
    }
    return EpisodeEvidence.recorded({**data, **changes})


def arrived(episode: EpisodeEvidence) -> OutcomeVerdict:
    state = episode.data["final_state"]
    return OutcomeVerdict(None if state is None else state["at"] == 3, "the last place", {"state": state})


CHECK = OutcomeCheck("arrived", "place-3/v1", arrived)


def decided(report: EvalReport) -> str:
    return AcceptancePolicy([CheckRequirement("arrived")]).evaluate(report).decision


def test_an_episode_is_checked_by_how_it_ended() -> None:
    episode = recorded()
    assert episode.coverage_issues == []
    assert EpisodeEvidence.from_dict(json.loads(json.dumps(episode.data))).digest == episode.digest
    report = evaluate_episode(episode, [CHECK])
    (result,) = report.case_results
    assert (report.passed, decided(report), trial_integrity_issues(result)) == (1, "accept", [])
    assert (
        EvalReport.from_dict(json.loads(report.to_json())).case_results[0].trials[0].data["upstream"]["evidence"]
        == episode.data
    )
    assert decided(evaluate_episode(recorded(final_state={"at": 2}), [CHECK])) == "reject"


@pytest.mark.parametrize(
    "changes",
    [
        {"termination": {"terminated": False, "truncated": True}},
        {"termination": {"terminated": False, "truncated": False}},
        {"final_state": None},
        {"cleanup": {"attempted": True, "completed": False, "error": None}},
        {"errors": [{"phase": "step", "type": "OSError", "message": "gone"}]},
    ],
    ids=["truncated", "left", "unseen", "open", "error"],
)
def test_an_episode_that_was_not_seen_whole_is_not_accepted(changes: dict[str, Any]) -> None:
    episode = recorded(**changes)
    report = evaluate_episode(episode, [CHECK])
    assert (report.evidence_issues, decided(report)) == (episode.coverage_issues, "indeterminate")
    assert episode.coverage_issues != []


def test_an_episode_cannot_be_changed() -> None:
    data = recorded().data
    with pytest.raises(ValueError, match="digest"):
        EpisodeEvidence.from_dict({**data, "output": "elsewhere"})
    for change, words in (
        ({"termination": {"terminated": False, "truncated": True}}, "issues"),
        ({"case_id": "x"}, "identity"),
        ({"steps": 1}, "not an episode"),
    ):
        told = {**data, **change}
        del told["digest"]
        with pytest.raises(ValueError, match=words):
            EpisodeEvidence.from_dict({**told, "digest": digest(told)})


def test_a_check_that_breaks_is_an_error_and_one_that_changes_is_another() -> None:
    def broken(episode: EpisodeEvidence) -> Any:
        raise RuntimeError("no map")

    wrong = [broken, lambda episode: True]
    for check in wrong:
        report = evaluate_episode(recorded(), [OutcomeCheck("arrived", "v", check)])
        assert (report.errors, decided(report)) == (1, "indeterminate")
    first = evaluate_episode(recorded(), [CHECK])
    for other in (
        evaluate_episode(recorded(), [OutcomeCheck("arrived", "place-3/v2", arrived)]),
        evaluate_episode(recorded(observer_id="place/v2"), [CHECK]),
    ):
        found = compare_reports(first, other)
        assert found.mcnemar_p is None
        assert any("configuration changed" in issue for issue in found.identity_issues)
    with pytest.raises(ValueError, match="name of its own"):
        evaluate_episode(recorded(), [CHECK, CHECK])
    for make in (
        lambda: OutcomeVerdict(1, "", {}),
        lambda: OutcomeVerdict(True, "", []),
        lambda: OutcomeCheck("", "v", arrived),
    ):  # type: ignore[arg-type]
        with pytest.raises(ValueError, match=r"passed|evidence|name"):
            make()


# -- gymnasium ---------------------------------------------------------------------------------------------------------


def captured(
    interact: Callable[..., Any], *, step: Callable[[Any], Any] | None = None, limit: int = 5, **given: Any
) -> Any:
    gym = pytest.importorskip("gymnasium")

    class Line(gym.Env):  # type: ignore[misc]
        def __init__(self) -> None:
            self.action_space, self.observation_space = gym.spaces.Discrete(2), gym.spaces.Discrete(9)
            self.at = self.closed = 0

        def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
            super().reset(seed=seed)
            return 0, {}

        def step(self, action: Any) -> Any:
            self.at += int(action)
            return step(self) if step else (self.at, 0.5, self.at == 3, False, {"where": self.at})

        def close(self) -> None:
            self.closed += 1

    env = Line()
    about = {"case": CASE, "environment_id": "line/v1", "observer_id": "place/v1", "seed": 1, "max_steps": limit}
    about["observe"] = lambda: {"at": env.at}
    try:
        return capture_episode(lambda: env, interact, **{**about, **given})
    finally:
        assert env.closed == 1


def walk(*actions: int) -> Callable[..., str]:
    def interact(env: Any, observation: Any, info: Any) -> str:
        for action in actions:
            env.step(action)
        return "there"

    return interact


def test_a_walk_is_recorded_from_start_to_end() -> None:
    data = captured(walk(1, 1, 1)).data
    assert (data["issues"], data["output"], data["initial_state"], data["final_state"]) == (
        [],
        "there",
        {"at": 0},
        {"at": 3},
    )
    assert [(step["action"], step["state"]) for step in data["steps"]] == [([1], {"at": at}) for at in (1, 2, 3)]
    assert data["steps"][2]["transition"] == {
        "observation": [3],
        "reward": 0.5,
        "info": {"where": 3},
        "terminated": True,
        "truncated": False,
    }


@pytest.mark.parametrize(
    ("interact", "given", "phase"),
    [
        (walk(1, 1, 1, 1), {}, "lifecycle"),
        (lambda env, *seen: env.reset(), {}, "lifecycle"),
        (walk(1, 1, 1), {"limit": 2}, "step_limit"),
        (walk(1), {"step": lambda env: (1, float("nan"), True, False, {})}, "step"),
        (walk(1), {"step": lambda env: (1, "1", True, False, {})}, "step"),
        (walk(1), {"step": lambda env: (1, 0, True, False, {"odd": object()})}, "step"),
        (walk(1), {"step": lambda env: 1 / 0}, "step"),
        (lambda env, *seen: 1 / 0, {}, "interaction"),
        (lambda env, *seen: "\ud800", {}, "interaction"),
        (walk(1, 1, 1), {"observe": lambda: 7}, "observe_initial"),
    ],
    ids=["over", "reset", "limit", "nan", "text", "info", "broken", "agent", "surrogate", "observer"],
)
def test_what_goes_wrong_is_part_of_the_episode(interact: Any, given: dict[str, Any], phase: str) -> None:
    episode = captured(interact, **given)
    assert phase in [error["phase"] for error in episode.data["errors"]]
    assert len([error for error in episode.data["errors"] if error["phase"] == phase]) == 1
    assert episode.coverage_issues


def test_an_environment_that_cannot_be_made_or_reset_is_an_episode_too() -> None:
    pytest.importorskip("gymnasium")
    about: dict[str, Any] = {
        "case": CASE,
        "environment_id": "e",
        "observer_id": "o",
        "seed": 0,
        "max_steps": 1,
        "observe": dict,
    }
    episode = capture_episode(lambda: 1 / 0, walk(), **about)
    assert [error["phase"] for error in episode.data["errors"]] == ["setup"]
    assert episode.data["cleanup"]["attempted"] is False
    for wrong, words in (
        ({"seed": -1}, "seed"),
        ({"max_steps": 0}, "max_steps"),
        ({"environment_id": ""}, "environment_id"),
    ):
        with pytest.raises(ValueError, match=words):
            capture_episode(dict, walk(), **{**about, **wrong})


def test_an_interrupt_closes_the_environment_and_is_raised() -> None:
    def interrupted(*seen: Any) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        captured(interrupted)


# -- forecasts ---------------------------------------------------------------------------------------------------------

UNITS = {"place": "m", "speed": "m/s"}
TRUTH = [[1.0, 1.0], [2.0, 1.0], [3.0, 1.0]]


def forecast(
    predict: Any, horizons: Any = (1, 3, 4), episode: EpisodeEvidence | None = None, **given: Any
) -> ForecastEvidence:
    about = {"model_id": "m", "contract": "line/v1", "coordinates": UNITS, "horizons": list(horizons)}
    return capture_forecast(episode or recorded(), predict, **{**about, **given})  # type: ignore[arg-type]


def test_a_forecast_is_held_against_what_was_seen() -> None:
    def predict(request: dict[str, Any]) -> dict[str, Any]:
        assert request == {"initial_state": [0.0, 1.0], "actions": [1, 1, 1]}
        return {"states": TRUTH, "standard_deviation": [[1.0, 2.0]] * 3}

    found = forecast(predict)
    rows = forecast_metrics(found)["rows"]
    assert [row["status"] for row in rows] == ["measured", "measured", "censored"]
    place, speed = rows[0]["coordinates"]
    assert (place["absolute_error"], place["interval"]["covered"]) == (0.0, True)
    assert speed["interval"]["negative_log_density"] == pytest.approx(log(2) + log(2 * pi) / 2)
    result = forecast_case_result(found, tolerances={"place": 0, "speed": 0})
    assert [check.evaluator for check in result.measured] == [
        f"dynamics/{name}/h{steps}" for steps in (1, 3) for name in UNITS
    ]
    report = EvalReport("forecasts", [result])
    assert AcceptancePolicy([CheckRequirement("dynamics/place/h3")]).evaluate(report).decision == "accept"
    assert AcceptancePolicy([CheckRequirement("dynamics/place/h4")]).evaluate(report).decision == "indeterminate"
    off = forecast(lambda request: {"states": [[9.0, 1.0]] * 3})
    assert not forecast_case_result(off, tolerances={"place": 1, "speed": 0}).passed


@pytest.mark.parametrize(
    "said",
    [
        None,
        {},
        {"states": TRUTH[:2]},
        {"states": [[1.0]] * 3},
        {"states": [[True, 1.0]] * 3},
        {"states": [[float("inf"), 1.0]] * 3},
        {"states": TRUTH, "standard_deviation": [[0.0, 1.0]] * 3},
        {"states": TRUTH, "more": 1},
    ],
    ids=["none", "empty", "short", "narrow", "flag", "infinite", "sure", "more"],
)
def test_a_bad_forecast_is_an_error_and_no_score(said: Any) -> None:
    found = forecast(lambda request: said)
    result = forecast_case_result(found, tolerances={"place": 9, "speed": 9})
    assert (found.data["status"], result.status, result.results) == ("model_error", "model_error", [])


def test_a_model_may_not_change_the_question_nor_anybody_the_record() -> None:
    assert forecast(lambda request: request["actions"].clear() or {"states": TRUTH}).data["status"] == "model_error"
    data = copy.deepcopy(forecast(lambda request: {"states": TRUTH}).data)
    data["reference"][0][0] = 7.0
    del data["digest"]
    with pytest.raises(ValueError, match="bound episode"):
        ForecastEvidence.from_dict({**data, "digest": digest(data)})


def test_plans_and_horizons_are_checked() -> None:
    planned = forecast(lambda request: {"states": [[0.0, 0.0]] * 5}, planned_actions=[1, 1, 1, 0, 0])
    assert (planned.data["action_scope"], len(planned.data["reference"])) == ("caller_planned", 3)
    with pytest.raises(ValueError, match="executed prefix"):
        forecast(lambda request: {}, planned_actions=[0, 1, 1])
    for horizons in ([], [0], [True], [1, 1], [1.5]):
        with pytest.raises(ValueError, match="Horizons"):
            forecast(lambda request: {}, horizons)
    broken = recorded(errors=[{"phase": "reset", "type": "E", "message": "m"}], initial=None, steps=[])
    assert forecast(lambda request: 1 / 0, episode=broken).data["status"] == "simulator_error"
    huge = forecast(lambda request: {"states": [[1e308, 0.0]] * 3, "standard_deviation": [[1e-308, 1.0]] * 3})
    assert forecast_metrics(huge)["rows"][0]["status"] == "metric_error"
    with pytest.raises(ValueError, match="tolerance"):
        forecast_case_result(huge, tolerances={"place": 1})
