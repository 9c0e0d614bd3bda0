"""Jobs that are parts of another one: they run in turn, and their container lives no longer than they do."""

from __future__ import annotations

import asyncio
import logging
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from ringtrue.sandbox.workbench import Workbench

from eval_recipes.benchmarking.job_framework.base import Job, JobContext, JobResult, JobStatus, TOutput
from eval_recipes.benchmarking.jobs import leftovers
from eval_recipes.benchmarking.jobs.execute_agent_job import ExecuteAgentJob, engine_of
from eval_recipes.benchmarking.jobs.places import PROJECT

_ERROR = "error.txt"
_TOLD = 20
_log = logging.getLogger(__name__)


async def in_turn(
    parts: Sequence[Job[Any]], context: JobContext, folder: Path, output_model: type[TOutput]
) -> JobResult[TOutput]:
    """What the parts gave, as one output; each is given what those before it gave, and one that fails is the end."""
    (folder / _ERROR).unlink(missing_ok=True)
    outputs: dict[str, dict[str, Any]] = {}
    try:
        for part in parts:
            jobs = {job.job_id: job for job in parts if job.job_id in outputs}
            result = await part.run(JobContext(outputs, jobs, context.config))
            if result.output is None:
                problem = result.error or f"{part.job_id} gave nothing"
                (folder / _ERROR).write_text(problem, encoding="utf-8", errors="replace")
                return JobResult(status=JobStatus.FAILED, error=problem)
            outputs[part.job_id] = result.output.model_dump()
    finally:
        if outputs:
            await asyncio.to_thread(
                leftovers.remove_containers, await asyncio.to_thread(engine_of, context.config), folder
            )
    merged = {name: value for output in outputs.values() for name, value in output.items()}
    return JobResult(status=JobStatus.COMPLETED, output=output_model.model_validate(merged))


async def taken_out(
    worked: ExecuteAgentJob, context: JobContext, target: Path, *, keep: Callable[[PurePosixPath], bool] | None = None
) -> None:
    """Copy an agent's work into a folder, in which nothing of an earlier attempt stays, and remove its container."""
    engine = await asyncio.to_thread(engine_of, context.config)
    try:
        bench = await asyncio.to_thread(Workbench.of, engine, context.get_output(worked).container_id)
        shutil.rmtree(target, ignore_errors=True)
        left_out = await asyncio.to_thread(bench.copied, PROJECT, target, keep=keep or (lambda path: True))
    finally:
        await asyncio.to_thread(leftovers.remove_containers, engine, worked.trial_dir(context))
    for path, why in list(left_out.items())[:_TOLD]:
        _log.warning("%s: %r is left out of the copy: %s", worked.job_id, path, why)


def problem_in(folder: Path) -> str:
    """Why the parts whose files lie in a folder gave no output."""
    path = folder / _ERROR
    return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else "the trial did not end"
