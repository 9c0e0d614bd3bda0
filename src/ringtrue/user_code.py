"""Objects in a user's own modules and files: MODULE:NAME and FILE.py:NAME."""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
import traceback
from pathlib import Path
from types import ModuleType
from typing import Any

from ringtrue.errors import ConfigurationError
from ringtrue.identity import digest
from ringtrue.require import did_you_mean


def import_object(place: str, folder: Path, parameter: str) -> Any:
    """Import the object of MODULE:NAME or FILE.py:NAME; the module or file is looked for in a folder first."""
    module, _, attribute = place.rpartition(":")
    if attribute and module.endswith(".py"):
        file = folder.absolute() / module
        if not file.is_file():
            raise ConfigurationError(f"{module!r} does not exist; write FILE.py:NAME", parameter=parameter, value=place)
        folder, module = file.parent, file.stem
        if not module.isidentifier():
            return _attribute(_beside(module, file), attribute, place, parameter)
    if not attribute or not all(part.isidentifier() for part in module.split(".")):
        raise ConfigurationError(f"write MODULE:NAME or FILE.py:NAME; got {place!r}", parameter=parameter, value=place)
    try:
        found: Any = _module(module, folder.absolute())
    except ModuleNotFoundError as error:
        words = f"cannot import {module!r}: {error}; install it, or correct the name"
        raise ConfigurationError(words, parameter=parameter, value=module) from error
    except Exception as error:  # the module is the user's, and may raise anything
        words = f"cannot import {module!r}: {type(error).__name__}: {error}{_place(error)}"
        raise ConfigurationError(words, parameter=parameter, value=module) from error
    return _attribute(found, attribute, module, parameter)


def _place(error: Exception) -> str:
    """Return the place where user code raised; a SyntaxError has it itself."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return "" if isinstance(error, SyntaxError) else f" ({os.path.basename(last.filename)}, line {last.lineno})"


def _attribute(found: Any, attribute: str, module: str, parameter: str) -> Any:
    for name in attribute.split("."):
        if not hasattr(found, name):
            hint = did_you_mean(name, vars(found), "name a function that it defines")
            words = f"the module {module!r} has no {attribute!r}; {hint}"
            raise ConfigurationError(words, parameter=parameter, value=attribute)
        found = getattr(found, name)
    return found


def _module(name: str, folder: Path) -> ModuleType:
    file = folder.joinpath(*name.split(".")).with_suffix(".py")
    loaded = sys.modules.get(name)
    if file.is_file() and loaded is not None and getattr(loaded, "__file__", None) != str(file):
        return _beside(name, file)
    importlib.invalidate_caches()  # the module may be younger than the last look into its folder
    before, places = list(sys.path), [str(folder), os.getcwd()]
    sys.path[:0] = places
    try:
        return importlib.import_module(name)
    finally:
        # Behind all others they hide no package, and worker processes find the module there.
        sys.path[:] = [*before, *(place for place in dict.fromkeys(places) if place not in before)]


def _beside(name: str, file: Path) -> ModuleType:
    """A module whose name another folder's module already has, under a name of its own."""
    own = f"{name}@{digest(os.fsencode(file))[:12]}"
    if own not in sys.modules:
        spec = importlib.util.spec_from_file_location(own, file)
        if spec is None or spec.loader is None:
            raise ImportError(f"{file} is not a module")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        sys.modules[own] = module
    return sys.modules[own]
