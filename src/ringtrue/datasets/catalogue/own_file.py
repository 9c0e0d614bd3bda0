"""A benchmark in a Python file: `mine.py:NAME`, or `mine.py:NAME:CONFIG` for one of its configurations."""

from __future__ import annotations

import importlib.util
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from ringtrue.errors import ConfigurationError
from ringtrue.identity import digest

if TYPE_CHECKING:
    from ringtrue.datasets.catalogue.benchmark import Benchmark

_FORM = re.compile(r"(?P<file>.+\.py):(?P<name>[A-Za-z_]\w*)(?::(?P<config>[A-Za-z0-9._-]+))?")


def names_file(text: str) -> bool:
    """Whether a text names a benchmark in a Python file."""
    return bool(_FORM.fullmatch(text))


def benchmark_in_file(text: str) -> tuple[Benchmark, str | None]:
    """The benchmark and configuration that a text names; the file is run once in a process, as an import is."""
    from ringtrue.datasets.catalogue.benchmark import Benchmark

    found = _FORM.fullmatch(text)
    if not found:
        raise ConfigurationError(f"write FILE.py:NAME; got {text!r}", parameter="dataset", value=text)
    path = Path(found["file"])
    if not path.is_file():
        raise ConfigurationError(f"there is no file {path}", parameter="dataset", value=text)
    module = _module(path.resolve())
    benchmark = getattr(module, found["name"], None)
    if not isinstance(benchmark, Benchmark):
        there = [name for name, value in vars(module).items() if isinstance(value, Benchmark)]
        what = "is missing" if benchmark is None else f"is {type(benchmark).__name__}, not a Benchmark"
        known = f"it has {', '.join(there)}" if there else "it has no Benchmark"
        raise ConfigurationError(f"{found['name']} of {path} {what}; {known}", parameter="dataset", value=text)
    return benchmark, found["config"]


def _module(path: Path) -> object:
    name = f"{path.stem}@{digest(os.fsencode(path))[:12]}"
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, path)
        if spec is None or spec.loader is None:
            raise ConfigurationError(f"{path} is not a Python file", parameter="dataset", value=str(path))
        module = importlib.util.module_from_spec(spec)
        try:
            spec.loader.exec_module(module)
        except ConfigurationError:
            raise
        except Exception as error:  # the file is the user's own code and may raise anything
            message = f"{path} cannot be run: {type(error).__name__}: {error}"
            raise ConfigurationError(message, parameter="dataset", value=str(path)) from error
        sys.modules[name] = module
    return sys.modules[name]
