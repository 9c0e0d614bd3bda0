"""`MediaArtifact`: which bytes a case is about, without keeping them."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from ringtrue.reports.sealed_record import SealedRecord

from multivon_eval.case import EvalCase
from multivon_eval.media_probe import probe_media

__all__ = ["MediaArtifact", "case_media", "media_sources", "with_media"]

MEDIA_KEY = "multivon_media_v1"
SCHEMA = "multivon.media/v1"
MEDIA_TYPES = (
    "image/png", "image/jpeg", "image/webp", "audio/wav", "audio/mpeg", "video/mp4", "application/pdf",
)  # fmt: skip
MAX_BYTES = 32 * 1024 * 1024
_FIELDS = {"schema", "sha256", "size_bytes", "media_type", "properties", "probe", "provenance", "digest"}
Resolver = Callable[["MediaArtifact"], bytes]


class MediaArtifact(SealedRecord):
    """The hash, the size and the type of some bytes, and where they are from; `verify` holds bytes against them."""

    schema = SCHEMA

    def require(self, data: dict[str, Any]) -> None:
        """Raise ValueError unless these values describe media, and nothing else."""
        if set(data) != _FIELDS:
            raise ValueError(f"a description of media has {', '.join(sorted(_FIELDS))}; got {', '.join(sorted(data))}")
        _require_type(data["media_type"])

    @classmethod
    def capture(
        cls, content: bytes, media_type: str, *, provenance: Mapping[str, Any] | None = None, max_bytes: int = MAX_BYTES
    ) -> MediaArtifact:
        """The description of these bytes."""
        if not isinstance(content, bytes) or not 0 < len(content) <= max_bytes:
            raise ValueError(f"media are bytes, at least one and at most max_bytes={max_bytes}")
        _require_type(media_type)
        properties, probe = probe_media(content, media_type)
        data = {
            "sha256": hashlib.sha256(content).hexdigest(),
            "size_bytes": len(content),
            "media_type": media_type,
            "properties": properties,
            "probe": probe,
            "provenance": dict(provenance or {}),
        }
        return cls.of(data)

    @property
    def id(self) -> str:
        """A name that no other description has."""
        return f"urn:multivon:media:{self.digest}"

    @property
    def media_type(self) -> str:
        """The type of the bytes."""
        return str(self.data["media_type"])

    def verify(self, content: bytes) -> bytes:
        """The bytes, if they are those that were described."""
        if not isinstance(content, bytes) or hashlib.sha256(content).hexdigest() != self.data["sha256"]:
            raise ValueError("the bytes do not match the bound content")
        told = self.data["properties"]
        if told and probe_media(content, self.media_type)[0] not in ({}, told):
            raise ValueError("the properties differ from those of the bytes")
        return content

    def data_uri(self, content: bytes) -> str:
        """The bytes as a data URI, if they are those that were described."""
        return f"data:{self.media_type};base64,{base64.b64encode(self.verify(content)).decode('ascii')}"


def _require_type(media_type: Any) -> None:
    if media_type not in MEDIA_TYPES:
        raise ValueError(f"media of the type {media_type!r} are not supported; {', '.join(MEDIA_TYPES)} are")


def case_media(case: EvalCase) -> tuple[MediaArtifact, ...]:
    """The media a case is bound to, in order."""
    found = case.metadata.get(MEDIA_KEY, [])
    if not isinstance(found, (list, tuple)):
        raise ValueError(f"case.metadata[{MEDIA_KEY!r}] is a list of descriptions; with_media() makes it")
    return tuple(MediaArtifact.from_dict(one) for one in found)


def with_media(case: EvalCase, *artifacts: MediaArtifact) -> EvalCase:
    """A copy of a case that is bound to these media."""
    if not artifacts or any(not isinstance(one, MediaArtifact) for one in artifacts):
        raise ValueError("with_media takes a case and one MediaArtifact or more")
    return replace(case, metadata={**case.metadata, MEDIA_KEY: [one.data for one in artifacts]})


def media_sources(case: EvalCase, resolver: Resolver | None) -> tuple[str, ...]:
    """The media of a case as data URIs; `resolver` finds the bytes, and they are held against their description."""
    artifacts = case_media(case)
    if artifacts and resolver is None:
        raise ValueError("bound media need an explicit bytes resolver: media_resolver=lambda artifact: ...")
    return tuple(one.data_uri(resolver(one)) for one in artifacts if resolver is not None)
