"""Files that go beside a report."""

from __future__ import annotations

import json
import os
import shutil
import zipfile
from pathlib import Path

from pydantic import BaseModel


def zipped(source: Path, target: Path) -> None:
    """All files of a folder in a ZIP archive; links are left out, for they lead to somebody else's files.

    A name that is no text stands there with its bytes spelled out.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, strict_timestamps=False) as archive:
        for place, folders, names in os.walk(source):
            folders.sort()
            for name in sorted(names):
                path = Path(place, name)
                if path.is_file() and not path.is_symlink():
                    archive.write(path, os.fsencode(path.relative_to(source)).decode("utf-8", "backslashreplace"))


def copied(source: Path, target: Path) -> bool:
    """Whether a file was there to be copied; the folders on the way are made."""
    if not source.is_file():
        return False
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)
    return True


def written(target: Path, text: str) -> Path:
    """The file, with this text in it; the folders on the way are made."""
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, encoding="utf-8", errors="replace")
    return target


def kept(target: Path, record: BaseModel) -> Path:
    """The file, with this record in it as JSON; half a surrogate pair, which is no text, is a question mark there."""
    return written(target, json.dumps(record.model_dump(mode="json"), indent=2, ensure_ascii=False))
