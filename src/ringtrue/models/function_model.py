"""`FunctionModel`: a function of the prompt that returns text, as a model; `as_model` finds out what it was given."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeAlias

from ringtrue.errors import ConfigurationError
from ringtrue.models.cache import as_reply
from ringtrue.models.model import Model
from ringtrue.models.reply import Reply
from ringtrue.models.request import Request
from ringtrue.records import Json
from ringtrue.sync import in_thread

Answered: TypeAlias = str | Reply | Mapping[str, Json]
ModelFunction: TypeAlias = Callable[[str], Answered | Awaitable[Answered]]


class FunctionModel:
    """Asks a function, sync or async, for the text that answers a prompt; a sync one runs in a thread of its own.

    The prompt is all that is said, instructions first. A function that decides by itself returns the verdict as a dict
    with the fields that the prompt asks for, such as `{"rating": 4}`: a dict needs no nonce, and texts may be left out.
    What a function raises is its own.
    """

    speaks_text_alone = True
    """A function sees the prompt and none of the parameters, so that what is wanted has to be in the prompt."""

    def __init__(self, function: ModelFunction) -> None:
        if not callable(function):
            raise ConfigurationError(f"a function is wanted; got {function!r}", parameter="model", value=function)
        self.function = function
        self.endpoint = f"function:{getattr(function, '__qualname__', type(function).__qualname__)}"

    async def ask(self, request: Request) -> Reply:
        """Return the function's answer to the request's prompt."""
        return await _answer(self.function, prompt_of(request), request)


class _SpokenModel:
    """An object whose `ask` is not async, or gives text: asked in a thread, and its text is a reply."""

    def __init__(self, model: Any) -> None:
        self.spoken = model
        self.endpoint = getattr(model, "base_url", None) or getattr(model, "endpoint", None) or _name(model)

    async def ask(self, request: Request) -> Reply:
        """Return the object's answer to the request."""
        return await _answer(self.spoken.ask, request, request)


def as_model(given: Any) -> Model:
    """A model of what was given: one already, an object with another kind of `ask`, or a function of the prompt."""
    ask = getattr(given, "ask", None)
    if callable(ask) and not isinstance(given, type):
        own = type(given).__module__.startswith("ringtrue.")
        model: Model = given if own or inspect.iscoroutinefunction(ask) else _SpokenModel(given)
        return model
    if callable(given) and not isinstance(given, type):
        return FunctionModel(given)
    raise ConfigurationError(
        "a model is a name, an object with ask(request) such as ringtrue.models.Endpoint, or a function of the prompt "
        f"that returns text or a dict; got {given!r}",
        parameter="model",
        value=given,
    )


def prompt_of(request: Request) -> str:
    """All that a request says, as one text."""
    return "\n\n".join(str(message.get("content") or "") for message in request.messages)


async def _answer(function: Callable[..., Any], argument: Any, request: Request) -> Reply:
    if inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(getattr(function, "__call__", None)):  # noqa: B004 - its kind is wanted
        said = await function(argument)
    else:
        said = await in_thread(function, argument)
        if inspect.isawaitable(said):
            said = await said
    return as_reply(said, request)


def _name(given: Any) -> str:
    return str(getattr(given, "__qualname__", type(given).__qualname__)).lower()
