"""`Revisions`: which commit the hub resolved when an unpinned dataset was first loaded."""

from __future__ import annotations

import os
from pathlib import Path

from ringtrue.atomic_file import write_whole
from ringtrue.errors import InputError
from ringtrue.jsontext import json_bytes, parse_json

DEFAULT = ".ringtrue/revisions.json"


class Revisions:
    """A small file, hub path -> commit; what it holds is used again, so that later runs read the same rows."""

    def __init__(self, path: str | os.PathLike[str] = DEFAULT) -> None:
        self.path = Path(path)

    def of(self, name: str) -> str | None:
        """The recorded commit of a repository."""
        return self._read().get(name)

    def record(self, name: str, commit: str) -> None:
        """Keep a commit; a record that is there stays."""
        known = self._read()
        if name in known:
            return
        write_whole(self.path, json_bytes({**known, name: commit}, sort_keys=True, indent=True))

    def _read(self) -> dict[str, str]:
        try:
            found = parse_json(self.path.read_bytes())
        except FileNotFoundError:
            return {}
        except ValueError as error:
            raise InputError(f"{self.path} is not JSON ({error}); remove it to resolve revisions again") from error
        return {str(key): str(value) for key, value in found.items()} if isinstance(found, dict) else {}
