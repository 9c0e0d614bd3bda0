"""`ExecuteAgentJob`: an agent works on a task in a container of its own."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import re
import time
from importlib.resources import files
from pathlib import Path
from threading import Lock
from typing import Any

from ringtrue.sandbox.engine import Engine, EngineError
from ringtrue.sandbox.image import Image
from ringtrue.sandbox.workbench import Workbench

from eval_recipes.benchmarking.evaluation.agent_interacter import interact_with_agent
from eval_recipes.benchmarking.job_framework.base import Job, JobContext, JobResult, JobStatus
from eval_recipes.benchmarking.jobs import leftovers
from eval_recipes.benchmarking.jobs.console import console, ending
from eval_recipes.benchmarking.jobs.places import output_dir, trial_dir
from eval_recipes.benchmarking.jobs.source_files import SourceFiles
from eval_recipes.benchmarking.jobs.source_files import collect_directory_files as collect_directory_files
from eval_recipes.benchmarking.jobs.stoppable import stoppable, unbroken
from eval_recipes.benchmarking.jobs.templates import rendered, within_double_quotes
from eval_recipes.benchmarking.schemas import (
    AgentDefinition,
    ExecuteAgentJobInput,
    ExecuteAgentJobOutput,
    TaskDefinition,
)
from ringtrue.errors import RingtrueError
from ringtrue.sandbox.pool.stop import WATCH_SECONDS, Stop

BASE_DOCKERFILE_TEMPLATE = files("eval_recipes.benchmarking").joinpath("base.dockerfile").read_text("utf-8")
_log = logging.getLogger(__name__)


class ExecuteAgentJob(Job[ExecuteAgentJobOutput]):
    """Builds an image of agent and task, starts a container, and has the agent work in it until its time is up.

    At the end nothing that the agent started runs any more; the container stays for whoever looks at the work, and is
    theirs to remove. `folder` is what trials' folders are called.
    """

    output_model = ExecuteAgentJobOutput

    def __init__(self, job_input: ExecuteAgentJobInput, *, folder: str = "trial") -> None:
        self._input = job_input
        self._folder = f"{folder}_{job_input.trial_number}"

    @property
    def job_id(self) -> str:
        """Agent, task and trial."""
        return f"execute:{self._input.agent.id}:{self._input.task.name}:{self._input.trial_number}"

    def trial_dir(self, context: JobContext) -> Path:
        """Where the trial's files lie."""
        return trial_dir(context.config, self._input.agent.id, self._input.task.name, self._folder)

    async def run(self, context: JobContext) -> JobResult[ExecuteAgentJobOutput]:
        """The agent's words; what keeps it from working is a failure of the job, not of the agent."""
        _log.info("%s: starts", self.job_id)
        folder = self.trial_dir(context)
        try:
            engine = await asyncio.to_thread(engine_of, context.config)
            await asyncio.to_thread(leftovers.remove_containers, engine, folder)
            try:
                output = await self._executed(engine, context, folder)
            except BaseException:
                await asyncio.to_thread(leftovers.remove_containers, engine, folder)
                raise
        except (RingtrueError, OSError) as error:
            return JobResult(status=JobStatus.FAILED, error=str(error))
        return JobResult(status=JobStatus.COMPLETED, output=output)

    async def _executed(self, engine: Engine, context: JobContext, folder: Path) -> ExecuteAgentJobOutput:
        agent, task = self._input.agent, self._input.task
        template = context.config.get("base_dockerfile") or BASE_DOCKERFILE_TEMPLATE
        run = output_dir(context.config)
        tag = _image_tag(run, agent, task)
        leftovers.note_image(run, tag)
        lock = context.config.get("building") or Lock()
        image = await self._built(engine, _build_dockerfile(agent, task, template), tag, folder, lock)
        bench = await unbroken(Workbench.started, image, options=[f"--label={leftovers.label(folder)}"])
        for mapping in (*agent.runtime_files, *task.task_time_files):
            copied = SourceFiles.of(mapping)
            await asyncio.to_thread(bench.put, copied.files, copied.folder, executable=copied.executable)
        environment = dict(context.config.get("environment") or {})
        command = _command(agent.command_template, task.instructions or "")
        said, seconds = await _ran(bench, command, task.timeout, environment, folder / "agent_output.log")
        output = ExecuteAgentJobOutput(
            container_id=bench.id, image_tag=image.name, agent_console_log=said, agent_duration_seconds=seconds
        )
        output = await self._continued(output, bench, environment, folder)
        await asyncio.to_thread(bench.quiet)
        return output

    async def _built(self, engine: Engine, dockerfile: str, tag: str, folder: Path, lock: Lock) -> Image:
        copied = [SourceFiles.of(mapping) for mapping in self._input.agent.installation_files]
        inside = {
            f"{source.folder.strip('/')}/{name}": (content, name in source.executable)
            for source in copied
            for name, content in source.files.items()
        }
        told: dict[str, Any] = {
            "tag": tag,
            "files": {name: content for name, (content, _) in inside.items()},
            "executable": [name for name, (_, runs) in inside.items() if runs],
        }
        with (folder / "build_image.log").open("wb") as log:
            try:
                return await stoppable(_in_turn, lock, engine, dockerfile, **told, log=log)
            except EngineError as error:
                if "not known" not in str(error):
                    raise
            # Somebody removed a layer that this build was to begin with.
            return await stoppable(_in_turn, lock, engine, dockerfile, **told, log=log, cache=False)

    async def _continued(
        self, output: ExecuteAgentJobOutput, bench: Workbench, environment: dict[str, str], folder: Path
    ) -> ExecuteAgentJobOutput:
        """The output after the reply to an agent that asked something; a reply that fails costs no trial."""
        provider, template = self._input.continuation_provider, self._input.agent.command_template_continue
        if provider == "none" or template is None:
            return output
        try:
            reply = await interact_with_agent(
                agent_log=output.agent_console_log,
                task_instructions=self._input.task.instructions or "",
                provider=provider,
                model=self._input.continuation_model,
            )
            if not reply:
                return output
            # What begins with a dash would be an option of the agent's program.
            command = _command(template, reply.lstrip("- "))
            log = folder / "agent_continuation.log"
            said, seconds = await _ran(bench, command, self._input.task.timeout, environment, log)
        except (RingtrueError, ValueError, RuntimeError) as error:
            _log.warning("%s: no reply to the agent: %s", self.job_id, error)
            return output.model_copy(update={"continuation_error": str(error)})
        told = f"{output.agent_console_log}\n\n---------- the user replies ----------\n{reply}\n\n{said}"
        return output.model_copy(
            update={
                "continuation_occurred": True,
                "continuation_prompt": reply,
                "agent_console_log": told,
                "agent_duration_seconds": output.agent_duration_seconds + seconds,
            }
        )


