"""Where keys come from: the environment, unless the user registers something that knows better."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Protocol, runtime_checkable

from multivon_eval.exceptions import SecretsError

__all__ = [
    "ChainedResolver",
    "EnvResolver",
    "SecretsResolver",
    "StaticResolver",
    "get_resolver",
    "get_secret",
    "reset_resolver",
    "set_resolver",
]


@runtime_checkable
class SecretsResolver(Protocol):
    """Knows secrets by name; None where it does not know one."""

    def get(self, key: str) -> str | None: ...


class EnvResolver:
    """Secrets of the environment."""

    name = "env"

    def get(self, key: str) -> str | None:
        """The variable of this name."""
        return os.environ.get(key)


class StaticResolver:
    """Secrets given by hand."""

    name = "static"

    def __init__(self, values: Mapping[str, str] | None = None) -> None:
        self._values = dict(values or {})

    def get(self, key: str) -> str | None:
        """What was given under this name."""
        return self._values.get(key)

    def set(self, key: str, value: str) -> None:
        """Give a secret."""
        self._values[key] = value


class ChainedResolver:
    """The first of several resolvers that knows a secret."""

    def __init__(self, resolvers: Sequence[SecretsResolver]) -> None:
        if not resolvers:
            raise ValueError("a chain needs at least one resolver, such as EnvResolver()")
        self._resolvers = list(resolvers)
        self.name = f"chain[{','.join(map(_name, self._resolvers))}]"

    def get(self, key: str) -> str | None:
        """What the first resolver that knows it says."""
        return next((value for each in self._resolvers if (value := each.get(key)) is not None), None)


_DEFAULT = EnvResolver()
_registered: list[SecretsResolver] = []
"""What the user registered for this process, as documented; empty where nothing is."""


def set_resolver(resolver: SecretsResolver) -> None:
    """Take every secret of this process from a resolver."""
    if not isinstance(resolver, SecretsResolver):
        raise TypeError(f"a resolver has get(key) -> str | None; got {type(resolver).__name__}")
    _registered[:] = [resolver]


def get_resolver() -> SecretsResolver:
    """The resolver in use."""
    return _registered[0] if _registered else _DEFAULT


def reset_resolver() -> None:
    """Take secrets from the environment again."""
    _registered.clear()


def get_secret(key: str, default: str | None = None, *, required: bool = False) -> str | None:
    """A secret, else the default; a required one that is not there is a SecretsError."""
    resolver = get_resolver()
    found = resolver.get(key)
    if found is None and required:
        raise SecretsError(key, _name(resolver))
    return default if found is None else found


def _name(resolver: SecretsResolver) -> str:
    return str(getattr(resolver, "name", type(resolver).__name__))
