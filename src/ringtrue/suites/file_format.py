"""Declarative suites: who is asked what, and who checks it, in YAML, TOML or JSON.

A file is read into plain records here; what its names mean (evaluators, systems) is found out when it runs.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ringtrue.datasets.cases import case_mapping, mapped_row
from ringtrue.datasets.files.config_file import FORMATS, read_structured
from ringtrue.datasets.files.whole_file import read_rows
from ringtrue.dialects.fields import ALIASES, Fields, case_tags
from ringtrue.dialects.suite import EvalCase, case_of
from ringtrue.errors import ConfigurationError, InputError
from ringtrue.records import Case, Json
from ringtrue.require import did_you_mean, is_number, is_whole

SUFFIXES = tuple(f".suite{suffix}" for suffix in FORMATS)
"""How the names of suite files end, so that they are found among others."""

PURPOSES = ("capability", "regression")
SYSTEMS: dict[str, tuple[str, ...]] = {
    "function": ("name",),
    "command": ("name", "max_in_flight"),
    "endpoint": ("name", "model", "system_prompt", "timeout", "max_retries", "max_in_flight", "parameters"),
    "local": ("name", "parameters"),
    "replay": ("name",),
}
"""The kinds of system, and the keys that may be beside each."""


@dataclass(frozen=True)
class CheckSpec:
    """An evaluator as a file names it: a spec in text, or a name with settings; `where` is its place in the file."""

    where: str
    spec: str
    settings: Json = None
    weight: float = 1.0


@dataclass(frozen=True)
class SuiteFile:
    """The content of a suite file."""

    path: Path
    name: str
    system: str | Mapping[str, Json] | None
    checks: tuple[CheckSpec, ...]
    cases: tuple[tuple[Case, tuple[CheckSpec, ...]], ...]
    model_id: str = ""
    purpose: str = ""
    options: Mapping[str, Json] = field(default_factory=dict)
    """Arguments of `run`: fail_threshold, max_error_rate, runs, workers, timeout."""


def read_suite(path: str | os.PathLike[str], mapping: Mapping[str, str] | None = None) -> SuiteFile:
    """The suite a file describes; a wrong key or value is refused with its place and what to write.

    `mapping` says where cases have their `input`, `expected`, `context` or `id`.
    """
    file = Path(path)
    value = read_structured(file)
    reader = _Reader(file, case_mapping(mapping))
    if not isinstance(value, dict):
        raise reader.wrong("", "a suite is a table of keys: name, system, evaluators, cases", value)
    reader.require_known("", value, KEYS)
    name = file.name
    for suffix in SUFFIXES:
        name = name.removesuffix(suffix)
    tags = reader.texts("tags", value.get("tags", []))
    suite = SuiteFile(
        file,
        reader.text("name", value.get("name", name)),
        reader.system(value.get("system")),
        reader.checks("evaluators", value.get("evaluators", [])),
        tuple((replace(case, tags=(*case.tags, *tags)), checks) for case, checks in reader.cases(value.get("cases"))),
        reader.text("model_id", value.get("model_id", "")),
        reader.choice("purpose", value.get("purpose", ""), ("", *PURPOSES)),
        {key: value[key] for key in OPTIONS if key in value},
    )
    for key, option in suite.options.items():
        reader.option(key, option)
    if not suite.checks:
        bare = next((case.id for case, checks in suite.cases if not checks), None)
        if bare is not None:
            raise reader.wrong(
                "evaluators", f"nothing measures the case {bare!r}: list evaluators here or in the case", []
            )
    return suite


def _unit(value: Any) -> bool:
    return is_number(value) and 0 <= value <= 1


def _count(value: Any) -> bool:
    return is_whole(value) and value >= 1


def _positive(value: Any) -> bool:
    return is_number(value) and value > 0


OPTIONS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "fail_threshold": (_unit, "a number from 0 to 1: the pass rate below which the suite fails"),
    "max_error_rate": (_unit, "a number from 0 to 1: the share of errors above which the suite is undecided"),
    "runs": (_count, "a whole number of at least 1: how often each case is asked"),
    "workers": (_count, "a whole number of at least 1: how many cases are in flight at once"),
    "timeout": (_positive, "a number of seconds above 0 that a case may take"),
}
KEYS = ("name", "model_id", "purpose", "system", "evaluators", "cases", "tags", *OPTIONS, "$schema")
_KNOWN = ("reference_output", "wrong_outputs")
_CASE_KEYS = ("conversation", "metadata", "source_id", "tags", "evaluators", *_KNOWN)
_CASE_MEANINGS = ("id", "input", "expected", "context")
CASE_KEYS = (*(alias for meaning in _CASE_MEANINGS for alias in ALIASES[meaning]), *_CASE_KEYS)


class _Reader:
    """Reads the parts of one file and says, where one is wrong, which."""

    def __init__(self, path: Path, mapping: Mapping[str, str]) -> None:
        self.path, self.mapping = path, mapping

    def wrong(self, key: str, what: str, value: object) -> ConfigurationError:
        shown = repr(value)
        got = f"; got {shown if len(shown) <= 100 else shown[:99] + '…'}" if value not in (None, [], {}) else ""
        place = f"{self.path}: {key}: " if key else f"{self.path}: "
        return ConfigurationError(f"{place}{what}{got}", parameter=key, value=value)

    def require_known(self, key: str, value: Iterable[str], names: Iterable[str]) -> None:
        unknown = next((name for name in value if name not in names), None)
        if unknown is not None:
            raise self.wrong(key, f"no key {unknown!r} here; {did_you_mean(unknown, names)}", None)

    def text(self, key: str, value: Json) -> str:
        if not isinstance(value, str):
            raise self.wrong(key, "must be text", value)
        return value

    def choice(self, key: str, value: Json, choices: tuple[str, ...]) -> str:
        if value not in choices:
            raise self.wrong(key, f"must be one of {', '.join(filter(None, choices))}", value)
        return str(value)

    def texts(self, key: str, value: Json) -> tuple[str, ...]:
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise self.wrong(key, "must be a list of texts", value)
        return tuple(value)

    def one_or_more(self, key: str, value: Json) -> tuple[str, ...]:
        return (value,) if isinstance(value, str) else self.texts(key, value)

    def option(self, key: str, value: Json) -> None:
        holds, words = OPTIONS[key]
        if not holds(value):
            raise self.wrong(key, f"must be {words}", value)

    def system(self, value: Json) -> str | dict[str, Json] | None:
        if value is None or (isinstance(value, str) and value.strip()):
            return value
        words = f"write MODULE:FUNCTION, or a table with one of {', '.join(SYSTEMS)}"
        if not isinstance(value, dict):
            raise self.wrong("system", words, value)
        if "api_key" in value:
            raise self.wrong(
                "system.api_key", "keys do not belong in files; set OPENAI_API_KEY in the environment", None
            )
        kinds = [kind for kind in SYSTEMS if kind in value]
        if len(kinds) != 1:
            raise self.wrong("system", words, value)
        self.require_known("system", value, (kinds[0], *SYSTEMS[kinds[0]]))
        return value

    def checks(self, key: str, value: Json) -> tuple[CheckSpec, ...]:
        if not isinstance(value, list):
            raise self.wrong(key, "must be a list, such as [not_empty, {contains: [Paris]}]", value)
        return tuple(self.check(f"{key}[{number}]", item) for number, item in enumerate(value, 1))

    def check(self, key: str, value: Json) -> CheckSpec:
        if isinstance(value, str):
            return CheckSpec(key, value)
        if not isinstance(value, dict) or len(value) != 1:
            raise self.wrong(key, "must be text, such as word_count(max_words=50), or {name: settings}", value)
        ((name, settings),) = value.items()
        if not isinstance(settings, dict):
            return CheckSpec(key, name, settings)
        weight = settings.get("weight", 1.0)
        if not _positive(weight):
            raise self.wrong(f"{key}.{name}.weight", "must be a number above 0", weight)
        return CheckSpec(key, name, {k: v for k, v in settings.items() if k != "weight"}, float(weight))

    def cases(self, value: Json) -> list[tuple[Case, tuple[CheckSpec, ...]]]:
        if isinstance(value, str):
            return [(case, ()) for case in _cases_of_file(self.path.parent / value, self.mapping)]
        if not isinstance(value, list) or not value:
            raise self.wrong("cases", "must be a list of cases with an input each, or the name of a file", value)
        return [self.case(f"cases[{number}]", item) for number, item in enumerate(value, 1)]

    def case(self, key: str, value: Json) -> tuple[Case, tuple[CheckSpec, ...]]:
        if not isinstance(value, dict):
            raise self.wrong(key, "must be a table with an input", value)
        self.require_known(key, value, CASE_KEYS)
        value = _mapped_table(value, self.mapping)
        found: dict[str, Json] = {}
        for meaning in _CASE_MEANINGS:
            names = [name for name in ALIASES[meaning] if name in value]
            if len(names) > 1:
                raise self.wrong(key, f"{names[0]!r} and {names[1]!r} mean the same; keep one", None)
            found[meaning] = value[names[0]] if names else None
        if found["input"] is None:
            raise self.wrong(key, "has no input", value)
        for name, kind, words in (("metadata", dict, "a table"), ("conversation", list, "a list of messages")):
            if not isinstance(value.get(name, kind()), kind):
                raise self.wrong(f"{key}.{name}", f"must be {words}", value[name])
        if found["id"] is not None and not isinstance(found["id"], (str, int)):
            raise self.wrong(f"{key}.id", "must be text or a whole number", found["id"])
        case = EvalCase(
            found["input"],
            found["expected"],
            found["context"],
            value.get("conversation"),
            metadata=value.get("metadata", {})
            | {name: self.one_or_more(f"{key}.{name}", value[name]) for name in _KNOWN if name in value},
            tags=list(self.texts(f"{key}.tags", value.get("tags", []))),
            source_id=value.get("source_id"),
        )
        record = replace(case_of(case), id="" if found["id"] is None else found["id"])
        return record, self.checks(f"{key}.evaluators", value.get("evaluators", []))


def _mapped_table(value: Mapping[str, Json], mapping: Mapping[str, str]) -> dict[str, Json]:
    """A case's table with what a mapping names under the first of its keys, and under no other."""
    found = mapped_row(value, mapping)
    others = {alias for meaning in mapping for alias in ALIASES[meaning][1:]}
    return {key: item for key, item in found.items() if key not in others}


def _cases_of_file(path: Path, mapping: Mapping[str, str]) -> list[Case]:
    """The cases of a file of rows."""
    fields = Fields(blank_is_missing=True)
    cases = []
    for position, row in read_rows(path):
        tags = case_tags(row.get("tags"))
        row = mapped_row(row, mapping)
        case = fields.case(row, position)
        named = fields.columns(row).id is not None
        cases.append(replace(case, id=case.id if named else "", tags=tags))
    if not cases:
        raise InputError(f"{path}: there are no cases")
    return cases
