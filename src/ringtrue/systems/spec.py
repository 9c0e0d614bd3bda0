"""Systems as files describe them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from ringtrue.dialects.fields import Fields
from ringtrue.errors import ConfigurationError
from ringtrue.records import Json
from ringtrue.require import did_you_mean
from ringtrue.systems.command import Command
from ringtrue.systems.function import as_system
from ringtrue.systems.identity import Identity
from ringtrue.systems.replay import Replay
from ringtrue.systems.system import System
from ringtrue.systems.truncation import Truncation
from ringtrue.user_code import import_object

KINDS = (
    "FILE.py:FUNCTION, MODULE:FUNCTION, an endpoint's URL, command:PROGRAM, replay:FILE, local, local:PATH.gguf, "
    "identity or truncate:TOKENS"
)

_ADDRESS = re.compile(r"[\w.-]+\.[\w.-]+(/\S*)?|[\w.-]+:\d+(/\S*)?")
"""A host with a port or a domain, and no scheme before it."""


RowsOf = Callable[[Path], Iterable[Mapping[str, Json]]]
"""Reads the rows of a file."""


def described_system(
    described: str | Mapping[str, Json], folder: Path, rows_of: RowsOf, fields: Fields | None = None
) -> System:
    """The system that a text or a table describes; relative paths and modules are looked for in `folder` first.

    `rows_of` reads the file of answers that a `replay` names, and `fields` says where its rows keep them.
    """
    table = system_table(described) if isinstance(described, str) else dict(described)
    name = table.get("name") or ""
    if "function" in table:
        return as_system(import_object(str(table["function"]), folder, "system"), name=name)
    if table.get("identity"):
        return as_system(Identity(), name=name)
    if "truncate" in table:
        tokens, _, keep = str(table["truncate"]).partition(":")
        return as_system(Truncation(_token_budget(tokens), keep or "start", name))  # type: ignore[arg-type]
    if "command" in table:
        return Command(table["command"], name, max_in_flight=table.get("max_in_flight", 4))
    if "replay" in table:
        path = folder / str(table["replay"])
        return Replay.of_rows(rows_of(path), name or path.name, fields)
    if "local" in table:
        from ringtrue.systems.local import LocalSystem

        weights = table["local"] if isinstance(table["local"], str) else ""
        place = str(folder / weights) if weights else None
        return LocalSystem(place, name=name or "local", settings=table.get("parameters"))
    return _endpoint(table)


def endpoint_system(text: str) -> System:
    """The endpoint at a URL, or the embedded model: what may answer the examples that other systems hand on."""
    table = system_table(text)
    if not {"endpoint", "local"} & set(table):
        raise ConfigurationError(f"{text!r} is not an endpoint: write its URL, or local", parameter="proxy", value=text)
    return described_system(table, Path(), lambda path: ())


def system_table(text: str) -> dict[str, Json]:
    """The table that a text stands for."""
    kind, mark, rest = text.partition(":")
    if text.startswith(("http://", "https://")):
        return {"endpoint": text}
    if kind == "local":
        return {"local": rest}
    if text == "identity":
        return {"identity": True}
    if kind == "truncate":
        return {"truncate": rest}
    if kind in ("command", "replay") and rest:
        return {kind: rest}
    if mark and all(part.isidentifier() for part in (*kind.split("."), *rest.split("."))):
        return {"function": text}
    if text.endswith(".py"):
        words = f"{text!r} is a file; name the function in it, as in {text}:answer"
        raise ConfigurationError(words, parameter="system", value=text)
    file, mark, name = text.rpartition(":")
    if mark and file.endswith(".py") and all(part.isidentifier() for part in name.split(".")):
        return {"function": text}
    if _ADDRESS.fullmatch(text):
        raise ConfigurationError(
            f"{text!r} is an address without http:// or https://; write http://{text}", parameter="system", value=text
        )
    hint = f"{did_you_mean(text, ('local', 'identity'), '')} write {KINDS}".strip()
    raise ConfigurationError(f"no system {text!r}; {hint}", parameter="system", value=text)


def _token_budget(text: str) -> int:
    number = text.lower().removesuffix("k")
    if not number.isdigit():
        raise ConfigurationError(
            f"truncate needs a number of tokens, as in truncate:2000 or truncate:4k; got {text!r}",
            parameter="system",
            value=text,
        )
    return int(number) * (1024 if number != text.lower() else 1)


def _endpoint(table: Mapping[str, Json]) -> System:
    from ringtrue.systems.openai_proxy import OpenAIProxy

    settings = {
        key: table[key] for key in ("model", "system_prompt", "timeout", "max_retries", "max_in_flight") if key in table
    }
    name = table.get("name") or None
    return OpenAIProxy(str(table["endpoint"]), name=name, extra_body=table.get("parameters"), **settings)
