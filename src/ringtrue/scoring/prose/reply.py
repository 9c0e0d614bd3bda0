"""The part of a model's reply for its reader: without thoughts, invisible characters and typographic variants."""

from __future__ import annotations

import re

from ringtrue.scoring.prose.normal_form import compose

HEAD = 4_000
TAIL = 12_000
"""A longer reply is read at both ends only: the commitment is at one of them, and the work stays bounded."""

_CLOSING = (
    "</think>",
    "</thinking>",
    "</thought>",
    "</thoughts>",
    "</reasoning>",
    "</scratchpad>",
    "</analysis>",
    "</reflection>",
    "[/think]",
    "◁/think▷",
    "<|end_of_thought|>",
    "<|channel|>final<|message|>",
)
_OPENING = (
    "<think>",
    "<thinking>",
    "<thought>",
    "<thoughts>",
    "<reasoning>",
    "<scratchpad>",
    "<analysis>",
    "<reflection>",
    "[think]",
    "◁think▷",
    "<|begin_of_thought|>",
    "<|channel|>analysis<|message|>",
)

_STRUCK_OUT = re.compile(r"~~[^~\n]{1,400}~~")

# Squared and circled letters on a dark ground have no compatibility decomposition of their own.
_TYPOGRAPHY: dict[int, str | None] = {
    **{base + i: chr(65 + i) for base in (0x1F150, 0x1F170) for i in range(26)},
    **dict.fromkeys((0xAD, 0x34F, 0x61C, 0x180E, 0xFEFF, 0xFE0E, 0xFE0F, *range(0x200B, 0x2010)), None),
    **dict.fromkeys((*range(0x202A, 0x202F), *range(0x2060, 0x2070)), None),
    **dict.fromkeys((0x2018, 0x2019, 0x201A, 0x201B, 0x2032, 0x02BC, 0x60), "'"),
    **dict.fromkeys((0x201C, 0x201D, 0x201E, 0x201F, 0xAB, 0xBB, 0x2033), '"'),
    **dict.fromkeys((0x2010, 0x2011, 0x2012, 0x2212), "-"),
    **dict.fromkeys((0x3010, 0x3014, 0x300C, 0x300E), "["),
    **dict.fromkeys((0x3011, 0x3015, 0x300D, 0x300F), "]"),
    0x3002: ". ",
    0xFF61: ". ",
    0x2028: "\n",
    0x2029: "\n",
}


def visible(reply: str) -> str:
    """The part of a reply that is meant for its reader, at both ends if it is long, in plain typography."""
    text = _without_thoughts(reply) if "<" in reply or "[" in reply or "◁" in reply else reply
    if len(text) > HEAD + TAIL:
        text = f"{text[:HEAD]}\n\n{text[-TAIL:]}"
    text = plain(text)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "~~" in text:
        text = _STRUCK_OUT.sub("", text)
    if "*" in text or "`" in text or "__" in text:
        text = text.replace("*", "").replace("`", "").replace("__", "")
    return text


def plain(text: str) -> str:
    """The text with straight quotes, plain dashes and letters, and nothing invisible."""
    return text if text.isascii() else compose(text.translate(_TYPOGRAPHY), "NFKC")


def _without_thoughts(reply: str) -> str:
    # Lower-casing may change the length of other scripts; tags are ASCII, so only those letters are folded.
    folded = reply.lower() if reply.isascii() else re.sub("[A-Z]+", lambda run: run[0].lower(), reply)
    ends = [at + len(tag) for tag in _CLOSING if (at := folded.rfind(tag)) >= 0]
    start = max(ends, default=0)
    opened = [at for tag in _OPENING if (at := folded.find(tag, start)) >= 0]
    if opened:
        # A thought that never ends hides all that follows it.
        return reply[start : min(opened)]
    spoken = reply[start:]
    if start and not spoken.strip():
        before = [at for tag in _OPENING if (at := folded.find(tag)) >= 0]
        return reply[: min(before)] if before else ""
    return spoken
