"""How an object is set, as plain values: what JSON holds is told, what is secret is hashed, the rest is named."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from ringtrue.reports.canonical import canonical_json, digest

from ringtrue.evaluators.check import Check

_SECRET = ("secret", "password", "credential", "api_key", "authorization", "token")
_ELSEWHERE = {"name", "threshold", "judge", "_judge", "_judge_cfg", "_dependency_contract"}
"""Settings that a fingerprint tells under names of their own."""


@dataclass(frozen=True)
class Settings:
    """The settings that can be told, where JSON tells less than Python does, and the names of those that cannot."""

    config: dict[str, Any]
    types: list[dict[str, Any]] = field(default_factory=list)
    opaque: list[str] = field(default_factory=list)


def settings_of(obj: Any) -> Settings:
    """The settings of an object: a check's parameters, and whatever else is set on it."""
    found = Settings({})
    given = {**vars(obj)}
    if isinstance(obj, Check):  # what it worked out from its parameters is no setting
        told = obj.recorded() if hasattr(obj, "recorded") else obj.settings()
        derived = {name for kind in type(obj).__mro__ for name in vars(kind)} | obj.settings().keys()
        given = {**{name: value for name, value in given.items() if name not in derived}, **told}
    for name in sorted(given.keys() - _ELSEWHERE):
        try:
            told = portable(given[name], found.types, [name])
            found.config[name] = _hidden(told) if _is_secret(name) else told
        except (TypeError, ValueError, RecursionError):
            found.opaque.append(name)
    return found


def portable(value: Any, types: list[dict[str, Any]], path: list[str | int]) -> Any:
    """A value in JSON; `types` tells where it was a tuple or a pattern, and what JSON cannot hold is a TypeError."""
    if isinstance(value, re.Pattern):
        types.append({"path": path, "kind": "regex"})
        return {"pattern": portable(value.pattern, types, path), "flags": value.flags}
    if isinstance(value, Mapping):
        told = {name: portable(item, types, [*path, name]) for name, item in value.items()}
        return {name: _hidden(item) if _is_secret(name) else item for name, item in told.items()}
    if isinstance(value, (list, tuple)):
        if isinstance(value, tuple):
            types.append({"path": path, "kind": "tuple"})
        return [portable(item, types, [*path, place]) for place, item in enumerate(value)]
    canonical_json(value)
    return _without_secrets(value) if isinstance(value, str) and "://" in value else value


def _without_secrets(address: str) -> str | dict[str, str]:
    """An address that names a user, a query or a fragment may name a key, and is told without them."""
    try:
        parts = urlsplit(address)
        if not (parts.query or parts.fragment or "@" in parts.netloc):
            return address
        plain = urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))
    except ValueError:
        plain = ""
    return {"address": plain, **_hidden(address)}


def _is_secret(name: str) -> bool:
    return name.startswith("_") or any(word in name.lower() for word in _SECRET)


def _hidden(value: Any) -> dict[str, str]:
    return {"sha256": digest(value)}
