"""`CodeExecution`: a direct `score()` without tests is 0.0."""

from __future__ import annotations

from typing import ClassVar

from ringtrue.evaluators import CodeExecution as NativeCodeExecution


class CodeExecution(NativeCodeExecution):
    """Whether the generated code passes all tests of its row, run in ringtrue's sandbox."""

    skipped_reads_as: ClassVar[float | None] = 0.0
