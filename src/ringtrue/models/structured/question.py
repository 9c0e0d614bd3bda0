"""`Question`: what a model is asked, and what it is to give back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from ringtrue.records import Json

NONCE = "nonce"


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked and what a usable answer is.

    `schema` is an object's schema with all properties required and no others. With a `nonce`, the reply must repeat it
    in its last property, which has that name and is not part of the value. `check` says what is wrong with a value
    that fits the schema, or the empty string. `bare` is what a reply without any JSON says, None where that is nothing:
    small models answer a question for a number with the number. Without a schema the value is the reply's text; with
    `tools` (functions by name, description and parameters) it may be empty, and the reply holds the calls. `words` are
    those of the request.
    """

    messages: Sequence[Mapping[str, Json]]
    schema: Mapping[str, Json] | None = None
    name: str = "verdict"
    nonce: str = ""
    check: Callable[[Json], str] | None = None
    logprobs: bool = False
    prompt_hash: str = ""
    tools: Sequence[Mapping[str, Json]] = ()
    words: tuple[str, ...] = ()
    bare: Callable[[str], Json] | None = None

    def sent_schema(self, bound: bool) -> dict[str, Json]:
        """The schema as it is sent: with the nonce, which it names if `bound`."""
        schema = dict(self.schema or {})
        if self.nonce:
            only: Json = {"type": "string", "enum": [self.nonce]} if bound else {"type": "string"}
            schema["properties"] = {**schema["properties"], NONCE: only}
            schema["required"] = [*schema["required"], NONCE]
        return schema
