"""What some bytes are, as the libraries that read them say: how large a picture, how long a sound, how many pages."""

from __future__ import annotations

import io
import threading
import wave
from collections.abc import Callable
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any

from multivon_eval.values import required

__all__ = ["PDFIUM_LOCK", "probe_media"]

PDFIUM_LOCK = threading.RLock()
"""PDFium may be used by one thread at a time."""
_IMAGES = {"image/png": "PNG", "image/jpeg": "JPEG", "image/webp": "WEBP"}
_STREAMS = {"audio/mpeg": "mp3", "video/mp4": "mp4"}
_ORIENTATION = 274
_NOTHING_ELSE = {"protocol_whitelist": "", "enable_drefs": "0", "use_absolute_path": "0"}
"""A container may name other files; none is opened."""


def probe_media(content: bytes, mime: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """The properties of media, and what read them; nothing is known where its library is not installed.

    Bytes that are not of this type, or that nobody can read, raise.
    """
    read, package, module = _reader(mime)
    if module and find_spec(module) is None:
        return {}, {}
    found = read(content, mime)
    return found, {"library": package, "version": version(package) if module else "standard library"}


def _reader(mime: str) -> tuple[Callable[[bytes, str], dict[str, Any]], str, str]:
    """How a type is read, and the package and the module that it takes."""
    if mime in _IMAGES:
        return _image, "pillow", "PIL"
    if mime == "audio/wav":
        return _wav, "wave", ""
    if mime == "application/pdf":
        return _pdf, "pypdfium2", "pypdfium2"
    return _stream, "av", "av"


def _image(content: bytes, mime: str) -> dict[str, Any]:
    with required("PIL.Image", "MediaArtifact", "pillow").open(io.BytesIO(content)) as image:
        if image.format != _IMAGES[mime]:
            raise ValueError(f"the MIME type of these bytes is not {mime}: they are {image.format}")
        turned = int(image.getexif().get(_ORIENTATION, 1))
        return {
            "width": image.width,
            "height": image.height,
            "orientation": turned,
            "n_frames": int(getattr(image, "n_frames", 1)),
        }


def _wav(content: bytes, mime: str) -> dict[str, Any]:
    try:
        with wave.open(io.BytesIO(content)) as sound:
            seconds = sound.getnframes() / sound.getframerate()
            told = {"sample_rate": sound.getframerate(), "channels": sound.getnchannels()}
    except (wave.Error, EOFError, ZeroDivisionError) as error:
        raise ValueError(f"the MIME type of these bytes is not {mime}: {error}") from error
    return {"duration_seconds": seconds, **told}


def _stream(content: bytes, mime: str) -> dict[str, Any]:
    av = required("av", "MediaArtifact", "av")
    kind = mime.partition("/")[0]
    with av.open(io.BytesIO(content), format=_STREAMS[mime], options=_NOTHING_ELSE) as container:
        streams = [stream for stream in container.streams if stream.type == kind]
        if not streams:
            raise ValueError(f"the MIME type of these bytes is not {mime}: they hold no {kind}")
        stream = streams[0]
        length = stream.duration * stream.time_base if stream.duration else (container.duration or 0) / av.time_base
        told = {"duration_seconds": float(length), "stream_index": stream.index}
        if kind == "video":
            return {**told, "width": stream.width, "height": stream.height}
        return {**told, "sample_rate": stream.rate, "channels": stream.channels}


def _pdf(content: bytes, mime: str) -> dict[str, Any]:
    pdfium = required("pypdfium2", "MediaArtifact", "pypdfium2")
    with PDFIUM_LOCK:
        try:
            document = pdfium.PdfDocument(content)
        except pdfium.PdfiumError as error:
            raise ValueError(f"the MIME type of these bytes is not {mime}: {error}") from error
        try:
            return {"pages": len(document)}
        finally:
            document.close()
