"""Inspect: the media of a case as the content of a message, and whether a message still holds them."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable
from typing import Any

from multivon_eval.case import EvalCase
from multivon_eval.media import MediaArtifact, Resolver, case_media
from multivon_eval.values import required

__all__ = ["media_message", "to_inspect_content", "verify_media_message"]

_FORMATS = {"audio/wav": "wav", "audio/mpeg": "mp3", "video/mp4": "mp4"}


def to_inspect_content(artifact: MediaArtifact, content: bytes) -> Any:
    """The content block of some media: image, audio, video or document."""
    model = required("inspect_ai.model", "to_inspect_content", "inspect_ai")
    uri, kind = artifact.data_uri(content), artifact.media_type
    if kind.startswith("image/"):
        return model.ContentImage(image=uri)
    if kind.startswith("audio/"):
        return model.ContentAudio(audio=uri, format=_FORMATS[kind])
    if kind.startswith("video/"):
        return model.ContentVideo(video=uri, format=_FORMATS[kind])
    return model.ContentDocument(document=uri, filename="document.pdf", mime_type=kind)


def media_message(case: EvalCase, resolver: Resolver | None) -> Any:
    """The message of the user: the input of a case, and its media in order; `resolver` finds their bytes."""
    model = required("inspect_ai.model", "media_message", "inspect_ai")
    artifacts = case_media(case)
    if not artifacts:
        return model.ChatMessageUser(content=case.input)
    if resolver is None:
        raise ValueError("bound media need an explicit bytes resolver: media_resolver=lambda artifact: ...")
    shown = [to_inspect_content(artifact, resolver(artifact)) for artifact in artifacts]
    return model.ChatMessageUser(content=[model.ContentText(text=case.input), *shown])


def verify_media_message(case: EvalCase, message: Any) -> None:
    """Raise ValueError unless a message holds the input and the media of a case, byte for byte."""
    artifacts = case_media(case)
    blocks = message.content if isinstance(message.content, list) else [message.content]
    if message.role != "user" or len(blocks) != 1 + len(artifacts) or _text(blocks[0]) != case.input:
        raise ValueError("the message does not hold the input and the media of its case")
    for artifact, block in zip(artifacts, blocks[1:], strict=True):
        artifact.verify(_bytes(getattr(block, getattr(block, "type", ""), ""), artifact.media_type))


def verify_media(case: EvalCase, place: Any, messages: Iterable[Any]) -> None:
    """Raise ValueError unless the message at its place among the messages holds the media of a case, if it has any."""
    if not case_media(case):
        return
    found = list(messages)
    if isinstance(place, bool) or not isinstance(place, int) or not 0 <= place < len(found):
        raise ValueError("nobody knows which message holds the media of the case")
    verify_media_message(case, found[place])


def _text(block: Any) -> Any:
    return block if isinstance(block, str) else getattr(block, "text", None)


def _bytes(uri: Any, kind: str) -> bytes:
    start = f"data:{kind};base64,"
    if not isinstance(uri, str) or not uri.startswith(start):
        raise ValueError("a message holds other media, or a log was read without resolve_attachments=True")
    try:
        return base64.b64decode(uri[len(start) :], validate=True)
    except binascii.Error as error:
        raise ValueError(f"a message holds media that are no base 64: {error}") from error
