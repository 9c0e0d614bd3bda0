"""Asking a model: requests, replies, endpoints, and what they wear (limits, retries, caches, prices).

The names below load when they are first used.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # spelled out: `typing` alone would load a dozen modules
if TYPE_CHECKING:
    from ringtrue.models.client.endpoint import Endpoint as Endpoint
    from ringtrue.models.local.local_model import LocalModel as LocalModel
    from ringtrue.models.reply import Reply as Reply
    from ringtrue.models.request import Request as Request
    from ringtrue.models.scripted import ScriptedModel as ScriptedModel
    from ringtrue.models.structured.question import Question as Question
    from ringtrue.models.structured.structured_model import StructuredModel as StructuredModel

_NAMES = {
    "Endpoint": "ringtrue.models.client.endpoint",
    "LocalModel": "ringtrue.models.local.local_model",
    "Question": "ringtrue.models.structured.question",
    "Reply": "ringtrue.models.reply",
    "Request": "ringtrue.models.request",
    "ScriptedModel": "ringtrue.models.scripted",
    "StructuredModel": "ringtrue.models.structured.structured_model",
}
__all__ = sorted(_NAMES)


def __getattr__(name: str) -> object:
    if name not in _NAMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_NAMES[name]), name)


def __dir__() -> list[str]:
    return __all__
