"""The instruction to answer in one language."""

from __future__ import annotations

from ringtrue.scoring import languages
from ringtrue.scoring.ifeval.arguments import Arguments
from ringtrue.scoring.ifeval.rule import Rule


def response_language(arguments: Arguments) -> Rule:
    """The response is in the language; one whose language cannot be told passes."""
    code = arguments.text("language")
    if code not in languages.codes():
        raise arguments.wrong("language", "a code that the profiles know, such as 'en' or 'zh-cn'")
    return Rule(lambda text: languages.is_written_in(text, code) is not False)
