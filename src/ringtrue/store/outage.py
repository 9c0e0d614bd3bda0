"""A server that goes away and may come back: work is done again for a while, and a listener is called."""

from __future__ import annotations

import asyncio
import time
import warnings
from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError

from ringtrue.errors import StoreError

Result = TypeVar("Result")
Parameters = ParamSpec("Parameters")

PATIENCE_SECONDS = 120.0
"""How long a server may be away."""


class ServerLost(StoreError):
    """The server of a store does not answer at the moment."""


def store_error(engine: Engine, verb: str, error: BaseException) -> StoreError:
    """Return a database's message as an error that says whether its server is gone."""
    words = f"cannot {verb} the store: {getattr(error, 'orig', None) or error}"
    return ServerLost(words) if _is_lost(engine, error) else StoreError(words)


def outlast(work: Callable[[], Result]) -> Result:
    """Return the result of the work; it is done again while the server is away, so it must bear being done twice."""
    pauses = _pauses()
    while True:
        try:
            return work()
        except ServerLost as error:
            time.sleep(_next_pause(pauses, error))


async def outlast_awaiting(work: Callable[[], Result]) -> Result:
    """`outlast` for an event loop, whose other work continues."""
    pauses = _pauses()
    while True:
        try:
            return work()
        except ServerLost as error:
            await asyncio.sleep(_next_pause(pauses, error))


def outlasting(method: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """A method that outlasts a server's absence."""

    @wraps(method)
    def call(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Result:
        return outlast(lambda: method(*args, **kwargs))

    return call


def _is_lost(engine: Engine, error: BaseException) -> bool:
    if engine.dialect.name != "postgresql":
        return False
    driver: Any = engine.dialect.dbapi
    if isinstance(error, DBAPIError):
        return error.connection_invalidated or isinstance(error, (OperationalError, InterfaceError))
    return isinstance(error, (driver.OperationalError, driver.InterfaceError))


def _pauses() -> Iterator[float]:
    until, pause = time.monotonic() + PATIENCE_SECONDS, 0.1
    while time.monotonic() < until:
        yield pause
        pause = min(2.0, pause * 2)


def _next_pause(pauses: Iterator[float], error: ServerLost) -> float:
    pause = next(pauses, None)
    if pause is None:
        raise StoreError(f"{error}; it did not come back within {PATIENCE_SECONDS:g} s") from error
    words = f"the store's server does not answer; trying again for up to {PATIENCE_SECONDS:g} s, and no row is lost"
    warnings.warn(words, RuntimeWarning, stacklevel=3)
    return pause
