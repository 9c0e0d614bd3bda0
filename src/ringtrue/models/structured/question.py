"""`Question`: what a model is asked, and what it is to give back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from ringtrue.records import Json

NONCE = "nonce"


@dataclass(frozen=True, slots=True)
class Question:
    """A question to a model, and the rule for a usable answer.

    `schema` is the schema of an object; all properties are required, and no others are allowed. With a `nonce`, the
    reply must repeat it in its last property, which has that name and is not part of the value. `check` returns what is
    wrong with a value that fits the schema, or an empty text. `bare` reads a reply without JSON, because small models
    answer a question for a number with the bare number; it returns None if it finds no value. Without a schema, the
    value is the text of the reply. With `tools` (functions with name, description and parameters) the text may be
    empty, and the reply has the calls. `words` are those of the request.
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
