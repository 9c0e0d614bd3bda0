"""`ExampleFormat`: how worked examples are written before a question, and the examples that a question gets."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import ascii_uppercase
from typing import Any

from ringtrue.errors import ConfigurationError
from ringtrue.records import Json

Row = dict[str, Json]
FIELD = re.compile(r"(?<![\w}])\{([A-Za-z_]\w*)\}")
"""A name in braces; braces after a letter or a brace are LaTeX's own."""

RAW = "raw"
"""The field of a case, never sent, with the texts of its question as the dataset has them."""


@dataclass(frozen=True, kw_only=True)
class ExampleFormat:
    """The texts around worked examples: an `example`, the `question` that is asked, what is `between`, and a `header`.

    They name fields of a case in braces. `{answer}` is the first reference, `{options}` are the lettered choices,
    `{asked}` is context and question, `{worked}` the answer as the question wants it. Where a loader gives a case a
    mapping `raw`, its texts win: the question as the dataset has it, without the request for a form.
    """

    example: str
    question: str
    between: str = "\n\n"
    header: str = ""

    def with_examples(self, row: Row, examples: Sequence[Row]) -> Row:
        """A row whose question has worked examples before it; a context that is part of the question is not sent
        a second time.
        """
        fields = _fields(row)
        shown = [filled_template(self.example, _fields(one)) for one in examples]
        body = self.between.join([*shown, filled_template(self.question, fields)])
        asked = {**row, "question": filled_template(self.header, fields) + body}
        if "{asked}" in self.question:
            asked.pop("context", None)
        return asked


GENERAL = ExampleFormat(example="Question: {asked}\nAnswer: {worked}", question="Question: {asked}\nAnswer:")
"""The format of benchmarks whose authors publish none."""


def filled_template(template: str, row: Mapping[str, Any]) -> str:
    """A template with the fields of a row; a name that the row does not have raises."""

    def value(found: re.Match[str]) -> str:
        if found[1] not in row:
            raise ConfigurationError(
                f"the template names {found[0]}, which a case does not have; it has {', '.join(map(str, row))}",
                parameter="template",
                value=found[1],
            )
        given = row[found[1]]
        return "\n".join(map(str, given)) if isinstance(given, (list, tuple)) else str(given)

    return FIELD.sub(value, template)


def _fields(row: Mapping[str, Any]) -> dict[str, Any]:
    """The texts that a format may name."""
    answer, choices = row.get("answer") or [""], row.get("choices") or ()
    lettered = "\n".join(f"{letter}. {choice}" for letter, choice in zip(ascii_uppercase, choices, strict=False))
    made = {"answer": answer[0], "options": lettered, "asked": asked_text(row), "worked": worked_answer(row)}
    raw = row.get(RAW)
    return {**row, **made, **(raw if isinstance(raw, Mapping) else {})}


def asked_text(row: Mapping[str, Any]) -> str:
    """Return the question of a row, its context first."""
    question, context = str(row["question"]), str(row.get("context") or "")
    return question if context in question else f"{context}\n\n{question}"


def worked_answer(row: Mapping[str, Any]) -> str:
    """The answer of an example in the form its question asks for: a solution, a letter, or the first reference."""
    answer = str((row.get("answer") or [""])[0])
    if row.get("reasoning"):
        return f"{row['reasoning']}\n#### {answer}"
    if row.get("solution"):
        return str(row["solution"])
    return str(row.get("correct_letter") or answer)


def examples_for(row: Row, pool: Sequence[Row], count: int, subject: str) -> list[Row]:
    """The first examples of the row's own subject, or of all where the pool has none of it; too few raise."""
    own = [one for one in pool if subject and one.get(subject) == row.get(subject)] or pool
    if len(own) < count:
        where = f" for {row[subject]}" if own is not pool else ""
        words = f"few_shot asks for {count} worked examples, more than the {len(own)} there are{where}"
        raise ConfigurationError(words, parameter="few_shot", value=count)
    return list(own[:count])
