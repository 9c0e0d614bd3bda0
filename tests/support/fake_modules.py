"""Modules of packages that the tests do not install."""

from __future__ import annotations

from types import ModuleType
from typing import Any


def fake_module(name: str, **names: Any) -> ModuleType:
    """A module with these names in it."""
    module = ModuleType(name)
    vars(module).update(names)
    return module
