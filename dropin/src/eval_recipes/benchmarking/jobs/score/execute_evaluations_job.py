"""`ExecuteEvaluationsJob`: a task's test looks at what the agent left in its container."""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
import time
import uuid
from importlib.resources import files
from pathlib import Path
from typing import Any

from ringtrue.sandbox.workbench import Ran, Workbench

from eval_recipes.benchmarking.docker_manager import collect_eval_recipes_package
from eval_recipes.benchmarking.job_framework.base import Job, JobContext, JobResult, JobStatus
from eval_recipes.benchmarking.jobs.console import console, ending
from eval_recipes.benchmarking.jobs.execute_agent_job import ExecuteAgentJob, engine_of
from eval_recipes.benchmarking.jobs.places import PROJECT
from eval_recipes.benchmarking.jobs.score.verdict import read_verdict
from eval_recipes.benchmarking.jobs.source_files import SourceFiles
from eval_recipes.benchmarking.jobs.stoppable import stoppable
from eval_recipes.benchmarking.schemas import (
    EvaluateJobOutput,
    ExecuteEvaluationsJobInput,
    ScoreEvalConfig,
    TaskDefinition,
)
from ringtrue.errors import ConfigurationError, RingtrueError

_BROUGHT = ("test.py", "instructions.txt", ".agent_metadata.json")
_RESULTS = "test_results.json"
_PREPARE_SECONDS = 600.0
# A test's command may start Python by itself or through uv; both follow VIRTUAL_ENV and PATH. Without uv or a network
# the test has what the image has.
_PREPARE = (
    'command -v uv && uv venv --quiet "$0/venv" && uv pip install --quiet --python "$0/venv" -r "$0/pyproject.toml"'
)
_log = logging.getLogger(__name__)


class ExecuteEvaluationsJob(Job[EvaluateJobOutput]):
    """Brings the test in after the agent has ended, runs the task's `test_command`, and reads the result.

    What the test needs is put into a folder, and the result expected under a name, that are made up only now. A test
    that gives no readable result gives no score.
    """

    output_model = EvaluateJobOutput

    def __init__(self, job_input: ExecuteEvaluationsJobInput, execute_agent_job: ExecuteAgentJob) -> None:
        self._input = job_input
        self._execute_agent_job = execute_agent_job

    @property
    def job_id(self) -> str:
        """Agent, task and trial."""
        agent = self._execute_agent_job._input.agent.id
        return f"evaluate:{agent}:{self._input.task.name}:{self._input.trial_number}"

    @property
    def dependencies(self) -> list[Job[Any]]:
        """The agent's work."""
        return [self._execute_agent_job]

    async def run(self, context: JobContext) -> JobResult[EvaluateJobOutput]:
        """The score; what keeps the test from running is a failure of the job."""
        executed = context.get_output(self._execute_agent_job)
        folder = self._execute_agent_job.trial_dir(context)
        try:
            config = score_config(self._input.task)
            bench = await asyncio.to_thread(
                Workbench.of, await asyncio.to_thread(engine_of, context.config), executed.container_id
            )
            output = await self._evaluated(bench, config, context, folder)
        except (RingtrueError, OSError) as error:
            return JobResult(status=JobStatus.FAILED, error=str(error))
        return JobResult(status=JobStatus.COMPLETED, output=output)

    async def _evaluated(
        self, bench: Workbench, config: ScoreEvalConfig, context: JobContext, folder: Path
    ) -> EvaluateJobOutput:
        (folder / _RESULTS).unlink(missing_ok=True)
        private, test_id = f"/opt/eval_recipes_{secrets.token_hex(8)}", str(uuid.uuid4())
        await self._brought(bench, config, private)
        given = context.config.get("test_environment")
        environment = dict((context.config.get("environment") if given is None else given) or {})
        path = await self._prepared(bench, private, environment, folder)
        environment |= {"EVAL_RECIPES_TEST_ID": test_id, "PYTHONPATH": private, **path}
        started = time.monotonic()
        with (folder / "test_output.log").open("wb") as log:
            ran: Ran = await stoppable(
                bench.run,
                ["sh", "-c", config.test_command],
                seconds=self._input.task.timeout,
                environment=environment,
                folder=PROJECT,
                log=log,
            )
            note = ending(ran, "the test", self._input.task.timeout)
            log.write(note.encode())
        took = time.monotonic() - started
        written = await asyncio.to_thread(bench.file, f"{PROJECT}/.eval_recipes_test_results_{test_id}.json")
        if written is not None:
            (folder / _RESULTS).write_bytes(written)
        result = read_verdict(written)
        if result.problem:
            _log.warning("%s: %s", self.job_id, result.problem)
        return EvaluateJobOutput(
            score=result.score,
            rubric={"error": _why(result.problem, ran, self._input.task.timeout)} if result.problem else result.rubric,
            test_console_log=console(ran, note),
            test_duration_seconds=took,
        )

    async def _brought(self, bench: Workbench, config: ScoreEvalConfig, private: str) -> None:
        task = self._input.task
        # A folder in the place of one of these could not be overwritten.
        planted = [f"{PROJECT}/{name}" for name in _BROUGHT]
        await stoppable(bench.run, ["rm", "-rf", "--", *planted], seconds=60)
        for mapping in task.test_time_files:
            copied = SourceFiles.of(mapping)
            await asyncio.to_thread(bench.put, copied.files, copied.folder, executable=copied.executable)
        beside = {
            "test.py": config.test_script.read_bytes(),
            ".agent_metadata.json": json.dumps({"agent_log_hint": self._input.agent_log_hint}).encode(),
        }
        if task.instructions:
            beside["instructions.txt"] = task.instructions.encode("utf-8", "replace")
        await asyncio.to_thread(bench.put, beside, PROJECT)
        guard = files("eval_recipes.benchmarking.jobs.score").joinpath("guard.py").read_bytes()
        await asyncio.to_thread(bench.put, {**collect_eval_recipes_package(), "sitecustomize.py": guard}, private)

    async def _prepared(
        self, bench: Workbench, private: str, environment: dict[str, str], folder: Path
    ) -> dict[str, str]:
        """The variables by which the test finds its libraries, where they could be installed."""
        with (folder / "test_environment.log").open("wb") as log:
            ran: Ran = await stoppable(
                bench.run, ["sh", "-c", _PREPARE, private], seconds=_PREPARE_SECONDS, environment=environment, log=log
            )
            if ran.exit_code != 0:
                return {}
            searched: Ran = await stoppable(bench.run, ["sh", "-c", 'printf %s "$PATH"'], seconds=60)
        before = searched.output.decode("utf-8", "replace")
        return {"VIRTUAL_ENV": f"{private}/venv", "PATH": f"{private}/venv/bin:{before}"}


def score_config(task: TaskDefinition) -> ScoreEvalConfig:
    """How a task is scored; ConfigurationError where it is not."""
    for config in task.evaluation_configs:
        if isinstance(config, ScoreEvalConfig):
            return config
    raise ConfigurationError(
        f"the task {task.name!r} has no evaluation of type 'score'; add one with a test_script", parameter="task"
    )


def _why(problem: str, ran: Ran, seconds: float) -> str:
    if ran.timed_out:
        return f"{problem}: it was ended after {seconds:g} seconds"
    return f"{problem}: its command ended with code {ran.exit_code}"
