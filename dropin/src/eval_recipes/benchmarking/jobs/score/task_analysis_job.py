"""`TaskAnalysisJob`: the work is taken out of its container, and a low score is explained."""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from eval_recipes.benchmarking.evaluation.analysis_runner import FailureAnalysis, analyze_failure
from eval_recipes.benchmarking.job_framework.base import Job, JobContext, JobResult, JobStatus
from eval_recipes.benchmarking.jobs.analyst import Analyst, analyst
from eval_recipes.benchmarking.jobs.console import bounded
from eval_recipes.benchmarking.jobs.execute_agent_job import ExecuteAgentJob
from eval_recipes.benchmarking.jobs.parts import taken_out
from eval_recipes.benchmarking.jobs.result_files import written
from eval_recipes.benchmarking.jobs.score.execute_evaluations_job import ExecuteEvaluationsJob
from eval_recipes.benchmarking.schemas import ANALYSIS_MODEL, TaskAnalysisJobInput, TaskAnalysisJobOutput
from ringtrue.errors import RingtrueError

REPORT = "FAILURE_REPORT.md"
_LOGS = ("agent_output.log", "test_output.log", "test_results.json")
_log = logging.getLogger(__name__)


class TaskAnalysisJob(Job[TaskAnalysisJobOutput]):
    """Keeps the work, removes the container, and below the threshold has a model say why it failed.

    The model reads a copy of work and logs outside the container. It names a category and makes no trial invalid: one
    that has a score counts. Without a model to ask there is no report, and no more.
    """

    output_model = TaskAnalysisJobOutput

    def __init__(
        self,
        job_input: TaskAnalysisJobInput,
        execute_agent_job: ExecuteAgentJob,
        execute_evaluations_job: ExecuteEvaluationsJob,
        *,
        who: Analyst | None = None,
    ) -> None:
        self._input = job_input
        self._execute_agent_job = execute_agent_job
        self._execute_evaluations_job = execute_evaluations_job
        self._who = who or analyst("none", ANALYSIS_MODEL)

    @property
    def job_id(self) -> str:
        """Agent, task and trial."""
        agent = self._execute_agent_job._input.agent.id
        return f"analyze:{agent}:{self._input.task.name}:{self._input.trial_number}"

    @property
    def dependencies(self) -> list[Job[Any]]:
        """The agent's work and its score."""
        return [self._execute_agent_job, self._execute_evaluations_job]

    @property
    def content(self) -> Any:
        """The task, the threshold, and who is asked."""
        return [self._input.model_dump(), dict(self._who)]

    async def run(self, context: JobContext) -> JobResult[TaskAnalysisJobOutput]:
        """The analysis; the container is gone afterwards, whatever became of it."""
        score = context.get_output(self._execute_evaluations_job).score
        folder = self._execute_agent_job.trial_dir(context)
        try:
            (folder / REPORT).unlink(missing_ok=True)
            await taken_out(self._execute_agent_job, context, folder / "project")
        except (RingtrueError, OSError) as error:
            return JobResult(status=JobStatus.FAILED, error=str(error))
        skipped = score is not None and score >= self._input.analysis_score_threshold
        found = None if skipped else await self._analysed(folder)
        output = TaskAnalysisJobOutput(
            valid_trial=score is not None,
            analysis_skipped=skipped,
            failure_report=found.report if found else None,
            failure_category=found.category if found else None,
        )
        return JobResult(status=JobStatus.COMPLETED, output=output)

    async def _analysed(self, folder: Path) -> FailureAnalysis | None:
        try:
            with TemporaryDirectory(prefix="analysis-", dir=folder) as scratch:
                seen = Path(scratch) / "work"
                await asyncio.to_thread(_laid_out, folder, seen)
                task = self._input.task
                found = await analyze_failure(task.name, task.instructions or "", seen, **self._who)
        except (RingtrueError, OSError) as error:
            _log.warning("%s: no analysis: %s", self.job_id, error)
            return None
        written(folder / REPORT, found.report)
        return found


def _laid_out(folder: Path, seen: Path) -> None:
    """Work and logs in one folder, as an analyst expects them; second names cost no room."""
    shutil.copytree(folder / "project", seen, copy_function=os.link)
    for name in _LOGS:
        if (folder / name).is_file():
            if (seen / name).is_dir():
                shutil.rmtree(seen / name)
            (seen / name).unlink(missing_ok=True)
            (seen / name).write_bytes(bounded((folder / name).read_bytes()))
