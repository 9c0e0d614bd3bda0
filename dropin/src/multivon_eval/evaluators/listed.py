"""`Listed`: a setting that is given and read as a list; what is changed in the list is changed in the check."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any


class Changing(list[Any]):
    """A list that says so when it was changed."""

    def __init__(self, values: Iterable[Any] = (), changed: Callable[[list[Any]], None] | None = None) -> None:
        super().__init__(values)
        self._changed = changed

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(tuple(self))  # a check is hashed by its settings, which are tuples elsewhere

    def __reduce__(self) -> tuple[type[list[Any]], tuple[list[Any]]]:
        return list, (list(self),)


def _telling(name: str) -> Callable[..., Any]:
    change = getattr(list, name)

    def told(self: Changing, *args: Any, **kwargs: Any) -> Any:
        found = change(self, *args, **kwargs)
        if self._changed is not None:
            self._changed(list(self))
        return found

    return told


for _name in (
    "append", "extend", "insert", "remove", "pop", "clear", "sort", "reverse", "__setitem__", "__delitem__", "__iadd__",
    "__imul__",
):  # fmt: skip
    setattr(Changing, _name, _telling(_name))


class Listed:
    """A setting of a check that keeps it as a tuple; a list that the check would refuse is refused when it is made."""

    def __set_name__(self, kind: type, name: str) -> None:
        self._name = name

    def __get__(self, check: Any, kind: type | None = None) -> Any:
        if check is None or self._name not in vars(check):
            raise AttributeError(self._name)
        kept = vars(check)[self._name]
        if not isinstance(kept, tuple):
            return kept  # what was given, which the check has yet to look at
        return Changing(kept, lambda values: setattr(check, self._name, values))

    def __set__(self, check: Any, value: Any) -> None:
        vars(check)[self._name] = value
