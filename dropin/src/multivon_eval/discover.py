"""What of multivon-eval's `discover` is here: reading traces, and asking a judge for something to be made."""

from __future__ import annotations

from multivon_eval.evaluators.llm_judge import _call
from multivon_eval.input_gate import CALIBRATION_MIN_TRACES
from multivon_eval.judge import JudgeConfig
from multivon_eval.trace_files import load_traces

__all__ = ["CALIBRATION_MIN_TRACES", "load_traces"]

TOKENS = 2_000


def _call_judge(judge: JudgeConfig, system: str, user: str) -> str:
    return _call(f"{system}\n\n{user}", judge, TOKENS)
