"""The names of a package, loaded when they are first used: importing the package imports nothing else.

Type checkers and editors read the same names from a `TYPE_CHECKING` block beside the table; a test holds the two equal.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # spelled out: `typing` alone would load a dozen modules
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Exports = tuple[Callable[[str], object], Callable[[], list[str]], list[str]]


def exports(package: str, places: Mapping[str, str], *eager: str) -> Exports:
    """The `__getattr__`, `__dir__` and `__all__` of a package.

    `places` maps each name to its module, or to `module:name` if it has another name there; `eager` are names that the
    package itself defines.
    """
    public = sorted([*places, *eager])

    def load(name: str) -> object:
        if name not in places:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module, _, own = places[name].partition(":")
        return getattr(import_module(module), own or name)

    return load, lambda: public, public
