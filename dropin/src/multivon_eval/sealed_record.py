"""`SealedRecord`: plain values that do not change, under the digest of what they say."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from multivon_eval.canonical import canonical_json, is_sealed, sealed


@dataclass(frozen=True)
class SealedRecord:
    """A record that a ValueError refuses to be unless schema, digest and content fit; a digest is no signature."""

    schema: ClassVar[str] = ""

    text: str
    """The record in canonical JSON."""

    def __post_init__(self) -> None:
        data = self.data
        if not isinstance(data, dict) or data.get("schema") != self.schema or not is_sealed(data):
            raise ValueError(f"the schema is not {self.schema!r}, or the digest is not that of what the record says")
        try:
            self.require(data)
        except (KeyError, TypeError, AttributeError, IndexError) as error:
            raise ValueError(f"{self.schema}: something is missing or of the wrong kind: {error!r}") from error

    def require(self, data: dict[str, Any]) -> None:
        """Raise ValueError unless these values may stand together."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """The record that plain values describe."""
        return cls(canonical_json(dict(data)))

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


def require_text(**values: Any) -> None:
    """Raise ValueError unless each of these is text that says something."""
    for name, value in values.items():
        if not isinstance(value, str) or not value.strip():
            raise ValueError(f"{name} must be text that says something; got {value!r}")
