"""`scripted_judge`: a scripted judge, for tests of what uses judged evaluators."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from ringtrue.jsontext import json_text
from ringtrue.models.request import Request
from ringtrue.models.scripted import Line, ScriptedModel
from ringtrue.models.structured.question import NONCE
from ringtrue.records import Json

Verdict: TypeAlias = Mapping[str, Json] | Line
_NONCE = re.compile(rf'Put "([0-9a-f]+)" into the field {NONCE}\.')


def scripted_judge(replies: Iterable[Verdict] | Callable[[Request], Verdict]) -> ScriptedModel:
    """A model that answers each question with the next verdict, or with a function's; a dict gets the nonce asked for.

    Texts, Replies and exceptions are passed on as they are.
    """
    if callable(replies):
        decide = replies
        return ScriptedModel(lambda request: _line(decide(request), request))
    lines = list(replies)
    model = ScriptedModel([])

    def answer(request: Request) -> Line:
        at = len(model.asked) - 1
        return _line(lines[at], request) if at < len(lines) else IndexError(f"the script has {len(lines)} verdicts")

    model = ScriptedModel(answer)
    return model


def _line(verdict: Verdict, request: Request) -> Line:
    if not isinstance(verdict, Mapping):
        return verdict
    return json_text({**verdict, NONCE: nonce_of(request)})


def nonce_of(request: Request) -> str:
    """The nonce that a request asks for, or the empty string."""
    found: list[str] = _NONCE.findall(str(request.messages[-1]["content"]))
    return found[-1] if found else ""
