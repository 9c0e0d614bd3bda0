"""`Exam`: the tests of a program, as the sandbox gets them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Exam:
    """Tests to run against a program.

    `test` is Python code that asserts. If it only defines functions or classes, `defines` lists what to run after it;
    `check` is called with the program's `entry_point`. `shadows` is a built-in name that here means the program's own
    function. `prelude` runs first, in both processes. `trusting` lets the program's own operators compute with plain
    values, for tests of its objects; they never compare with them. `across` runs the tests in a process of their own;
    otherwise they share the program's, and the verdict says so. `benign` tests change nothing outside themselves, so
    that one examiner can serve many of them.
    """

    test: str
    entry_point: str = ""
    prelude: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    shadows: str = ""
    trusting: bool = False
    across: bool = True
    benign: bool = False

    def plain(self) -> dict[str, Any]:
        """The exam as JSON."""
        return {name: getattr(self, name) for name in self.__slots__}
