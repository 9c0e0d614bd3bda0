"""The command line: `python -m eval_recipes.benchmarking`."""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import signal
import sys
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from ringtrue.sandbox.engine import Engine

from eval_recipes.benchmarking.job_framework.base import JobState, JobStatus
from eval_recipes.benchmarking.jobs.places import LOG
from eval_recipes.benchmarking.loaders import load_agents, load_benchmark, load_tasks
from eval_recipes.benchmarking.pipelines.comparison_pipeline import ComparisonPipeline
from eval_recipes.benchmarking.pipelines.score_pipeline import ScorePipeline
from ringtrue.errors import RingtrueError
from ringtrue.reports.table import printable

AGENT_VARIABLES = (
    "ANTHROPIC_API_KEY",
    "OPENAI_API_KEY",
    "GITHUB_TOKEN",
    "AZURE_OPENAI_ENDPOINT",
    "AZURE_OPENAI_VERSION",
)
TEST_VARIABLES = (*AGENT_VARIABLES, "OPENAI_BASE_URL", "AZURE_OPENAI_API_KEY")
_log = logging.getLogger("eval_recipes.benchmarking")


def build_parser() -> argparse.ArgumentParser:
    """The documented flags, and those for what a container is made from and given."""
    parser = argparse.ArgumentParser(
        "python -m eval_recipes.benchmarking", description="Run agents on tasks in containers, and report the results."
    )
    add, data = parser.add_argument, Path.cwd() / "data"
    whole = data / "benchmarks" / "full_benchmark.yaml"
    add("--benchmark", type=Path, default=whole, metavar="FILE", help="what is run: a YAML file")
    add("--agents-dir", type=Path, default=data / "agents", metavar="DIR", help="where every agent.yaml is")
    add("--tasks-dir", type=Path, default=data / "tasks", metavar="DIR", help="where every task.yaml is")
    add("--output-dir", type=Path, metavar="DIR", help="where the results go; the same again goes on with a run")
    add("--max-parallel", type=int, default=12, metavar="N", help="how many jobs run at once")
    names = "names of variables with commas between them, '' for none"
    add("--agent-env", type=_names, default=AGENT_VARIABLES, metavar="NAMES", help=f"what agents are given: {names}")
    add("--test-env", type=_names, default=TEST_VARIABLES, metavar="NAMES", help=f"what tests are given: {names}")
    add("--base-dockerfile", type=Path, metavar="FILE", help="a template in place of the built-in one")
    add("--engine", metavar="NAME", help="docker or podman; without it, the first that answers")
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run a benchmark: 0 where all jobs succeeded, 1 where one did not, 2 for a benchmark that cannot be run."""
    args = build_parser().parse_args(argv)
    folder = args.output_dir or Path.cwd() / ".benchmark_results" / datetime.now().strftime("%Y%m%d_%H%M%S")
    folder.mkdir(parents=True, exist_ok=True)
    handlers = _heard(folder / LOG)
    try:
        return asyncio.run(_run(_pipelines(args, folder)))
    except (RingtrueError, ValidationError, OSError) as error:
        _log.error("%s", error)
        return 2
    except KeyboardInterrupt:
        _log.error("interrupted; --output-dir %s goes on with it", folder)
        return 130
    finally:
        _unheard(handlers)


def _pipelines(args: argparse.Namespace, folder: Path) -> list[ScorePipeline | ComparisonPipeline]:
    benchmark = load_benchmark(args.benchmark)
    shared: dict[str, Any] = {
        "agents": load_agents(args.agents_dir),
        "tasks": load_tasks(args.tasks_dir),
        "output_dir": folder,
        "max_parallel": args.max_parallel,
        "environment": _values(args.agent_env),
        "test_environment": _values(args.test_env),
        "base_dockerfile": args.base_dockerfile.read_text(encoding="utf-8") if args.base_dockerfile else "",
        "engine": Engine.found([args.engine] if args.engine else ("docker", "podman")),
    }
    found: list[ScorePipeline | ComparisonPipeline] = []
    if benchmark.score_benchmark and benchmark.score_benchmark.score_benchmarks:
        found.append(ScorePipeline(benchmark.score_benchmark, **shared))
    if benchmark.comparison_benchmark and benchmark.comparison_benchmark.comparison_benchmarks:
        found.append(ComparisonPipeline(benchmark.comparison_benchmark, **shared))
    return found


async def _run(pipelines: Sequence[ScorePipeline | ComparisonPipeline]) -> int:
    states: list[JobState] = []
    for pipeline in pipelines:
        states += (await pipeline.run(retry_failed=True)).values()
    done = sum(state.status in (JobStatus.COMPLETED, JobStatus.SKIPPED) for state in states)
    _log.info("%d of %d jobs succeeded", done, len(states))
    for state in states:
        report = state.outputs.get("html_report_path")
        if report:
            sys.stdout.write(f"{report}\n")
    return 0 if done == len(states) else 1


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())


def _values(names: Sequence[str]) -> dict[str, str]:
    """The variables of these names that are set to something."""
    return {name: value for name in names if (value := os.environ.get(name))}


class _Printable(logging.Formatter):
    """One line for each record: what an agent or an engine said is quoted, and obeyed by no terminal."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 (the name is logging's)
        return printable(super().formatMessage(record))


def _heard(path: Path) -> list[logging.Handler]:
    """What the run and its warnings say goes to standard error and into the log."""
    logging.captureWarnings(True)
    handlers: list[logging.Handler] = [logging.StreamHandler(sys.stderr), logging.FileHandler(path, encoding="utf-8")]
    for handler in handlers:
        handler.setFormatter(_Printable("%(asctime)s %(levelname)s %(message)s"))
        for logger in (_log, logging.getLogger("py.warnings")):
            logger.addHandler(handler)
    _log.setLevel(logging.INFO)
    return handlers


def _unheard(handlers: Sequence[logging.Handler]) -> None:
    logging.captureWarnings(False)
    for handler in handlers:
        for logger in (_log, logging.getLogger("py.warnings")):
            logger.removeHandler(handler)
        handler.close()


if __name__ == "__main__":
    # Whoever ends the process wants its containers gone, too.
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    sys.exit(main())
