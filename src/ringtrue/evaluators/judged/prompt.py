"""`Prompt`: a file beside this one, filled with fenced texts to make a question."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from ringtrue.evaluators.judged.fences import fenced
from ringtrue.models.structured import Question
from ringtrue.records import Json

_FIELD = re.compile(r"\{\{(\w{1,40})\}\}")


@dataclass(frozen=True, slots=True)
class Prompt:
    """Instructions that never change, and a template whose fields are filled with fenced texts.

    `hash` identifies the words, and is part of an evaluator's signature.
    """

    name: str
    system: str
    user: str
    hash: str

    def question(
        self,
        texts: Mapping[str, str],
        schema: Mapping[str, Json] | None,
        *,
        check: Callable[[Json], str] | None = None,
        logprobs: bool = False,
        seed: str = "",
    ) -> Question:
        """The question about these texts; each of them stands inside its fence and nowhere else."""
        sealed = fenced(texts, f"{self.hash}|{seed}")
        body = _FIELD.sub(lambda field: sealed.blocks[field[1]], self.user)
        last = f"The code of the fences is {sealed.code}."
        if schema is not None:
            last += f' Put "{sealed.nonce}" into the field nonce.'
        messages = [{"role": "system", "content": self.system}, {"role": "user", "content": f"{body}\n\n{last}"}]
        nonce = sealed.nonce if schema is not None else ""
        return Question(messages, schema, self.name, nonce, check, logprobs, self.hash)


@cache
def prompt(name: str) -> Prompt:
    """The prompt in a file: instructions, a line of three equals signs, the template."""
    folder = files(__package__).joinpath("prompts")
    text = folder.joinpath(f"{name}.md").read_text("utf-8")
    rule = folder.joinpath("data_rule.md").read_text("utf-8")
    system, _, user = text.partition("\n===\n")
    system = f"{system.strip()}\n\n{rule.strip()}"
    digest = hashlib.sha256(f"{system}\n===\n{user.strip()}".encode()).hexdigest()[:16]
    return Prompt(name, system, user.strip(), digest)
