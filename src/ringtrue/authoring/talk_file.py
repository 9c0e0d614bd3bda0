"""`TalkFile`: conversations in a file, a line each as it ends; what is finished there is not held again."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path

from ringtrue.atomic_file import check_place, write_whole
from ringtrue.authoring.personas import Persona
from ringtrue.authoring.simulation import UNFINISHED, Conversation, Scene, numbered_names
from ringtrue.datasets.files.reader import read_stream
from ringtrue.errors import ConfigurationError, InputError
from ringtrue.jsontext import json_text
from ringtrue.jsontext_reader import read_json
from ringtrue.records import Json


class TalkFile:
    """The conversations of a scene in a JSONL file that `ringtrue score` takes.

    A file with conversations of another scene or of other people is refused, unless it is `fresh`.
    """

    def __init__(
        self, path: str | os.PathLike[str], scene: Scene, personas: Sequence[Persona], *, fresh: bool = False
    ) -> None:
        check_place(path, "output")
        self.path, self.scene = Path(path), scene
        names = numbered_names([persona.name for persona in personas])
        wanted = dict(zip(names, personas, strict=True))
        self.kept: dict[str, dict[str, Json]] = {}
        for row in _rows_held(self.path) if self.path.exists() and not fresh else ():
            persona = wanted.get(str(row.get("id")))
            if persona is None or row.get("simulated") != scene.key(persona):
                raise ConfigurationError(
                    f"{str(path)!r} holds conversations of other people, or with another system; give another file, "
                    "or --fresh to overwrite it",
                    parameter="output",
                    value=path,
                )
            if row.get("ending") not in UNFINISHED:
                self.kept[str(row["id"])] = row
        self.names = [name for name in names if name not in self.kept]
        self.personas = [wanted[name] for name in self.names]

    def begin(self) -> None:
        """Write what is kept; the file is there, and whole."""
        write_whole(self.path, "".join(map(_line, self.kept.values())).encode())

    def add(self, place: int, one: Conversation) -> dict[str, Json]:
        """Write down a conversation that has ended, so that nothing that follows can lose it."""
        row = self.scene.row(one, self.names[place])
        try:
            with self.path.open("ab") as file:
                file.write(_line(row).encode())
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise InputError(f"cannot write {str(self.path)!r}: {error.strerror or error}") from error
        return row


def _rows_held(path: Path) -> Iterator[dict[str, Json]]:
    """The rows of a file; a last line that was cut off while it was written is none, and is held again."""
    data = path.read_bytes()
    whole, _, last = data.rpartition(b"\n")
    cut_off = last and read_json(last.decode("utf-8", "replace")).problem
    for chunk in read_stream(BytesIO(whole if cut_off else data), str(path), "jsonl"):
        rows, problems = chunk.read()
        for problem in problems:
            raise InputError(f"{problem.where}: {problem.what}; give another file, or --fresh to overwrite it")
        yield from (dict(row) for _, row in rows)


def _line(row: dict[str, Json]) -> str:
    return f"{json_text(row)}\n"