def engine_of(config: dict[str, Any]) -> Engine:
    """The container engine of a run: the setting `engine`, or the first that answers."""
    engine = config.get("engine")
    return engine if isinstance(engine, Engine) else Engine.found()


def _in_turn(lock: Lock, *args: Any, stop: Stop, **kwargs: Any) -> Image:
    """An image, built while no other of the run is: what they share is built once, and none loses its name."""
    while not lock.acquire(timeout=WATCH_SECONDS):
        if stop.said:
            raise EngineError("building the image was stopped", kind="timeout")
    try:
        return Image.built(*args, stop=stop, **kwargs)
    finally:
        lock.release()


async def _ran(
    bench: Workbench, command: str, seconds: float, environment: dict[str, str], path: Path
) -> tuple[str, float]:
    """What a command of the agent said, and how long it took; at the end of its time it is killed."""
    started = time.monotonic()
    with path.open("wb") as log:
        ran = await stoppable(bench.run, ["bash", "-c", command], seconds=seconds, environment=environment, log=log)
        took = time.monotonic() - started
        note = ending(ran, "the agent", seconds)
        log.write(note.encode())
    return console(ran, note), took


def _command(template: str, instructions: str) -> str:
    return rendered(template, task_instructions=within_double_quotes(instructions))


def _build_dockerfile(agent: AgentDefinition, task: TaskDefinition, template: str = "") -> str:
    """The recipe of an image: the base, what the agent is installed by, what the task needs."""
    copies = [f"COPY {mapping.dest.strip('/')} {mapping.dest}" for mapping in agent.installation_files]
    return rendered(
        template or BASE_DOCKERFILE_TEMPLATE,
        agent_installation="\n".join([*copies, agent.dockerfile_portion]),
        task_installation=task.dockerfile_portion,
    )


def _image_tag(run: Path, agent: AgentDefinition, task: TaskDefinition) -> str:
    """A name that no other run, agent and task gives its image."""
    plain = re.sub(r"[^a-z0-9]+", "-", f"{agent.id}-{task.name}".lower()).strip("-")[:80]
    told = f"{run.absolute()}|{agent.id}|{task.name}".encode("utf-8", "replace")
    return f"benchmark-{plain}-{hashlib.sha256(told).hexdigest()[:12]}"
