"""A log with what belongs to it in one archive that anybody can check with Python alone."""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import PurePosixPath
from string import Template

from ringtrue.errors import AbsentFile, ConfigurationError
from ringtrue.records import Json
from ringtrue.reports.chained_log import ChainedLog, linked
from ringtrue.reports.plain import plain_json

FORMAT = 1


def audit_package(
    log: ChainedLog,
    about: Mapping[str, Json],
    content: Mapping[str, tuple[bytes, str]],
    *,
    extra_files: Mapping[str, bytes] | None = None,
) -> bytes:
    """A ZIP archive of the log and of files, each with a sentence about it, with hashes and a program that checks them.

    `about` names at least `suite_name` and `period`, and stands in the manifest.
    """
    if not log.path.is_file():
        raise AbsentFile(f"there is no log {str(log.path)!r}")
    kept = log.path.read_bytes()
    records, tip = 0, ""
    for link in linked(io.BytesIO(kept)):
        records, tip = records + 1, str(link.record.get("record_hash", ""))
    words = "".join(f"- `{name}`: {what}\n" for name, (_, what) in content.items())
    own = files("ringtrue.reports")
    readme = Template(own.joinpath("audit_readme.md").read_text("utf-8"))
    whole = {
        "audit_log.ndjson": kept,
        **{name: data for name, (data, _) in content.items()},
        "verify.py": own.joinpath("audit_verify.py").read_bytes(),
        "README.md": readme.substitute(about, files=words, tip=tip).encode("utf-8", "backslashreplace"),
    }
    _add(whole, extra_files or {})
    manifest = {
        "package_format_version": FORMAT,
        **about,
        "created_at": datetime.now(UTC).isoformat(),
        "records": records,
        "chain_tip": tip,
        "files": [
            {"path": name, "sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data)}
            for name, data in whole.items()
        ],
    }
    folder = "compliance-evidence-" + safe_name(str(about["period"]))
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as package:
        for name, data in {**whole, "manifest.json": plain_json(manifest).encode()}.items():
            package.writestr(f"{folder}/{name}", data)
    return archive.getvalue()


def _add(whole: dict[str, bytes], extra: Mapping[str, bytes]) -> None:
    """Put further files into an archive; one that takes another's place or leads out of it is refused."""
    for name, data in extra.items():
        path = PurePosixPath(name)
        if name in whole or name == "manifest.json" or path.is_absolute() or ".." in path.parts or "\\" in name:
            words = f"extra_files: {name!r} is the name of another file, or leads out of the archive"
            raise ConfigurationError(words, parameter="extra_files", value=name)
        whole[name] = bytes(data)


def safe_name(name: str) -> str:
    """A name that leads to no other folder, and that every archive can hold."""
    return "".join("_" if sign in "/\\ " or not sign.isprintable() else sign for sign in name)
