"""A cache of replies in a dict."""

from __future__ import annotations

from ringtrue.models.reply import Reply


class KeptReplies:
    """A ResponseCache for the length of a test."""

    def __init__(self) -> None:
        self.replies: dict[str, Reply] = {}

    async def get(self, key: str) -> Reply | None:
        return self.replies.get(key)

    async def put(self, key: str, reply: Reply) -> None:
        self.replies[key] = reply
