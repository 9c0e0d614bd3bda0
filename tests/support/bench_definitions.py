"""Agents that are shell scripts and tasks that a script scores, for the tests of the benchmarking harness."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from eval_recipes.benchmarking.schemas import AgentDefinition, ScoreEvalConfig, TaskDefinition, TaskInfo

PYTHON = os.path.realpath(sys.executable)
"""Where Python is in the image of `support.engines`, and here."""

SCORED = """
import sys
from pathlib import Path
from eval_recipes.benchmarking.test_utils import get_test_id_from_env_or_default, write_test_result

said = Path("/project/answer.txt").read_text().strip()
write_test_result(Path(__file__).parent, get_test_id_from_env_or_default(), float(said), {"argv": sys.argv[1:]})
"""
"""Gives the score that the agent wrote down."""


def agent(name: str, command: str, **more: Any) -> AgentDefinition:
    """An agent that runs this command."""
    return AgentDefinition(id=name, agent_name=name.title(), command_template=command, source_code_path=None, **more)


def task(folder: Path, name: str, script: str = SCORED, **more: Any) -> TaskDefinition:
    """A task whose test is this program."""
    path = folder / f"{name}.py"
    path.write_text(script)
    command = more.pop("test_command", f"{PYTHON} /project/test.py")
    info = TaskInfo(difficulty=more.pop("difficulty", "easy"), categories=more.pop("categories", []))
    return TaskDefinition(
        name=name,
        task_info=info,
        evaluation_configs=[ScoreEvalConfig(test_script=path, test_command=command)],
        instructions=more.pop("instructions", f"Do {name}."),
        **more,
    )


def base(image: str) -> str:
    """A recipe's base of an image that is here."""
    return f"FROM {image}\nWORKDIR /project\n{{{{agent_installation}}}}\n{{{{task_installation}}}}\n"
