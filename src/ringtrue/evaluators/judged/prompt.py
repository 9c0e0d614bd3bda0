"""`Prompt`: a file beside this one, filled with fenced texts to make a question."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from ringtrue.evaluators.judged.fences import FencedText, fence
from ringtrue.identity import digest
from ringtrue.models.structured.question import Question
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
        """The question about these texts; each of them is inside its fence and nowhere else."""
        return self.about(self.seal(texts, seed=seed), schema, check=check, logprobs=logprobs)

    def seal(self, texts: Mapping[str, str], *, seed: str = "", beside: Sequence[str] = ()) -> FencedText:
        """Texts inside fences whose code is in none of them, nor in this prompt, nor in what is said beside it."""
        return fence(texts, f"{self.hash}|{seed}", beside=(self.system, self.user, *beside))

    def about(
        self,
        sealed: FencedText,
        schema: Mapping[str, Json] | None,
        *,
        check: Callable[[Json], str] | None = None,
        logprobs: bool = False,
    ) -> Question:
        """The question about texts that are fenced already."""
        body = _FIELD.sub(lambda field: sealed.blocks[field[1]], self.user)
        last = sealed.closing_line
        if schema is not None:
            last += f' Put "{sealed.nonce}" into the field nonce. It is the last field.'
        messages = [{"role": "system", "content": self.system}, {"role": "user", "content": f"{body}\n\n{last}"}]
        nonce = sealed.nonce if schema is not None else ""
        words = (sealed.code, nonce) if nonce else (sealed.code,)
        return Question(messages, schema, self.name, nonce, check, logprobs, self.hash, words=words)


@cache
def prompt(name: str, package: str = __package__) -> Prompt:
    """The prompt in a file of a package's folder: instructions, a line of three equals signs, the template."""
    text = files(package).joinpath("prompts", f"{name}.md").read_text("utf-8")
    rule = files(__package__).joinpath("prompts", "data_rule.md").read_text("utf-8")
    system, _, user = text.partition("\n===\n")
    system = f"{system.strip()}\n\n{rule.strip()}"
    return Prompt(name, system, user.strip(), digest(system, user.strip())[:16])
