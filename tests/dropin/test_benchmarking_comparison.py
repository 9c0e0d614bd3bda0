"""Compared benchmarks: rankings that lack somebody, what they say together, and whole runs in real containers."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from eval_recipes.benchmarking.job_framework.base import JobContext, JobStatus
from eval_recipes.benchmarking.jobs.comparison.comparison_trial_job import ComparisonTrialJob
from eval_recipes.benchmarking.jobs.comparison.ranked import overview_of, ranks_of
from eval_recipes.benchmarking.jobs.comparison.semantic_comparison_job import SemanticComparisonJob, unblinded
from eval_recipes.benchmarking.pipelines.comparison_pipeline import ComparisonPipeline
from eval_recipes.benchmarking.schemas import (
    AgentDefinition,
    ComparisonBenchmarkAgentDefinition,
    ComparisonBenchmarkDefinition,
    ComparisonBenchmarkManifest,
    ComparisonEvalConfig,
    ComparisonTaskMetrics,
    ComparisonTrialData,
    ComparisonTrialJobInput,
    ComparisonTrialJobOutput,
    SemanticComparisonJobInput,
    SemanticComparisonJobOutput,
    TaskDefinition,
    TaskInfo,
)
from hypothesis import given
from hypothesis import strategies as st
from ringtrue.sandbox.engine import Engine
from ringtrue.sandbox.image import Image

from ringtrue.errors import ConfigurationError
from support.bench_definitions import agent, base
from support.engines import containers
from support.judge_endpoint import JudgeEndpoint

INFO = TaskInfo(difficulty="medium", categories=["slides"])


def described(name: str = "deck") -> TaskDefinition:
    config = ComparisonEvalConfig(guidelines="More quality is better.")
    return TaskDefinition(name=name, task_info=INFO, evaluation_configs=[config], instructions="Make it good.")


def discerning(judge: JudgeEndpoint) -> None:
    """Let a judge look for the quality that each folder states, and rank by it."""

    def acting(body: dict[str, Any]) -> list[dict[str, Any]]:
        seen = any(message.get("role") == "tool" for message in body["messages"])
        look = {"name": "grep", "arguments": {"path": ".", "pattern": "quality"}}
        return [{"name": "finish", "arguments": {}} if seen else look]

    def ranking(schema: dict[str, Any], at: int) -> Any:
        stated = dict(re.findall(r"(agent_[0-9a-f]{4})/answer\.txt:1:.{0,3}quality ([0-9])", str(judge.asked[-1])))
        return sorted(schema["items"]["enum"], key=lambda name: -int(stated[name]))

    judge.acting = acting
    judge.says = {"ranking": ranking, "reasoning": "It states more.", "report": "- The best wins."}


@pytest.fixture
def judge(monkeypatch: pytest.MonkeyPatch) -> Iterator[JudgeEndpoint]:
    with JudgeEndpoint("chat") as running:
        monkeypatch.setenv("OPENAI_BASE_URL", running.base_url)
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        discerning(running)
        yield running


def data(number: int, **rankings: int) -> ComparisonTrialData:
    return ComparisonTrialData(comparison_run_number=number, rankings=rankings, reasoning="")


def measured(name: str, *trials: ComparisonTrialData) -> ComparisonTaskMetrics:
    return ComparisonTaskMetrics(
        task_name=name,
        task_instructions="",
        task_info=INFO,
        **ranks_of(trials),
        aggregate_analysis="",
        aggregate_analysis_path=None,
        trials=list(trials),
        project_zip_paths={},
    )


def test_ranks_win_rates_and_agreement() -> None:
    found = measured("t", data(1, a=1, b=2, c=3), data(2, a=1, b=3, c=2))
    assert found.agent_ranks == {"a": [1, 1], "b": [2, 3], "c": [3, 2]}
    assert found.agent_avg_rank == {"a": 1.0, "b": 2.5, "c": 2.5}
    assert found.agent_win_rate == {"a": 100.0, "b": 0.0, "c": 0.0}
    assert found.agreement_kendalls_w == pytest.approx(0.75)


@pytest.mark.parametrize(
    ("trials", "w"),
    [
        pytest.param([], None, id="no-ranking"),
        pytest.param([data(1, a=1, b=2)], None, id="one-ranking"),
        pytest.param([data(1, a=1, b=2), data(2, b=1, a=2)], 0.0, id="opposed"),
        pytest.param([data(1, a=1, b=2), data(2, a=1, b=2, c=3)], None, id="not-the-same-agents"),
    ],
)
def test_agreement_needs_rankings_of_the_same_agents(trials: list[ComparisonTrialData], w: float | None) -> None:
    assert ranks_of(trials)["agreement_kendalls_w"] == w


def test_an_agent_counts_where_it_was_ranked() -> None:
    tasks = [
        measured("t", data(1, a=1, b=2), data(2, a=1, b=2)),
        measured("u", data(1, a=1, c=2), data(2, a=2, c=1)),
        measured("v"),
    ]
    found = overview_of(tasks)
    assert found.agent_win_rate == {"a": 75.0, "b": 0.0, "c": 50.0}  # c: of the two rankings that hold it
    assert (found.agent_task_wins, found.task_ties) == ({"a": 1}, 1)
    assert found.mean_kendalls_w == pytest.approx(0.5)
    assert overview_of([]).mean_kendalls_w is None


@given(st.lists(st.permutations(["a", "b", "c"]), min_size=1, max_size=6))
def test_win_rates_of_rankings_of_the_same_agents_add_up(orders: list[list[str]]) -> None:
    trials = [data(at, **{name: place for place, name in enumerate(order, 1)}) for at, order in enumerate(orders)]
    found = ranks_of(trials)
    assert sum(found["agent_win_rate"].values()) == pytest.approx(100)
    assert sum(found["agent_avg_rank"].values()) == pytest.approx(6)


def test_a_reasoning_is_read_with_the_agents_names() -> None:
    output = SemanticComparisonJobOutput(
        task_name="t",
        comparison_run_number=1,
        rankings={"x": 1, "y": 2},
        reasoning="agent_0001 beats agent_0002",
        anonymous_to_agent_id={"agent_0001": "x", "agent_0002": "y"},
    )
    assert unblinded(output) == "x beats y"


def trials_of(folder: Path, **qualities: int | None) -> tuple[list[ComparisonTrialJob], JobContext]:
    """Finished trials with these qualities; without one, a trial that failed."""
    jobs, outputs = [], {}
    for name, quality in qualities.items():
        wanted = ComparisonTrialJobInput(agent=agent(name, "x"), task=described())
        jobs.append(ComparisonTrialJob(wanted))
        if quality is not None:
            work = folder / name / "project"
            work.mkdir(parents=True)
            (work / "answer.txt").write_text(f"quality {quality}\n")
            made = ComparisonTrialJobOutput(
                agent_console_log="",
                agent_duration_seconds=1,
                project_dir=str(work),
                agent_id=name,
                task_name="deck",
            )
            outputs[jobs[-1].job_id] = made.model_dump()
    return jobs, JobContext(outputs, {job.job_id: job for job in jobs}, {"output_dir": folder})


def ranked(jobs: list[ComparisonTrialJob], run: int = 1) -> SemanticComparisonJob:
    told = {"task_name": "deck", "task_instructions": "Make it good.", "guidelines": "More is better."}
    return SemanticComparisonJob(SemanticComparisonJobInput(**told, comparison_run_number=run), jobs)  # type: ignore[arg-type]


def test_an_agent_that_failed_holds_up_nobody(judge: JudgeEndpoint, tmp_path: Path) -> None:
    jobs, context = trials_of(tmp_path, low=1, gone=None, high=3)
    job = ranked(jobs)
    assert (job.dependencies, job.soft_dependencies) == ([], jobs)
    assert job.job_id == "semantic_comparison:deck:gone_high_low:run1"
    found = asyncio.run(job.run(context))
    assert found.output is not None
    assert found.output.rankings == {"high": 1, "low": 2}
    assert sorted(found.output.anonymous_to_agent_id.values()) == ["high", "low"]
    folder = tmp_path / "comparisons" / "deck"
    assert json.loads((folder / "result_1.json").read_text())["rankings"] == {"high": 1, "low": 2}
    assert "More is better." in str(judge.asked[0])
    assert "high" not in str(judge.asked)  # it never learns whose work it is


def test_a_ranking_needs_two_and_says_what_is_wrong(judge: JudgeEndpoint, tmp_path: Path) -> None:
    jobs, context = trials_of(tmp_path, low=1, gone=None)
    job = ranked(jobs, 2)
    found = asyncio.run(job.run(context))
    assert (found.status, found.output) == (JobStatus.FAILED, None)
    assert "two agents" in job.problem(context)
    assert judge.asked == []
    both, context = trials_of(tmp_path / "more", low=1, high=2)
    judge.says = {"ranking": lambda schema, at: schema["items"]["enum"][:1] * 2}
    job = ranked(both)
    assert asyncio.run(job.run(context)).status == JobStatus.FAILED
    assert "the ranking" in job.problem(context)
    discerning(judge)
    assert asyncio.run(job.run(context)).status == JobStatus.COMPLETED
    assert job.problem(context) == "the ranking did not end"  # what was wrong before is forgotten


def pipeline(agents: list[AgentDefinition], folder: Path, runs: int = 2, **more: Any) -> ComparisonPipeline:
    listed = [ComparisonBenchmarkAgentDefinition(task_name="deck", agent_ids=[one.id for one in agents])]
    benchmark = ComparisonBenchmarkDefinition(comparison_benchmarks=listed, comparison_runs=runs)
    return ComparisonPipeline(benchmark, {one.id: one for one in agents}, {"deck": described()}, folder, **more)


@pytest.mark.parametrize(
    ("names", "words"),
    [
        pytest.param(["a"], "needs two agents", id="one-agent"),
        pytest.param(["a", "a"], "stands twice", id="an-agent-twice"),
        pytest.param(["a", "/b"], "name of a folder", id="no-folder"),
    ],
)
def test_a_comparison_that_cannot_be_is_refused(tmp_path: Path, names: list[str], words: str) -> None:
    with pytest.raises(ConfigurationError, match=words):
        pipeline([agent(name, "x") for name in names], tmp_path)


def test_without_an_engine_all_are_missing_and_the_report_is_there(tmp_path: Path) -> None:
    run = pipeline([agent("a", "x"), agent("b", "x")], tmp_path, engine=Engine("no-such-engine"))
    states = asyncio.run(run.run())
    assert states["comparison_results_aggregation"].status == JobStatus.COMPLETED
    found = ComparisonBenchmarkManifest.model_validate_json(
        (tmp_path / "results" / "comparison_manifest.json").read_bytes()
    )
    assert found.agent_ids == ["a", "b"]
    assert found.overview.agent_avg_rank == {}
    (deck,) = found.tasks
    assert set(deck.agent_errors) == {"a", "b"}
    assert "no-such-engine" in deck.agent_errors["a"]
    assert set(deck.comparison_errors) == {1, 2}
    assert "no-such-engine" in (tmp_path / "results" / "comparison_report.html").read_text()


@pytest.mark.heavy
def test_a_comparison_in_containers(judge: JudgeEndpoint, tmp_path: Path) -> None:
    with containers() as image:
        _compared(image, judge, tmp_path)


def _compared(image: Image, judge: JudgeEndpoint, out: Path) -> None:
    agents = [
        agent("low", "echo quality 1 > /project/answer.txt; echo x > /project/.hidden"),
        agent("broken", "x", dockerfile_portion="COPY /nothing /nothing"),
        agent("high", "echo quality 3 > /project/answer.txt"),
    ]
    run = pipeline(agents, out, base_dockerfile=base(image.name), engine=image.engine)
    states = asyncio.run(run.run())
    failed = {name for name, state in states.items() if state.status != JobStatus.COMPLETED}
    assert failed == {"comparison_trial:broken:deck:1"}
    summary = json.loads((out / "results" / "comparison_summary.json").read_text())
    assert summary["agent_avg_rank"] == {"high": 1.0, "low": 2.0}
    assert summary["agent_win_rate"] == {"high": 100.0, "low": 0.0}
    assert (summary["mean_kendalls_w"], summary["agent_task_wins"]) == (1.0, {"high": 1})
    manifest = json.loads((out / "results" / "comparison_manifest.json").read_text())
    (deck,) = manifest["tasks"]
    assert set(deck["agent_errors"]) == {"broken"}
    assert deck["aggregate_analysis"] == manifest["final_analysis_report"] == "- The best wins."
    assert deck["aggregate_analysis_path"] == "comparisons/deck/AGGREGATE_REPORT.md"
    assert set(deck["project_zip_paths"]) == {"low", "high"}
    assert (out / "results" / deck["project_zip_paths"]["low"]).is_file()
    assert [path.name for path in (out / "low" / "deck" / "project").iterdir()] == ["answer.txt"]
    page = (out / "results" / "comparison_report.html").read_text()
    assert "the image cannot be built" in page
    asked = len(judge.asked)
    again = asyncio.run(pipeline(agents, out, base_dockerfile=base(image.name), engine=image.engine).run())
    assert len(judge.asked) == asked  # nothing that succeeded is paid for twice
    assert {name: state.status for name, state in again.items()} == {name: one.status for name, one in states.items()}
