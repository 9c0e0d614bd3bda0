"""The description of a program for the process that runs it."""

from __future__ import annotations

import base64
import os
from collections.abc import Mapping
from typing import Any

from ringtrue.errors import ConfigurationError
from ringtrue.sandbox.exam.definition import Exam

Files = Mapping[str, str | bytes]


def describe(program: str, files: Files, *, command: bool, exam: Exam | None, nonce: str) -> dict[str, Any]:
    """The job as JSON; a file whose name leads out of the private directory raises ConfigurationError."""
    job: dict[str, Any] = {"program": program, "files": {name: _encode(name, files[name]) for name in files}}
    if command:
        job["command"] = True
    if exam is not None:
        job["prelude"] = list(exam.prelude)
        if not exam.across:
            job.update(exam=exam.plain(), nonce=nonce)
    return job


def _encode(name: str, content: str | bytes) -> str:
    if not name or os.path.isabs(name) or ".." in name.split("/") or "\0" in name:
        raise ConfigurationError(
            f"a file's name leads to a place inside the sandbox; got {name!r}", parameter="files", value=name
        )
    data = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
    return base64.b64encode(data).decode()
