"""`call_vision`: a prompt with pictures, in the form that all providers read, or in that of Anthropic's package."""

from __future__ import annotations

import base64
import mimetypes
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from multivon_eval.exceptions import JudgeUnavailable
from multivon_eval.judge import JudgeConfig, ask_parts
from multivon_eval.judge_vendors import vendor_package
from multivon_eval.provider_http import sdk_http_client
from ringtrue.records import Json

__all__ = ["JudgeUnavailable", "call_vision"]

PDF = "application/pdf"
_DATA = re.compile(r"data:([^;,]{1,100});base64,")
_TEXT_ONLY = {
    "openai": ("gpt-3.5-turbo", "text-davinci-", "text-curie-"),
    "anthropic": ("claude-2", "claude-instant-"),
    "google": ("text-bison", "chat-bison"),
}


def call_vision(prompt: str, sources: Sequence[str], judge: Any, max_tokens: int = 2048) -> str:
    """What the judge replies to a prompt about pictures: paths, addresses or data URIs; JudgeUnavailable if nothing."""
    if not _is_vision_capable(judge):
        raise JudgeUnavailable(f"the model {judge.model!r} reads text alone", judge.provider, judge.model)
    given = {name: getattr(judge, name, None) for name in ("base_url", "temperature", "timeout")}
    config = JudgeConfig(judge.provider, judge.model, given["base_url"] or "", given["temperature"])
    if config.provider == "litellm":
        raise JudgeUnavailable("litellm is asked for texts alone; name another provider", "litellm", judge.model)
    config = replace(config, timeout=given["timeout"], max_tokens=max_tokens).resolve()
    text: Json = {"type": "text", "text": prompt}
    if config.provider == "anthropic" and vendor_package(config) is not None:
        return ask_parts([*map(_block, sources), text], config, sdk_http_client)
    return ask_parts([text, *map(_part, sources)], config, sdk_http_client)


def _part(source: str) -> Json:
    uri, kind, _ = _image_to_data_uri(source)
    if kind == PDF:
        name = "document.pdf" if source.startswith("data:") else Path(source).name
        return {"type": "file", "file": {"filename": name, "file_data": uri}}
    return {"type": "image_url", "image_url": {"url": uri}}


def _block(source: str) -> Json:
    uri, kind, data = _image_to_data_uri(source)
    held: Json = {"type": "base64", "media_type": kind, "data": data} if data else {"type": "url", "url": uri}
    return {"type": "document" if kind == PDF else "image", "source": held}


def _is_vision_capable(judge: Any) -> bool:
    """Whether a model may read pictures: all but those that are known not to."""
    model = (getattr(judge, "model", "") or "").lower()
    return not model.startswith(_TEXT_ONLY.get(getattr(judge, "provider", ""), ())) or not model


def _image_to_data_uri(src: str) -> tuple[str, str, str]:
    """What is sent for a source, its type, and its bytes in base 64 unless the provider fetches them itself."""
    if src.startswith("data:"):
        found = _DATA.match(src)
        if found is None:
            raise ValueError(f"a data URI begins with data:TYPE;base64, and not with {src[:40]!r}")
        return src, found[1], src[found.end() :]
    if src.startswith(("http://", "https://")):
        return src, mimetypes.guess_type(src)[0] or "image/jpeg", ""
    path = Path(src).expanduser()
    if not path.is_file():
        raise FileNotFoundError(f"there is no picture {src!r}")
    kind = mimetypes.guess_type(path.name)[0] or "image/jpeg"
    data = base64.b64encode(path.read_bytes()).decode("ascii")
    return f"data:{kind};base64,{data}", kind, data
