"""Asking a model: requests, replies, endpoints, and their limits, retries, caches and prices.

The names below load when they are first used.
"""

from __future__ import annotations

from ringtrue._lazy import exports

TYPE_CHECKING = False  # spelled out: `typing` alone would load a dozen modules
if TYPE_CHECKING:
    from ringtrue.models.client.endpoint import Endpoint as Endpoint
    from ringtrue.models.client.http_client import HttpClient as HttpClient
    from ringtrue.models.client.http_client import Response as Response
    from ringtrue.models.client.prices import Prices as Prices
    from ringtrue.models.local.local_model import LocalModel as LocalModel
    from ringtrue.models.model import Model as Model
    from ringtrue.models.reply import Reply as Reply
    from ringtrue.models.request import Request as Request
    from ringtrue.models.scripted import ScriptedModel as ScriptedModel
    from ringtrue.models.structured.question import Question as Question
    from ringtrue.models.structured.structured_model import StructuredModel as StructuredModel

_NAMES = {
    "Endpoint": "ringtrue.models.client.endpoint",
    "HttpClient": "ringtrue.models.client.http_client",
    "LocalModel": "ringtrue.models.local.local_model",
    "Model": "ringtrue.models.model",
    "Prices": "ringtrue.models.client.prices",
    "Question": "ringtrue.models.structured.question",
    "Reply": "ringtrue.models.reply",
    "Request": "ringtrue.models.request",
    "Response": "ringtrue.models.client.http_client",
    "ScriptedModel": "ringtrue.models.scripted",
    "StructuredModel": "ringtrue.models.structured.structured_model",
}
__getattr__, __dir__, __all__ = exports(__name__, _NAMES)
