"""`View`: which of the host's files a profile shows, all of them read-only."""

from __future__ import annotations

import glob
import importlib.util
import os
import sys
import sysconfig
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from ringtrue.errors import ConfigurationError

_SHELL = (
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/etc/ssl/certs",
)
_PROGRAM = ("/lib64", "/usr/lib64", "/etc/ld.so.cache", "/usr/share/zoneinfo")
_INSTALLED = ("site-packages", "dist-packages")


@dataclass(frozen=True, slots=True)
class View:
    """Paths that stay visible, each with where it really lies; directories below them that are hidden; import paths."""

    readable: tuple[tuple[str, str], ...]
    hidden: tuple[str, ...] = ()
    import_paths: tuple[str, ...] = ()

    def plain(self) -> dict[str, Any]:
        """The view as JSON."""
        return asdict(self)


def program_view(packages: Iterable[str] = ()) -> View:
    """The standard library, the shared libraries it needs, and the named packages; nothing else that is installed."""
    library = [os.path.dirname(os.__file__), sysconfig.get_config_var("DESTSHARED") or ""]
    shared = glob.glob(os.path.join(glob.escape(sys.base_prefix), "lib", "*.so*"))
    multiarch = sysconfig.get_config_var("MULTIARCH") or ""
    triplets = [path for path in (f"/lib/{multiarch}", f"/usr/lib/{multiarch}") if multiarch and os.path.isdir(path)]
    system = triplets or ["/lib", "/usr/lib"]
    hidden = [os.path.join(folder, name) for folder in library for name in _INSTALLED]
    found = [path for name in packages for path in _package(name)]
    return View(
        _existing([*library, *shared, *system, *_PROGRAM, *found]),
        tuple(sorted({path for path in hidden if os.path.isdir(path)})),
        tuple(dict.fromkeys(os.path.dirname(path) for path in found)),
    )


def shell_view(packages: Iterable[str] = ()) -> View:
    """The system's programs and this interpreter's installation; of /etc only what programs need to start."""
    found = [path for name in packages for path in _package(name)]
    return View(_existing([*_SHELL, sys.base_prefix, *found]), (), tuple(dict.fromkeys(map(os.path.dirname, found))))


def is_installed(name: str) -> bool:
    """Whether this interpreter finds a package by its top-level name; nothing is imported."""
    try:
        return importlib.util.find_spec(name.partition(".")[0]) is not None
    except (ImportError, ValueError):  # a module that was made by hand, or is being imported
        return False


def _package(name: str) -> list[str]:
    # The top-level name alone: looking for a submodule would import its parents.
    top = name.partition(".")[0]
    spec = importlib.util.find_spec(top)
    if spec is None:
        raise ConfigurationError(f"no package named {name!r} is installed here", parameter="packages", value=name)
    if spec.submodule_search_locations:
        folder = os.path.realpath(next(iter(spec.submodule_search_locations)))
        return [folder, *glob.glob(glob.escape(os.path.join(os.path.dirname(folder), top)) + ".libs")]
    return [os.path.realpath(spec.origin)] if spec.origin and os.path.exists(spec.origin) else []


def _existing(paths: Iterable[str]) -> tuple[tuple[str, str], ...]:
    # Shorter first: what lies below a path that is shown needs no window of its own.
    found = sorted({path for path in paths if path and os.path.exists(path)}, key=lambda path: (len(path), path))
    return tuple((path, os.path.realpath(path)) for path in found)
