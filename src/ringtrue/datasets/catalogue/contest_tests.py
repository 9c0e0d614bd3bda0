"""The tests of a contest problem, as LiveCodeBench stores them: JSON, or JSON in a pickle, compressed."""

from __future__ import annotations

import base64
import io
import json
import pickle
import zlib

from ringtrue.errors import InputError

MOST_BYTES = 400_000_000


class _TextOnly(pickle.Unpickler):
    """A pickle may name any function to be called; this one may name none, so that it can hold plain values alone."""

    def find_class(self, module: str, name: str) -> object:
        raise InputError(f"the private tests of a problem name {module}.{name}, which is not loaded")


def read_contest_tests(text: str) -> list[dict[str, str]]:
    """The tests of one of a problem's fields, each with `input`, `output` and mostly `testtype`."""
    try:
        found = json.loads(text) if text.lstrip().startswith("[") else json.loads(_unpacked_text(text))
    except (ValueError, zlib.error, pickle.UnpicklingError, EOFError) as error:
        raise InputError(f"the tests of a problem cannot be read: {error}") from error
    if not isinstance(found, list) or not all(
        isinstance(test, dict) and {"input", "output"} <= set(test) for test in found
    ):
        raise InputError("the tests of a problem are no list of objects with input and output")
    return found


def _unpacked_text(text: str) -> str:
    inflated = zlib.decompressobj().decompress(base64.b64decode(text), MOST_BYTES)
    value = _TextOnly(io.BytesIO(inflated)).load()
    if isinstance(value, (str, bytes)):
        return value if isinstance(value, str) else value.decode()
    raise InputError(f"the private tests of a problem are {type(value).__name__}, not text")
