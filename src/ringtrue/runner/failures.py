"""What other people's code raised, as text that a row can keep."""

from __future__ import annotations

import traceback

from ringtrue.records import Score

TRACEBACK_CHARS = 20_000


def error_text(error: BaseException) -> str:
    """An error in one line of a record."""
    return f"{type(error).__name__}: {error}"


def traceback_text(error: BaseException) -> str:
    """Where an error was raised; long tracebacks keep their beginning and their end."""
    text = "".join(traceback.format_exception(error))
    if len(text) <= TRACEBACK_CHARS:
        return text
    half = TRACEBACK_CHARS // 2
    return f"{text[:half]}\n… {len(text) - 2 * half:,} characters …\n{text[-half:]}"


def error_score(error: BaseException) -> Score:
    """The score of a trial that an evaluator raised on."""
    return Score.error(error_text(error), kind="evaluator_error", traceback=traceback_text(error))
