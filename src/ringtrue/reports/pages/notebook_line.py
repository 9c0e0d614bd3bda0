"""`NotebookLine`: progress in a notebook, one line and a bar that stays as the record."""

from __future__ import annotations

import sys
from typing import Any

from ringtrue.reports.page import render


def in_notebook() -> bool:
    """Whether this process is a notebook's kernel; a program that never loaded IPython is none."""
    shell = sys.modules.get("IPython")
    found = shell.get_ipython() if shell is not None else None
    return found is not None and hasattr(found, "kernel")


class NotebookLine:
    """A display of one cell, redrawn while the work proceeds."""

    def __init__(self) -> None:
        self.handle: Any = None

    def show(self, done: float, total: float | None, words: str) -> None:
        """Show how far the work is; a front end without HTML gets the words."""
        from IPython import display

        bundle = {"text/html": render("progress.html", done=done, total=total, words=words), "text/plain": words}
        if self.handle is None:
            self.handle = display.display(bundle, raw=True, display_id=True)  # type: ignore[no-untyped-call]
        else:
            self.handle.update(bundle, raw=True)
