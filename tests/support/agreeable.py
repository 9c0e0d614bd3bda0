"""A program whose answers agree with everything, and a sandbox that counts its runs."""

from __future__ import annotations

from typing import Any

from ringtrue.sandbox import Execution, Sandbox

SAYS_YES = """
class Yes:
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    __lt__ = __le__ = __gt__ = __ge__ = __contains__ = __eq__
    def __hash__(self): return 1
    def __len__(self): return 1
    def __add__(self, other): return self
    __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __mod__ = __pow__ = __add__
    def __abs__(self): return 0
    def __round__(self, digits=0): return self
    def __getattr__(self, name):
        if name.startswith("__"): raise AttributeError(name)
        return lambda *a, **k: True
"""
"""An object that agrees with everything."""


def agreeing(names: list[str]) -> str:
    return SAYS_YES + "".join(f"def {name}(*a, **k):\n    return Yes()\n" for name in names)


class Counting:
    """A sandbox that counts what it is asked to run."""

    workers = 2

    def __init__(self, sandbox: Sandbox) -> None:
        self.sandbox, self.packages = sandbox, sandbox.packages
        self._asked: list[str] = []

    @property
    def runs(self) -> int:
        return len(self._asked)

    def run(self, program: str, *arguments: Any, **named: Any) -> Execution:
        self._asked.append(program)  # from several threads
        return self.sandbox.run(program, *arguments, **named)
