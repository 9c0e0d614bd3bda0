"""IFBench's 58 instructions: whether a response follows them, as its authors check."""

from __future__ import annotations

from ringtrue.scoring.ifbench.verdicts import check_instructions

__all__ = ["check_instructions"]
