"""The files a container needs to import `eval_recipes`: this package, ringtrue, and what they depend on."""

from __future__ import annotations

import json
from importlib import metadata
from pathlib import Path

import _ringtrue_dropin

import eval_recipes
import ringtrue

_DISTRIBUTIONS = ("ringtrue-dropin", "ringtrue")
_PACKAGES = (_ringtrue_dropin, eval_recipes, ringtrue)


def collect_eval_recipes_package() -> dict[str, bytes]:
    """The files by their paths, with a pyproject.toml by which `uv run --project` finds their dependencies."""
    files: dict[str, bytes] = {"pyproject.toml": _project().encode()}
    for package in _PACKAGES:
        root = Path(package.__file__ or "").parent
        for path in sorted(root.rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                files[f"{package.__name__}/{path.relative_to(root).as_posix()}"] = path.read_bytes()
    return files


def _project() -> str:
    # A JSON text and a JSON list of texts are TOML, too.
    return (
        f"[project]\nname = {json.dumps('eval_recipes')}\nversion = {json.dumps(metadata.version('ringtrue'))}\n"
        f'requires-python = ">=3.11"\ndependencies = {json.dumps(_needed())}\n\n'
        '[build-system]\nrequires = ["hatchling"]\nbuild-backend = "hatchling.build"\n\n'
        f"[tool.hatch.build.targets.wheel]\npackages = {json.dumps([package.__name__ for package in _PACKAGES])}\n"
    )


def _needed() -> list[str]:
    """What the two distributions need beside each other, without their own optional parts."""
    found = (one for name in _DISTRIBUTIONS for one in metadata.requires(name) or [])
    return sorted({one for one in found if "extra ==" not in one and not one.startswith("ringtrue")})
