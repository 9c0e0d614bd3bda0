"""Checks a package of evidence with Python alone: run it in the folder that was unpacked.

It repeats how a log is chained, and needs nothing else: whoever checks the evidence need not have what made it.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path


def problems(folder: Path) -> list[str]:
    """What is wrong with the files in a folder, or with the log among them."""
    found = []
    try:
        manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
        listed = {str(entry["path"]): entry["sha256"] for entry in manifest["files"]}
        tip = manifest["chain_tip"]
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return ["manifest.json is missing or cannot be read"]
    for name, digest in listed.items():
        path = folder / name
        if not path.is_file():
            found.append(f"{name} is missing")
        elif hashlib.sha256(path.read_bytes()).hexdigest() != digest:
            found.append(f"{name} was changed")
    log, before, stored = folder / "audit_log.ndjson", "0" * 64, ""
    for number, line in enumerate(log.read_bytes().split(b"\n") if log.is_file() else (), 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
            stored = record.pop("record_hash", None)
        except (ValueError, AttributeError, RecursionError):
            found.append(f"record {number} cannot be read")
            stored = ""
            continue
        digest = hashlib.sha256(json.dumps(record, separators=(",", ":")).encode()).hexdigest()
        if digest != stored:
            found.append(f"record {number} was changed")
        elif record.get("prev_hash", before) != before:
            found.append(f"a record before record {number} is missing")
        before = digest
    if (stored or "") != tip:
        found.append("the log does not end with the hash in manifest.json")
    return found


def main() -> int:
    """Print what is wrong; 0 where nothing is."""
    found = problems(Path(__file__).resolve().parent)
    sys.stdout.write("".join(f"FAIL: {problem}\n" for problem in found))
    sys.stdout.write("VERIFICATION FAILED\n" if found else "VERIFICATION PASSED\n")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
