"""Systems named on the command line."""

from __future__ import annotations

import importlib
import os
import sys
from typing import Any

from ringtrue.datasets.files import read_chunks
from ringtrue.errors import ConfigurationError, InputError
from ringtrue.systems.answering import Answering, as_system
from ringtrue.systems.command import Command
from ringtrue.systems.openai_proxy import OpenAIProxy
from ringtrue.systems.stored_answers import StoredAnswers

KINDS = "local, local:PATH.gguf, an endpoint's URL, command:PROGRAM, replay:FILE or MODULE:FUNCTION"


def named_system(spec: str, *, name: str | None, model: str, timeout: float, settings: dict[str, Any]) -> Answering:
    """The system a spec describes."""
    if spec == "local" or spec.startswith("local:"):
        from ringtrue.systems.local import LocalSystem

        return LocalSystem(spec.partition(":")[2] or None, name=name or "local", settings=settings)
    if spec.startswith(("http://", "https://")):
        return OpenAIProxy(spec, model, name, timeout=timeout, extra_body=settings)
    kind, mark, rest = spec.partition(":")
    if kind == "command" and rest:
        return Command(rest, name or "")
    if kind == "replay" and rest:
        return StoredAnswers(_rows(rest), name or os.path.basename(rest))
    if mark and rest.isidentifier():
        return as_system(_imported(kind, rest), name=name or "")
    raise ConfigurationError(f"cannot read the system {spec!r}; write {KINDS}", parameter="system", value=spec)


def _rows(path: str) -> list[dict[str, Any]]:
    rows = []
    for chunk in read_chunks(path):
        found, problems = chunk.read()
        for problem in problems:
            raise InputError(f"{problem.where}: {problem.what}")
        rows += [row for _, row in found]
    return rows


def _imported(module: str, attribute: str) -> Any:
    sys.path.insert(0, os.getcwd())
    try:
        return getattr(importlib.import_module(module), attribute)
    except ImportError as error:
        raise ConfigurationError(f"cannot import {module!r}: {error}", parameter="system", value=module) from error
    except AttributeError as error:
        raise ConfigurationError(
            f"the module {module!r} has no {attribute!r}", parameter="system", value=attribute
        ) from error
    finally:
        sys.path.pop(0)
