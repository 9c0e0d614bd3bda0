"""Phrases by which a reply says that the evidence is silent: "not mentioned", "cannot be determined" …"""

from __future__ import annotations

import re

_WORD = r"\w{1,20} "
_INFORMATION = r"(?:information|info|evidence|data|context|details?)"
_VERB = r"(?:is|are|was|were|do|does|did|has|have|ca|could|wo|would)"
_UNABLE = (
    r"(?:can ?not|can't|could not|couldn't|impossible to|not possible to|unable to|hard to|difficult to|no way to)"
)
_ENOUGH = r"(?:enough|sufficient|adequate)"
_JUDGED = (
    r"(?:determined?|tell|told|say|said|infer(?:red)?|concluded?|verif(?:y|ied)|decided?|establish(?:ed)?|known?|judged?"
    r"|assess(?:ed)?|evaluated?|ascertain(?:ed)?"
    r"|confirm(?:ed)?(?: or (?:deny|denied|refuted?|rejected?|contradict(?:ed)?))?)"
)
_TREATS = r"(?:mention|say|specify|state|address|discuss|indicate|clarify|tell us|cover|touch on|comment on)"
_TREATED = (
    r"(?:mentioned|stated|specified|addressed|discussed|provided|covered|determinable|known|clear"
    r"|given(?! (?:the|that|this|these|those|what|its)\b))"
)
_ADVERB = r"(?: be| either| really| definitively| conclusively| reliably| currently| possibly)"

_PHRASES = (
    rf"not[ _-]?{_TREATED}",
    rf"{_VERB}n't (?:{_WORD}){{0,2}}{_TREATED}",
    rf"not[ _-]?enough(?:[ _-]{{0,1}}{_INFORMATION}| to (?:tell|say|know|decide))?",
    rf"insufficient(?:ly)?(?:[ _]{_INFORMATION}| grounds)?",
    rf"(?:not|{_VERB}n't|no|lack(?:s|ing)?|without|never) (?:{_WORD}){{0,3}}{_ENOUGH}(?: {_INFORMATION}| support)?",
    rf"no (?:mention|information|info|indication|reference|data|relevant {_INFORMATION}|relation(?:ship)?|connection)",
    r"no evidence (?:either way|for or against|one way or the other|for|of|about|regarding|that)",
    r"goes? (?:well |far )?beyond (?:what )?the (?:text|premise|passage|evidence|contract|document|information)",
    rf"{_UNABLE}{_ADVERB}{{0,2}} {_JUDGED}",
    rf"(?:does|do|did)(?: not|n't) (?:{_WORD}){{0,2}}{_TREATS}",
    rf"(?:does|do|did)(?: not|n't) provide (?:{_WORD}){{0,3}}(?:{_INFORMATION}|indication)",
    r"(?:does|do|did)(?: not|n't) (?:logically |strictly |directly )?follow",
    rf"(?:not|{_VERB}n't) necessarily(?: be)?(?: \w{{1,20}})?",
    r"(?:says?|said|states?) nothing",
    r"nothing (?:is )?(?:said|stated|mentioned)",
    rf"nothing in (?:{_WORD}){{1,5}}?(?:address(?:es)?|mentions?|states?|says?|suggests?|indicates?|specifies)",
    r"silent (?:on|about|as to|regarding)",
    r"may or may not",
    r"might or might not",
    r"could go either way",
)
_SILENCE = re.compile(f"(?:{'|'.join(_PHRASES)})(?!\\w)")
_STARTS = re.compile(
    "not|no|insufficient|lack|without|never|can|could|impossible|unable|hard|difficult|does|do|did|is|are|was|were|has"
    "|have|wo|say|said|state|silent|may|might|go"
)

_INSIDE = re.compile(r"[^\W_]'?$")
"""What comes before a place inside a word; a quotation mark after a space does not."""


def is_silence(label: str) -> bool:
    """Whether the whole of a lower-case label says that the evidence is silent."""
    found = _SILENCE.match(label)
    return found is not None and found.end() == len(label)


def mark_silence(text: str, mark: str) -> str:
    """A lower-case text with every phrase of silence replaced by the mark."""
    # The phrases are tried only where one of their first words opens a word: over every character they cost tenfold.
    pieces = []
    done = 0
    for start in _STARTS.finditer(text):
        at = start.start()
        if at < done or _INSIDE.search(text, max(0, at - 2), at):
            continue
        found = _SILENCE.match(text, at)
        if found is not None:
            pieces += [text[done:at], mark]
            done = found.end()
    return "".join([*pieces, text[done:]]) if pieces else text
