"""Bytes of text as UTF-8: the encoding is known by its mark, named by the caller, or refused with a guess."""

from __future__ import annotations

import codecs
import io
import re
from typing import BinaryIO

from ringtrue.errors import ConfigurationError, InputError

BLOCK_BYTES = 256 * 1024
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
"""What a text begins with -> its encoding; the mark of UTF-32 begins with that of UTF-16."""

_ZEROS: dict[tuple[bool, ...], str] = {
    (True, True, True, False): "utf-32-be",
    (False, True, True, True): "utf-32-le",
    (True, False, True, False): "utf-16-be",
    (False, True, False, True): "utf-16-le",
}
"""Which of the first four bytes are zero where a text without a mark begins with plain letters, braces or quotes."""

_NAMES = {"cp1252": "Windows-1252", "cp1251": "Windows-1251", "shift_jis": "Shift JIS", "gb18030": "GB 18030"}
_HIGH_RUNS = re.compile(rb"[\x80-\xff]+")


def as_utf8(first: bytes, rest: BinaryIO, name: str, encoding: str | None = None) -> Utf8Stream:
    """The same text in UTF-8 without a mark; reading it raises an InputError at the first byte that is not text.

    `first` is what was read of it already. Text that is partly in another encoding is refused as a whole: the rows that
    happen to be plain ASCII would be a biased choice among all rows.
    """
    chosen = _checked_encoding(encoding) if encoding else _marked_encoding(first)
    return Utf8Stream(first, rest, name, chosen)


def guess_encoding(data: bytes) -> str:
    """Return the likely encoding of text that is not UTF-8; empty if none is likely."""
    runs = _HIGH_RUNS.findall(data)
    high = b"".join(runs)
    if not high:
        return ""
    if len(high) <= 1.5 * len(runs) and _decodes(data, "cp1252"):
        return "cp1252"  # letters with accents are between letters without
    kana = sum("\u3040" <= letter <= "\u30ff" for letter in data.decode("shift_jis", "replace"))
    if kana > len(high) / 20 and _decodes(data, "shift_jis"):
        return "shift_jis"
    if sum(byte >= 0xE0 for byte in high) > 0.6 * len(high) and _decodes(data, "cp1251"):
        return "cp1251"  # small letters of Cyrillic
    leading = [byte for run in runs for byte in run[::2]]
    if sum(0xB0 <= byte <= 0xD7 for byte in leading) > 0.6 * len(leading) and _decodes(data, "gb18030"):
        return "gb18030"  # the common characters
    return ""


def _marked_encoding(first: bytes) -> str:
    found = next((encoding for mark, encoding in _MARKS if first.startswith(mark)), None)
    return found or _ZEROS.get(tuple(byte == 0 for byte in first[:4]), "utf-8")


def _checked_encoding(encoding: str) -> str:
    try:
        "".encode(encoding)
    except LookupError as error:
        raise ConfigurationError(
            f"no text encoding is named {encoding!r}; write utf-8, cp1252, latin-1, utf-16, shift_jis …",
            parameter="encoding",
            value=encoding,
        ) from error
    return "utf-8-sig" if codecs.lookup(encoding).name == "utf-8" else encoding


def _decodes(data: bytes, encoding: str) -> bool:
    try:
        codecs.getincrementaldecoder(encoding)().decode(data)  # a character may be cut off at the end
    except UnicodeDecodeError:
        return False
    return True


class Utf8Stream(io.RawIOBase):
    """Text in some encoding, read as UTF-8; what is UTF-8 already is only looked at.

    `lines` is how many ends of lines were read so far.
    """

    def __init__(self, first: bytes, rest: BinaryIO, name: str, encoding: str) -> None:
        self._first, self._rest, self._name, self._encoding = first, rest, name, encoding
        self._plain = encoding in ("utf-8", "utf-8-sig")
        if self._plain:
            self._first = first.removeprefix(codecs.BOM_UTF8)
        self._decoder = codecs.getincrementaldecoder("utf-8" if self._plain else encoding)()
        self._waiting = b""
        self.lines = 0
        self._seen_beyond_ascii, self._ended = False, False

    def read(self, size: int = -1) -> bytes:
        if size < 0:
            return b"".join(iter(lambda: self.read(BLOCK_BYTES), b""))
        while not self._waiting and not self._ended:
            self._waiting = self._next_block()
        data, self._waiting = self._waiting[:size], self._waiting[size:]
        self.lines += data.count(b"\n")
        return data

    def _next_block(self) -> bytes:
        data, self._first = self._first or self._rest.read(BLOCK_BYTES), b""
        self._ended = not data
        cut_off, _ = self._decoder.getstate()
        if self._plain and data.isascii() and not cut_off:
            return data
        try:
            text = self._decoder.decode(data, final=not data)
        except UnicodeDecodeError as error:
            raise self._refusal(error) from error
        self._seen_beyond_ascii = self._seen_beyond_ascii or not text.isascii()
        return data if self._plain else text.encode("utf-8")

    def _refusal(self, error: UnicodeDecodeError) -> InputError:
        before = error.object[: error.start]
        line = self.lines + before.count(b"\n") + 1
        kind = "UTF-8" if self._plain else self._encoding
        what = f"{self._name} is not {kind} (byte 0x{error.object[error.start]:02x} in line {line:,})"
        if not self._plain:
            return InputError(f"{what}; name another encoding")
        if b"\0" in error.object:
            return InputError(f"{self._name} is a binary file, not text; give JSON, JSONL or CSV, or name its --format")
        if self._seen_beyond_ascii or not before.isascii():
            return InputError(f"{what}; what comes before it is UTF-8, so that line is damaged: repair or remove it")
        guess = guess_encoding(error.object)
        if not guess:
            return InputError(f"{what}; save it as UTF-8, or name its encoding: --encoding NAME, encoding= in Python")
        return InputError(
            f"{what}; it looks like {_NAMES[guess]}: --encoding {guess}, or encoding={guess!r} in Python, reads it"
        )
