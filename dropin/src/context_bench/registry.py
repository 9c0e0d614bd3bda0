"""Loaders and metrics under names of one's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class Registry:
    """Objects by kind and name."""

    def __init__(self) -> None:
        self._found: dict[str, dict[str, Any]] = {}

    def register(self, kind: str, name: str, obj: Any) -> None:
        """Keep an object; a later one of the same name replaces it."""
        self._found.setdefault(kind, {})[name] = obj

    def get(self, kind: str, name: str) -> Any:
        """The object of this name."""
        known = self._found.get(kind, {})
        if name not in known:
            raise KeyError(f"No {kind} registered with name {name!r}; there are {', '.join(known) or 'none'}")
        return known[name]

    def list(self, kind: str) -> list[str]:
        """The names of a kind."""
        return list(self._found.get(kind, ()))


registry = Registry()


def register_dataset(name: str, loader: Callable[..., Any]) -> None:
    """Keep a loader."""
    registry.register("dataset", name, loader)


def load_dataset(name: str, **kwargs: Any) -> Any:
    """Load a dataset with the loader of this name."""
    return registry.get("dataset", name)(**kwargs)


def register_metric(name: str, metric: Any) -> None:
    """Keep a metric."""
    registry.register("metric", name, metric)


def get_metric(name: str) -> Any:
    """The metric of this name."""
    return registry.get("metric", name)
