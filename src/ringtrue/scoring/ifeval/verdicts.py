"""`check_response`: the official strict and loose verdict on every instruction of a prompt."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ringtrue.scoring.ifeval.arguments import Arguments, InstructionError, argument_list
from ringtrue.scoring.ifeval.instructions import INSTRUCTIONS
from ringtrue.scoring.ifeval.loose import Variants
from ringtrue.scoring.ifeval.rule import Rule


class Verdicts(NamedTuple):
    """Whether each instruction is followed, strictly and loosely, in the order they were given."""

    strict: list[bool]
    loose: list[bool]


def check_response(ids: Sequence[str], kwargs: Any, response: str, prompt: str | None = None) -> Verdicts:
    """The verdicts of the official IFEval checker; a blank response follows nothing.

    Raises InstructionError where an id is unknown or its arguments make no sense: the official checker raises there, or
    puts random arguments in their place. The prompt stands in for an absent `prompt_to_repeat`.
    """
    rules = [_rule(arguments, prompt) for arguments in argument_list(kwargs, ids)]
    if not response or response.isspace():
        return Verdicts([False] * len(rules), [False] * len(rules))
    variants = Variants(response)
    strict = [rule.follows(response) for rule in rules]
    loose = [followed or variants.follow(rule) for rule, followed in zip(rules, strict, strict=True)]
    return Verdicts(strict, loose)


def _rule(arguments: Arguments, prompt: str | None) -> Rule:
    instruction = INSTRUCTIONS.get(arguments.instruction)
    if instruction is None:
        raise InstructionError(
            f"no official instruction has the id {arguments.instruction!r}", instruction=arguments.instruction
        )
    if prompt and arguments.instruction == "combination:repeat_prompt":
        arguments = arguments.with_default("prompt_to_repeat", prompt)
    return instruction(arguments)
