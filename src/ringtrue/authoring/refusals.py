"""Telling a short reply that declines from one that answers, by how it begins; in English alone."""

from __future__ import annotations

import re

MOST_CHARS = 300
"""A longer reply has something to say, however it begins."""

_APOLOGY = (
    r"(?:(?:no|unfortunately|regrettably|i(?:'m| am)(?: so| very| really)? (?:sorry|afraid)|sorry|my apologies"
    r"|i apologi[sz]e|thank(?:s| you) for [^.!,]{1,60})[,.!:;]?(?: but| that| for [^.!,]{1,40}[.,])? ){0,3}"
)
_MODEL = r"(?:as an? (?:ai|artificial|language|assistant|virtual)[^,.]{0,60}, )?"
_UNABLE = (
    r"(?:can ?not|can't|could not|couldn't|will not|won't|am not able to|'m not able to|am unable to|'m unable to"
    r"|am not allowed to|'m not allowed to|must decline|have to decline|decline to|do not feel comfortable"
    r"|don't feel comfortable|refuse to)"
)
_REFUSAL = re.compile(
    rf"{_APOLOGY}{_MODEL}(?:(?:i|we) ?(?:really |simply |just )?{_UNABLE}(?! wait| help but| stress| thank| say enough)"
    r"|(?:that|this|it)(?:'s| is) (?:something|not something) (?:i|we) (?:can ?not|can't|can|won't|will not)\b"
    r"|(?:i|we) (?:do not|don't) (?:have (?:any |enough |specific |that |the |access)|know\b))"
)


def is_refusal(reply: str) -> bool:
    """Whether a reply is short and begins by saying that it will not, cannot or does not know."""
    text = " ".join(reply[: MOST_CHARS + 1].replace("\u2019", "'").lower().split())
    return len(reply.strip()) <= MOST_CHARS and _REFUSAL.match(text) is not None
