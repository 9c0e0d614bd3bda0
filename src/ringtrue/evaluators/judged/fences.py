"""Fences: text from outside reaches a judge only between marks that the text cannot hold."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import regex  # type: ignore[import-untyped]

from ringtrue.identity import digest

# Characters that draw nothing must not hide that brackets are side by side.
_INVISIBLE = regex.compile(r"[\p{Default_Ignorable_Code_Point}\x00-\x08\x0e-\x1f\x7f]")
_RUN = re.compile(r"[\[\]]{2,}")
# A tokenizer that reads special tokens in a message's text reads whole ones: breaking their first sign is enough. Chat
# templates are many and more will come, so that a rule finds their marks: a word with an underscore or a digit, or in
# capitals, between angle brackets, and one in capitals between square ones. HTML's headings are not such marks.
_TOKEN_OPENS = re.compile(
    r"<(?=\||<SYS>>|</SYS>>|\[(?:begin|end))"
    r"|<(?=/?(?:s|bos|eos|eod|eom|eot|sop|eop|pad|unk|mask|sep|cls|think|thinking|system|user|assistant|bot|human|tool)>)"
    r"|<(?!/?[hH][1-6]>)(?=/?[A-Za-z]{0,60}[_0-9][A-Za-z0-9_]{0,60}>)"
    r"|<(?=/?[A-Z][A-Z0-9_]{1,60}>)"
    r"|<(?=/?\w{1,60}\|>)"
    r"|\[(?=/?[gs]?[A-Z][A-Z0-9_]{1,60}\])"
)
_LEFT = "⁅⌈⌊⎡⎣❲⟦⟬⦋⦗⸢【〔〖〘〚「﹇﹝｢"
_RIGHT = "⁆⌉⌋⎤⎦❳⟧⟭⦌⦘⸣】〕〗〙〛」﹈﹞｣"
_LOOK_ALIKES = str.maketrans(
    dict.fromkeys(_LEFT, "[")
    | dict.fromkeys(_RIGHT, "]")
    | dict.fromkeys("‹\u2329⟨〈﹤", "<")
    | dict.fromkeys("›\u232a⟩〉﹥", ">")
    | dict.fromkeys("ǀ∣│❘￨", "|")
    | {chr(wide): chr(wide - 0xFEE0) for wide in range(0xFF01, 0xFF5F)}
)
_CODE_LETTERS = 20
_LOOKED_AT = 10_000

Draw: TypeAlias = Callable[[Mapping[str, str], str], tuple[str, str]]
"""Texts and a seed -> code and nonce."""


@dataclass(frozen=True, slots=True)
class FencedText:
    """Texts inside their fences, the code the fences carry and the nonce the verdict must repeat."""

    blocks: Mapping[str, str]
    code: str
    nonce: str

    @property
    def closing_line(self) -> str:
        """The last line of a message with fences."""
        return f"The code of the fences is {self.code}."


def fence(
    texts: Mapping[str, str], seed: str = "", draw: Draw | None = None, *, beside: Sequence[str] = ()
) -> FencedText:
    """Each text between marks that carry a code no text holds; what looks like a mark inside a text is broken up.

    Code and nonce are drawn from a hash of all texts and the seed: another request has others, the same request has the
    same ones, so that it may come from a cache; what is sent in their place is random. They are in no text, nor in what
    the request says `beside` them: where one of them would be, others are drawn. `draw` replaces the hash.
    """
    inside = {name: neutralise(text) for name, text in texts.items()}
    for attempt in range(1_000):
        code, nonce = (draw or _drawn)(inside, f"{seed}|{attempt}")
        if not any(word in text for word in (code, nonce) for text in (*inside.values(), *beside)):
            break
    blocks = {name: f"[[[{name} {code}]]]\n{text}\n[[[end of {name} {code}]]]" for name, text in inside.items()}
    return FencedText(blocks, code, nonce)


def is_visible(text: str) -> bool:
    """Whether a text holds anything that a reader sees."""
    return bool(text) and bool(_INVISIBLE.sub("", text[:_LOOKED_AT]).strip() or text[_LOOKED_AT:].strip())


def neutralise(text: str) -> str:
    """A text without anything that could be read as a fence or as a chat template's own mark; otherwise unchanged."""
    text = _broken_up(text.encode("utf-8", "replace").decode("utf-8"))
    if not text.isascii():
        folded = _folded_text(text)
        if _RUN.search(folded) or _TOKEN_OPENS.search(folded):
            return _broken_up(folded)
    return text


def _broken_up(text: str) -> str:
    text = _RUN.sub(lambda run: " ".join(run[0]), text)
    return _TOKEN_OPENS.sub(lambda sign: f"{sign[0]} ", text)


def _folded_text(text: str) -> str:
    """The text with every sign that may pass for one of a fence or a mark written as such, and nothing invisible."""
    seen: str = _INVISIBLE.sub("", text)
    return seen.translate(_LOOK_ALIKES)


def _drawn(texts: Mapping[str, str], seed: str) -> tuple[str, str]:
    letters = digest(seed, *(piece for named in texts.items() for piece in named))
    return letters[:_CODE_LETTERS], letters[_CODE_LETTERS : _CODE_LETTERS + 12]
