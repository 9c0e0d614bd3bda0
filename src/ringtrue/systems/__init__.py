"""Systems by name, loaded when they are first asked for."""

from __future__ import annotations

from ringtrue._lazy import exports

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ringtrue.systems.command import Command as Command
    from ringtrue.systems.identity import Identity as Identity
    from ringtrue.systems.json_api import JsonApi as JsonApi
    from ringtrue.systems.local import LocalSystem as LocalSystem
    from ringtrue.systems.openai_proxy import OpenAIProxy as OpenAIProxy
    from ringtrue.systems.replay import Replay as Replay
    from ringtrue.systems.truncation import Truncation as Truncation

_NAMES = {
    "Command": "ringtrue.systems.command",
    "Identity": "ringtrue.systems.identity",
    "JsonApi": "ringtrue.systems.json_api",
    "LocalSystem": "ringtrue.systems.local",
    "OpenAIProxy": "ringtrue.systems.openai_proxy",
    "Replay": "ringtrue.systems.replay",
    "Truncation": "ringtrue.systems.truncation",
}

__getattr__, __dir__, __all__ = exports(__name__, _NAMES)
