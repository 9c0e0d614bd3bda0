"""Errors of other people's code, as text that a row can keep; and warnings, which raise nothing here."""

from __future__ import annotations

import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ringtrue.records import Output, Score

TRACEBACK_CHARS = 20_000
_HERE = str(Path(__file__).parents[1])


def error_text(error: BaseException) -> str:
    """An error in one line of a record."""
    return f"{type(error).__name__}: {error}"


def traceback_text(error: BaseException) -> str:
    """Return the traceback of an error from the caller's own code on; a long one keeps its beginning and its end."""
    place = error.__traceback__
    while place is not None and place.tb_frame.f_code.co_filename.startswith(_HERE):
        place = place.tb_next
    text = "".join(traceback.format_exception(type(error), error, place or error.__traceback__))
    if len(text) <= TRACEBACK_CHARS:
        return text
    half = TRACEBACK_CHARS // 2
    return f"{text[:half]}\n… {len(text) - 2 * half:,} characters …\n{text[-half:]}"


def error_score(error: BaseException) -> Score:
    """The score of a trial that an evaluator raised on."""
    return Score.error(error_text(error), kind="evaluator_error", traceback=traceback_text(error))


def no_answer_score(output: Output) -> Score:
    """The score of a trial in which the system did not answer."""
    return Score.error(f"no answer: {output.problem}", kind=output.error)


@contextmanager
def keep_warnings_harmless() -> Iterator[None]:
    """In here a warning is not an error, whatever `-W error` says: it is shown, and changes no result."""
    if not any(action == "error" for action, *_ in warnings.filters):
        yield
        return
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        yield
