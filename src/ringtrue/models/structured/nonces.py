"""`Nonces`: what is sent in place of the words that fence a request's texts and sign its verdict."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ringtrue.models.reply import Reply
from ringtrue.models.request import Request
from ringtrue.records import Json

MAX_DEPTH = 200
_ESCAPE = re.compile(r"\\(?:u00(3[0-9]|6[1-6])|.)", re.DOTALL)


def _random(letters: int) -> str:
    return secrets.token_hex(letters)[:letters]


@dataclass(frozen=True, slots=True)
class Nonces:
    """For each word of a request another one: random, new at every sending, as long, and in no text of the request.

    Inside the process a word follows from a hash, so that equal requests have equal keys. A reply that computes it and
    writes it somewhere gains nothing: it is not sent, and where a reply holds it, it is crossed out.
    """

    sent: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def drawn(cls, request: Request, draw: Callable[[int], str] = _random) -> Nonces:
        """New words for one request; `draw` gives a word of a given length."""
        texts = list(_texts([request.messages, request.parameters])) if request.words else []
        sent: dict[str, str] = {}
        for word in request.words:
            new = draw(len(word))
            while any(new in text for text in texts) or any(one in new for one in (*request.words, *sent.values())):
                new = draw(len(word))
            sent[word] = new
            texts.append(new)
        return cls(sent)

    def request(self, request: Request) -> Request:
        """The request as it is sent."""
        if not self.sent:
            return request
        messages, parameters = (_change_strings(part, self._out) for part in (request.messages, request.parameters))
        return replace(request, messages=messages, parameters=parameters, words=())

    def reply(self, reply: Reply) -> Reply:
        """The reply as it is read and kept."""
        if not self.sent:
            return reply
        return replace(
            reply,
            text=self.back(reply.text),
            message=_change_strings(reply.message, self.back),
            tool_calls=_change_strings(reply.tool_calls, self.back),
            logprobs=reply.logprobs and self._rows(reply.logprobs),
        )

    def back(self, text: str) -> str:
        """A text from the other side, in the words of this one."""
        if "\\u00" in text:
            plain = _ESCAPE.sub(lambda found: chr(int(found[1], 16)) if found[1] else found[0], text)
            if any(word in plain for pair in self.sent.items() for word in pair):
                text = plain  # spelled with JSON's escapes it would be the same word to a reader
        return self._put_back(text)

    def _out(self, text: str) -> str:
        for word, new in self.sent.items():
            text = text.replace(word, new)
        return text

    def _put_back(self, text: str) -> str:
        for word in self.sent:
            text = text.replace(word, "-" * len(word))
        for word, new in self.sent.items():
            text = text.replace(new, word)
        return text

    def _rows(self, rows: Sequence[Mapping[str, Json]]) -> list[Mapping[str, Json]]:
        """The rows of tokens; a word lies across several of them, and keeps its place because it keeps its length."""
        tokens = [token if isinstance(token := row.get("token"), str) else "" for row in rows]
        restored = self._put_back("".join(tokens))
        found: list[Mapping[str, Json]] = []
        at = 0
        for row, token in zip(rows, tokens, strict=True):
            new = restored[at : at + len(token)]
            at += len(token)
            # What else could have stood inside a word says nothing.
            same = new == token
            found.append(
                _change_strings(row, self._put_back) if same else {"token": new, "logprob": row.get("logprob")}
            )
        return found


def _texts(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from value
        for item in value.values():
            yield from _texts(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _texts(item)


def _change_strings(value: Json, change: Callable[[str], str], depth: int = 0) -> Json:
    """A JSON value with every string in it changed, and without what is nested too deeply to be anything."""
    if isinstance(value, str):
        return change(value)
    if depth > MAX_DEPTH:
        return None
    if isinstance(value, Mapping):
        return {change(name): _change_strings(item, change, depth + 1) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_change_strings(item, change, depth + 1) for item in value]
    return value
