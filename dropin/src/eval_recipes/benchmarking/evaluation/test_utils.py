"""What a task's test script uses, under the path that eval-recipes' own tasks import it from."""

from __future__ import annotations

from eval_recipes.benchmarking.test_utils import (
    get_agent_log_hint,
    get_instructions_from_file_or_default,
    get_test_id_from_env_or_default,
    levenshtein_distance,
    load_text_from_path_or_content,
    write_test_result,
)

__all__ = [
    "get_agent_log_hint",
    "get_instructions_from_file_or_default",
    "get_test_id_from_env_or_default",
    "levenshtein_distance",
    "load_text_from_path_or_content",
    "write_test_result",
]
