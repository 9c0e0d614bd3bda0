"""`Responses`: what endpoints said, kept in the store by the exact request."""

from __future__ import annotations

import time
from functools import partial

from ringtrue.models.reply import Reply
from ringtrue.store import schema
from ringtrue.store.database import Database
from ringtrue.store.outage import outlast_awaiting


class Responses:
    """A cache of replies; one that was kept survives the process."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def get(self, key: str) -> Reply | None:
        """The reply to the request with this key."""
        found = await outlast_awaiting(partial(self.database.response, key))
        return None if found is None else Reply.from_bytes(found.encode())

    async def put(self, key: str, reply: Reply) -> None:
        """Keep a reply; return when it is committed."""
        row = {"key": key, "reply": reply.to_bytes().decode(), "created": time.time()}
        await self.database.writer.write((schema.responses, row))
