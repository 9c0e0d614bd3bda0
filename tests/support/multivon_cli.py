"""The command line of the drop-in's `multivon_eval`, called within the test's process."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from multivon_eval.cli import main

Run = Callable[..., tuple[int, str, str]]
"""Words -> the exit code, what was printed, and what was complained about."""


def runs(capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs commands, and tells what each came to."""

    def called(*words: object) -> tuple[int, str, str]:
        capsys.readouterr()
        code = 0
        try:
            main([str(word) for word in words])
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
        return code, *capsys.readouterr()

    return called
