"""The loose reading of a response: an instruction is followed if one of eight variants follows it."""

from __future__ import annotations

from ringtrue.scoring.ifeval.rule import Rule


def variants(response: str) -> list[str]:
    """The eight variants: without the first line, the last line, both, and each of the four without asterisks."""
    first = response.find("\n")
    last = response.rfind("\n")
    lines = [
        response,
        response[first + 1 :].strip() if first >= 0 else "",
        response[:last].strip() if first >= 0 else "",
        response[first + 1 : last].strip() if first < last else "",
    ]
    return [*lines, *[line.replace("*", "") for line in lines]]


class Variants:
    """The variants of one response, made when they are first needed."""

    def __init__(self, response: str) -> None:
        self.response = response
        self._all: list[str] = []

    def follow(self, rule: Rule) -> bool:
        """Whether some variant that is not blank follows the rule, given that the response itself does not."""
        if rule.loose == "same":
            return False
        if rule.loose == "whole":
            return "*" in self.response and _follows(rule, self.response.replace("*", ""))
        if not self._all:
            self._all = variants(self.response)
        if rule.loose == "core":
            # What is left when all is taken away is part of every variant.
            core = self._all[-1]
            if core and not core.isspace():
                return rule.follows(core)
        return any(_follows(rule, variant) for variant in {*self._all} if variant != self.response)


def _follows(rule: Rule, variant: str) -> bool:
    return bool(variant) and not variant.isspace() and rule.follows(variant)
