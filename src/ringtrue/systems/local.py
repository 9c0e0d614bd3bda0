"""`LocalSystem`: the embedded model, or any GGUF file, as a system: no key, no network."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ringtrue.models.local.local_model import LocalModel
from ringtrue.models.model import Model
from ringtrue.models.request import Request
from ringtrue.records import Json
from ringtrue.systems.chat import ChatSystem, Message


class LocalSystem(ChatSystem):
    """Asks a model in this process what an endpoint would be asked; one case at a time."""

    in_flight = 1

    def __init__(self, path: str | None = None, name: str = "", settings: Mapping[str, Json] | None = None) -> None:
        self._local = LocalModel(path)
        self.take_name(name, "local")
        self.root, self.model = self._local.endpoint, self._local.name
        self.parameters = {**self._local.defaults, **(settings or {})}

    def request(self, messages: Sequence[Message], repeat: int = 0) -> Request:
        """The request; its seed is the number of the repeat."""
        seeded = {**self.parameters, "seed": int(self.parameters.get("seed") or 0) + repeat}
        return Request(self.root, self.model, tuple(messages), seeded)

    def has_price(self) -> bool:
        """It costs nothing."""
        return True

    def _model(self) -> Model:
        return self._local
