"""`SealedRecord`: plain values that do not change, under the digest of what they say."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from ringtrue.errors import RecordError
from ringtrue.reports.canonical import canonical_json, is_sealed, sealed


@dataclass(frozen=True)
class SealedRecord:
    """A record that cannot be unless schema, digest and content fit; a digest is no signature."""

    schema: ClassVar[str] = ""

    text: str
    """The record in canonical JSON."""

    def __post_init__(self) -> None:
        data = self.data
        if not isinstance(data, dict) or data.get("schema") != self.schema or not is_sealed(data):
            words = f"the schema is not {self.schema!r}, or the digest is not that of what the record says"
            raise RecordError(words, field="digest", value=None)
        try:
            self.require(data)
        except (KeyError, TypeError, AttributeError, IndexError) as error:
            words = f"{self.schema}: something is missing or of the wrong kind: {error!r}"
            raise RecordError(words, field="content", value=None) from error

    def require(self, data: dict[str, Any]) -> None:
        """Raise ValueError unless these values may stand together."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """The record that plain values describe."""
        if not isinstance(data, Mapping):
            raise RecordError(f"a record is an object; got {type(data).__name__}", field="content", value=None)
        return cls(canonical_json(dict(data)))

    @classmethod
    def from_json(cls, text: str) -> Self:
        """The record that any JSON text of it describes."""
        return cls.from_dict(json.loads(text))

    @classmethod
    def of(cls, content: Mapping[str, Any]) -> Self:
        """The record of this content, sealed now."""
        return cls.from_dict(sealed({"schema": cls.schema, **content}))

    @property
    def data(self) -> dict[str, Any]:
        """The record as plain values, in a new object."""
        found: dict[str, Any] = json.loads(self.text)
        return found

    @property
    def digest(self) -> str:
        """The SHA-256 of all that it says."""
        return str(self.data["digest"])

    def to_dict(self) -> dict[str, Any]:
        """The record as plain values, in a new object."""
        return self.data
