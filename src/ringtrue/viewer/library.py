"""`Library`: the runs that a viewer shows: those of a store, and files, which are copied to a store for the while."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from shutil import copyfile
from threading import Lock

from ringtrue.api.runs import open_run
from ringtrue.errors import ConfigurationError
from ringtrue.identity import digest
from ringtrue.records import DEFAULT_STORE, Run
from ringtrue.reports.run_file import is_row_file
from ringtrue.store.address import kept_at, store_file
from ringtrue.store.case_pages import CasePages
from ringtrue.store.database import StoredRun
from ringtrue.store.human_labels import HumanLabels
from ringtrue.store.run_copies import copy_run
from ringtrue.store.runs import RunStore, StoredRows

ID_DIGITS = 12


@dataclass(frozen=True)
class ShownRun:
    """A run with what only the store knows of it; `is_live` says that a process is working on it."""

    run: Run
    stored: StoredRun
    is_live: bool
    file: str = ""

    @property
    def id(self) -> str:
        """Its name in addresses."""
        return self.run.id

    @cached_property
    def pages(self) -> CasePages:
        """Its cases, a page at a time."""
        rows = self.run.rows
        assert isinstance(rows, StoredRows)
        return CasePages(rows)

    @property
    def status(self) -> str:
        """The status of the run."""
        return self.run.status


class Library:
    """Finds runs by id; `only` are the ids to show where not the whole store is wanted."""

    def __init__(self, names: Sequence[str] = (), store: str = DEFAULT_STORE) -> None:
        self.url = store
        self.files: dict[str, str] = {}
        self._folder = tempfile.TemporaryDirectory(prefix="ringtrue-view-")
        self._lock = Lock()
        self._store: RunStore | None = None
        self._shown: RunStore | None = None
        self.only: list[str] = []
        with ExitStack() as on_failure:
            on_failure.callback(self.close)
            self.only = [self._open(name) for name in names]
            on_failure.pop_all()

    def close(self) -> None:
        """Let go of the stores, and of the copies of files."""
        for one in {*self._stores(), *filter(None, [self._store])}:
            one.database.close()
        self._folder.cleanup()

    def __enter__(self) -> Library:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def runs(self) -> list[ShownRun]:
        """The runs to show, the newest first."""
        found = [self._show(store, run) for store in self._stores() for run in store.database.runs()]
        shown = [one for one in found if not self.only or one.id in self.only]
        return sorted(shown, key=lambda one: -one.stored.created)

    def find(self, id: str) -> ShownRun | None:
        """A run by its whole id; None if there is none, or it is not to be shown."""
        if self.only and id not in self.only:
            return None
        for store in self._stores():
            stored = store.database.run(id)
            if stored is not None:
                return self._show(store, stored)
        return None

    def labels(self) -> HumanLabels:
        """Return the human labels of the store, which is made if it is not there."""
        with self._lock:
            if self._store is None:
                self._store = self._shown = RunStore.open(self.url)
        return HumanLabels(self._store.database)

    def _stores(self) -> list[RunStore]:
        with self._lock:
            if self._store is None and kept_at(self.url):
                self._store = self._shown = RunStore.existing(self.url)
                if self._store.database.only_read:
                    self._shown = self._changeable_copy()
        return [*([self._shown] if self._shown else []), *([self._copies] if self.files else [])]

    def _changeable_copy(self) -> RunStore:
        """A copy of a store that cannot be changed: pages need indexes that it may not have."""
        copy = Path(self._folder.name) / "store.db"
        copyfile(str(store_file(self.url)), copy)
        return RunStore.open(str(copy))

    @cached_property
    def _copies(self) -> RunStore:
        return RunStore.open(str(Path(self._folder.name) / "files.db"))

    def _open(self, name: str) -> str:
        """The id of a run that was named on the command line."""
        if not (os.path.exists(name) or is_row_file(name)):
            stores = self._stores()
            if not stores:
                raise ConfigurationError(
                    f"there is no run {name!r}: there is no store; 'ringtrue run' makes one, --store names another",
                    parameter="run",
                    value=name,
                )
            return stores[0].find(name).id
        run = open_run(name, self.url)
        key = digest(os.path.abspath(name))[:ID_DIGITS]
        self.files[key] = name
        copy_run(self._copies, run, key)
        return key

    def _show(self, store: RunStore, stored: StoredRun) -> ShownRun:
        run = store.run_of(stored)
        return ShownRun(run, stored, run.status == "running", self.files.get(stored.id, ""))
