"""`MultipleChoiceAccuracy`: a direct `score()` without a correct letter is 0.0."""

from __future__ import annotations

from typing import ClassVar

from ringtrue.evaluators import MultipleChoiceAccuracy as NativeMultipleChoiceAccuracy


class MultipleChoiceAccuracy(NativeMultipleChoiceAccuracy):
    """1.0 if the option the response finally commits to is the correct one."""

    skipped_reads_as: ClassVar[float | None] = 0.0
