"""Count the tokens of a text, or of the texts of a dict, in cl100k; nothing is downloaded."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from ringtrue.models.tokens import count


def count_tokens(text: str, tokenizer: Callable[[str], int] | None = None) -> int:
    """The tokens of a text, by cl100k or by a function of one's own."""
    return tokenizer(text) if tokenizer is not None else count(text, "cl100k").count


def count_tokens_dict(
    d: Mapping[str, Any],
    text_fields: Collection[str] | None = None,
    tokenizer: Callable[[str], int] | None = None,
) -> int:
    """The tokens of the values that are text, of all keys or of those listed."""
    wanted = (value for key, value in d.items() if text_fields is None or key in text_fields)
    return sum(count_tokens(value, tokenizer) for value in wanted if isinstance(value, str))
