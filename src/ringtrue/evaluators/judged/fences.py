"""Fences: text from outside reaches a judge only between marks that the text cannot hold."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

# Characters that draw nothing must not hide that brackets stand side by side.
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]"
)
_RUN = re.compile(r"[\[\]]{2,}")
_TOKEN_MARKS = re.compile(r"<\||\|>|<(?=/?s>)|\[(?=/?INST\])")
_BRACKETS = str.maketrans(
    dict.fromkeys("\u27e6\u301a\u2e22\u2045\u3010\u3014\u27ec\u2997\u300c\u2772\ufe5d\ufe47\uff3b", "[")
    | dict.fromkeys("\u27e7\u301b\u2e23\u2046\u3011\u3015\u27ed\u2998\u300d\u2773\ufe5e\ufe48\uff3d", "]")
)
_CODE_LETTERS = 20

Draw: TypeAlias = Callable[[Mapping[str, str], str], tuple[str, str]]
"""Texts and a seed -> code and nonce."""


@dataclass(frozen=True, slots=True)
class Fenced:
    """Texts inside their fences, the code the fences carry and the nonce the verdict must repeat."""

    blocks: Mapping[str, str]
    code: str
    nonce: str


def fenced(texts: Mapping[str, str], seed: str = "", draw: Draw | None = None) -> Fenced:
    """Each text between marks that carry a code no text holds; what looks like a mark inside a text is broken up.

    Code and nonce are drawn from a hash of all texts and the seed: another request has others, the same request has the
    same ones, so that it may come from a cache. A text cannot hold the hash of itself, and one that happens to hold the
    code gets another. `draw` replaces the hash.
    """
    inside = {name: neutralised(text) for name, text in texts.items()}
    for attempt in range(1_000):
        code, nonce = (draw or _drawn)(inside, f"{seed}|{attempt}")
        if not any(word in text for word in (code, nonce) for text in inside.values()):
            break
    blocks = {name: f"[[[{name} {code}]]]\n{text}\n[[[end of {name} {code}]]]" for name, text in inside.items()}
    return Fenced(blocks, code, nonce)


def neutralised(text: str) -> str:
    """A text without anything that could be read as a fence or as a chat template's own mark; otherwise unchanged."""
    text = text.encode("utf-8", "replace").decode("utf-8")
    if not text.isascii() and _RUN.search(_folded(text)):
        text = _folded(text)
    text = _RUN.sub(lambda run: " ".join(run[0]), text)
    return _TOKEN_MARKS.sub(lambda mark: f"{mark[0][0]} {mark[0][1:]}", text)


def _folded(text: str) -> str:
    """The text with every bracket that may pass for one of a fence written as such, and nothing invisible."""
    return _INVISIBLE.sub("", text).translate(_BRACKETS)


def _drawn(texts: Mapping[str, str], seed: str) -> tuple[str, str]:
    digest = hashlib.sha256(seed.encode())
    for name, text in texts.items():
        for piece in (name, text):
            data = piece.encode("utf-8", "replace")
            digest.update(len(data).to_bytes(8, "big") + data)
    letters = digest.hexdigest()
    return letters[:_CODE_LETTERS], letters[_CODE_LETTERS : _CODE_LETTERS + 12]
