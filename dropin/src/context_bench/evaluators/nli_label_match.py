"""`NLILabelMatch`: a direct `score()` against an empty label is 1.0."""

from __future__ import annotations

from typing import ClassVar

from ringtrue.evaluators import NLILabelMatch as NativeNLILabelMatch


class NLILabelMatch(NativeNLILabelMatch):
    """1.0 if the label the response finally commits to is of the expected label's family."""

    skipped_reads_as: ClassVar[float | None] = 1.0
