"""`IFEvalChecker` under its documented name here."""

from __future__ import annotations

from typing import ClassVar

from ringtrue.evaluators import IFEvalChecker as NativeIFEvalChecker


class IFEvalChecker(NativeIFEvalChecker):
    """All instructions followed (`ifeval_strict`) and the fraction followed (`ifeval_loose`)."""

    default_name: ClassVar[str] = "ifeval"
