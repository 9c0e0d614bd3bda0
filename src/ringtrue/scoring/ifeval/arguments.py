"""The arguments of one instruction: one entry of a case's `kwargs`, read without trust."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from ringtrue.safetext import short_repr

_NUMBER = re.compile(r"[+-]?\d{1,18}")


class InstructionError(ValueError):
    """An instruction that cannot be checked: unknown, or with arguments that are missing or make no sense."""

    def __init__(self, message: str, *, instruction: str = "") -> None:
        super().__init__(message)
        self.instruction = instruction


class Arguments:
    """Named arguments; None counts as absent, numbers may be written as strings, one word may replace a list."""

    __slots__ = ("_values", "instruction")

    def __init__(self, instruction: str, values: Mapping[str, Any]) -> None:
        self.instruction = instruction
        self._values = values

    def get(self, name: str) -> Any:
        """The argument as it is, None where it is absent."""
        return self._values.get(name)

    def with_default(self, name: str, value: str) -> Arguments:
        """The same arguments, with this value where the name is absent."""
        return self if self.get(name) else Arguments(self.instruction, {**self._values, name: value})

    def number(self, name: str, default: int | None = None) -> int:
        """A whole number."""
        value = self.get(name)
        if isinstance(value, int) and not isinstance(value, bool):
            return value
        if value is None and default is not None:
            return default
        if isinstance(value, str) and _NUMBER.fullmatch(value.strip()):
            return int(value)
        if isinstance(value, float) and value.is_integer():
            return int(value)
        raise self.wrong(name, "a whole number")

    def text(self, name: str, default: str | None = None) -> str:
        """A string that is not blank, without the space around it."""
        value = _number_as_text(self.get(name))
        if not value and default is not None:
            return default
        if not isinstance(value, str) or not value.strip():
            raise self.wrong(name, "a string that is not blank")
        return value.strip()

    def words(self, name: str, default: Sequence[str] | None = None) -> list[str]:
        """A list of strings; a single string is a list of one."""
        value = _number_as_text(self.get(name))
        if not value and default is not None:
            return list(default)
        if isinstance(value, str):
            return [value]
        words = list(map(_number_as_text, value)) if isinstance(value, (list, tuple)) else []
        if not words or not all(isinstance(word, str) for word in words):
            raise self.wrong(name, "a list of strings")
        return words

    def relation(self, name: str) -> bool:
        """Whether a count must be reached (`at least`) or not (`less than`)."""
        value = self.get(name)
        if value not in ("at least", "less than"):
            raise self.wrong(name, "'less than' or 'at least'")
        return bool(value == "at least")

    def wrong(self, name: str, needed: str) -> InstructionError:
        """Return the error for an argument that is absent or not what it must be."""
        return InstructionError(
            f"{self.instruction} needs {name!r}: {needed}; got {short_repr(self.get(name))}",
            instruction=self.instruction,
        )


def instruction_ids(value: object) -> list[str]:
    """The ids in a case's `instruction_id_list`, which may also be one id or a list written as JSON."""
    listed = _parse_if_json(value)
    if listed is None:
        return []
    if isinstance(listed, str):
        return [listed]
    if isinstance(listed, (list, tuple)) and all(isinstance(item, str) for item in listed):
        return list(listed)
    raise InstructionError(f"instruction_id_list must be a list of strings; got {type(value).__name__}")


def argument_list(value: object, ids: Sequence[str]) -> list[Arguments]:
    """The arguments of each instruction in a case's `kwargs`; absent ones are empty."""
    listed = value if isinstance(value, list) else _parse_if_json(value)
    if listed is None:
        listed = []
    elif isinstance(listed, Mapping):
        listed = [listed]
    if not isinstance(listed, (list, tuple)):
        raise InstructionError(f"kwargs must be a list of objects, one per instruction; got {type(value).__name__}")
    if len(listed) < len(ids):
        listed = [*listed, *[None] * (len(ids) - len(listed))]
    return [
        Arguments(name, entry if isinstance(entry, dict) else _entry(name, entry))
        for name, entry in zip(ids, listed, strict=False)
    ]


def _entry(instruction: str, value: object) -> Mapping[str, Any]:
    entry = _parse_if_json(value)
    if entry is None:
        return {}
    if isinstance(entry, Mapping):
        return entry
    raise InstructionError(
        f"the kwargs of {instruction} must be an object; got {type(value).__name__}", instruction=instruction
    )


def _number_as_text(value: object) -> Any:
    # A keyword such as 2024 may come as a number.
    return str(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else value


def _parse_if_json(value: object) -> Any:
    # Tables keep lists and objects as JSON text.
    if isinstance(value, str) and value.lstrip()[:1] in ("[", "{"):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value
