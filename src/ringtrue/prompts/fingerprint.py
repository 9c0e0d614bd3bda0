"""The SHA-256 of a prompt: once as it is written, and once without regard to its white space."""

from __future__ import annotations

import hashlib

from ringtrue.scoring.composed import composed


def normalize_text(text: str) -> str:
    """The text in NFC, without white space around it and at the ends of its lines."""
    lines = composed(text).splitlines()
    return "\n".join(line.rstrip() for line in lines).strip()


def fingerprint_text(text: str) -> str:
    """The SHA-256 of the normalized text: equal where an editor changed nothing that is seen."""
    return _digest(normalize_text(text))


def loose_normalize_text(text: str) -> str:
    """The words of the text in NFC, with one blank between them."""
    return " ".join(composed(text).split())


def loose_fingerprint_text(text: str) -> str:
    """The SHA-256 of the words: it tells that a change is one of lines and indents, and never that there is none."""
    return _digest(loose_normalize_text(text))


def writable(text: str) -> str:
    """Text that any file can hold: half a pair of surrogates, as in names of files that are no Unicode, is escaped."""
    return text.encode("utf-8", "backslashreplace").decode()


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
