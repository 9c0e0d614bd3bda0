"""Why a trial failed: an auditor reads the logs and the work, writes a report, and names a category."""

from __future__ import annotations

import argparse
import asyncio
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias, get_args

from eval_recipes.benchmarking.evaluation.asked import asking
from eval_recipes.benchmarking.schemas import ANALYSIS_MODEL, AnalysisProvider
from ringtrue.errors import EvaluationError
from ringtrue.evaluators.judged.audit.auditor import Auditor, Order
from ringtrue.evaluators.judged.audit.settings import AuditConfig
from ringtrue.evaluators.judged.audit.snapshot import Snapshot
from ringtrue.evaluators.judged.prompt import prompt
from ringtrue.evaluators.judged.schemas import TEXT, choice, record
from ringtrue.evaluators.judged.session import JudgeSession, NoVerdict
from ringtrue.models.model import Model
from ringtrue.models.structured.structured_model import StructuredModel

Category: TypeAlias = Literal["agent_error", "infrastructure_error", "test_issue"]
REPORT, METADATA = "FAILURE_REPORT.md", "failure_metadata.json"
PROJECT = Path("/project")
_INVALID = "infrastructure_error"
_SCHEMA = record(report=TEXT, classification=choice(*get_args(Category)))


@dataclass(frozen=True)
class FailureAnalysis:
    """A report in Markdown and the category of what went wrong."""

    report: str
    category: Category

    @property
    def valid_trial(self) -> bool:
        """Whether the trial says something about the agent."""
        return self.category != _INVALID


async def analyze_failure(
    task_name: str,
    instructions: str,
    working_dir: Path,
    *,
    provider: AnalysisProvider = "openai",
    model: str = ANALYSIS_MODEL,
    judge: Model | StructuredModel | None = None,
) -> FailureAnalysis:
    """What an auditor of a copy of the folder, with the logs in it, says; EvaluationError where it says nothing usable.

    The logs are `agent_output.log`, `test_output.log`, `test_results.json`; `test.py` is what was run.
    """
    config = AuditConfig(provider=provider, model=model, exclude=(REPORT, METADATA))
    copied = await asyncio.to_thread(
        Snapshot.of, str(working_dir), max_bytes=config.max_copy_bytes, exclude=config.exclude
    )
    prompts = prompt("failure_analysis", __package__), prompt("failure_analysis_verdict", __package__)
    order = Order(prompts, f"{task_name}\n\n{instructions}", {}, _SCHEMA, lambda answer: "", "the analysis")
    async with asking(provider, judge) as structured:
        auditor = Auditor.over(copied, order, config, JudgeSession(structured, model))
        try:
            answer = await auditor.verdict()
        except NoVerdict as error:
            raise EvaluationError(str(error)) from None
    return FailureAnalysis(answer["report"], answer["classification"])


async def run_analysis(
    task_name: str,
    output_path: str,
    *,
    working_dir: Path = PROJECT,
    provider: AnalysisProvider = "openai",
    model: str = ANALYSIS_MODEL,
) -> None:
    """Analyse a folder, and write the report and the category beside it and, in short, to `output_path`."""
    told = working_dir / "instructions.txt"
    instructions = told.read_text(encoding="utf-8", errors="replace") if told.is_file() else ""
    found = await analyze_failure(task_name, instructions, working_dir, provider=provider, model=model)
    classified = {"classification": found.category.upper(), "valid_trial": found.valid_trial}
    result = {"failure_category": found.category, "valid_trial": found.valid_trial}
    for path, text in (
        (working_dir / REPORT, found.report),
        (working_dir / METADATA, json.dumps(classified)),
        (Path(output_path), json.dumps(result)),
    ):
        path.unlink(missing_ok=True)  # whoever made the folder may have put a link there
        path.write_text(text, encoding="utf-8")


def load_failure_metadata(metadata_path: Path) -> tuple[str | None, bool]:
    """The category and whether the trial is valid, as a file says it; (None, True) where it says nothing readable."""
    try:
        content = json.loads(metadata_path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None, True
    category = str(content.get("classification") or "").lower() if isinstance(content, dict) else ""
    if category not in get_args(Category):
        return None, True
    return category, category != _INVALID


def main() -> None:
    """`--task-name`, `--output-path`, `--working-dir`: analyse a folder, /project where none is named."""
    parser = argparse.ArgumentParser(description="Say why a trial failed.")
    parser.add_argument("--task-name", required=True, help="the task that was set")
    parser.add_argument("--output-path", required=True, help="where the result goes, as JSON")
    parser.add_argument("--working-dir", type=Path, default=PROJECT, help="the folder with work and logs")
    given = parser.parse_args()
    asyncio.run(run_analysis(given.task_name, given.output_path, working_dir=given.working_dir))


if __name__ == "__main__":
    main()
