"""Python files of the user's, run as Python runs them."""

from __future__ import annotations

import runpy
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any


def executed(file: str, name: str) -> dict[str, Any]:
    """The names that a file defines, run under a name as Python runs it: it finds the modules beside it."""
    arguments, paths = sys.argv, list(sys.path)
    sys.argv = [file]
    sys.path.insert(0, str(Path(file).resolve().parent))
    try:
        return runpy.run_path(file, run_name=name)
    finally:
        sys.argv, sys.path[:] = arguments, paths


def model_of(file: str) -> Callable[[str], str]:
    """The function `model_fn` that a file defines; a ValueError says why there is none."""
    try:
        found = executed(file, "multivon_eval_model").get("model_fn")
    except Exception as error:  # whatever the user's file does, there is no function to ask
        raise ValueError(f"could not execute {file}: {type(error).__name__}: {error}") from error
    if not callable(found):
        raise ValueError(f"{file} defines no function model_fn(prompt)")
    model: Callable[[str], str] = found
    return model
