"""What a task's test script uses; it runs inside the container, so importing this needs nothing but Python."""

from __future__ import annotations

import json
import math
import os
from pathlib import Path
from typing import Any


def write_test_result(output_dir: Path, test_id: str, score: float, metadata: dict[str, Any]) -> None:
    """Write a score, brought into 0 to 100, where the harness looks for it; NaN raises a ValueError.

    What is no JSON in the metadata is written as text: it must not cost the score.
    """
    number = float(score)
    if math.isnan(number):
        raise ValueError(f"score={score!r} is no number; give 0 to 100, or write no result if nothing was measured")
    told = json.loads(json.dumps(metadata, default=str), parse_constant=str)
    result = {"score": max(0.0, min(100.0, number)), "metadata": told}
    file = Path(output_dir) / f".eval_recipes_test_results_{test_id}.json"
    file.write_text(json.dumps(result, indent=2, ensure_ascii=False), encoding="utf-8", errors="replace")


def levenshtein_distance(s1: str, s2: str) -> int:
    """How many characters have to be put in, taken out or replaced to make one text the other."""
    from rapidfuzz.distance import Levenshtein

    return Levenshtein.distance(s1, s2)


def load_text_from_path_or_content(text: str) -> str:
    """The content of the file that a text names, or the text itself if there is no such file."""
    try:
        there = Path(text).is_file()
    except (OSError, ValueError):  # too long for a path, or with characters that none has
        return text
    return _read(Path(text)) if there else text


def get_test_id_from_env_or_default(default: str = "dev") -> str:
    """The id that the harness gave this test, in EVAL_RECIPES_TEST_ID."""
    return os.environ.get("EVAL_RECIPES_TEST_ID", default)


def get_agent_log_hint(metadata_path: Path | None = None) -> str | None:
    """Where the agent's logs are, from the harness' note; None if there is no such note."""
    try:
        note = json.loads(_read(metadata_path or Path("/project/.agent_metadata.json")))
    except (OSError, ValueError, RecursionError):
        return None
    hint = note.get("agent_log_hint") if isinstance(note, dict) else None
    return hint if isinstance(hint, str) else None


def get_instructions_from_file_or_default(default: str | Path = "", instructions_file: Path | None = None) -> str:
    """The task's instructions: of the file that is given, or ./instructions.txt; without the file, `default`.

    A `Path` in the place of the default text is the file.
    """
    if isinstance(default, Path):
        return get_instructions_from_file_or_default(instructions_file=instructions_file or default)
    file = instructions_file or Path("instructions.txt")
    return _read(file) if file.is_file() else default


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")
