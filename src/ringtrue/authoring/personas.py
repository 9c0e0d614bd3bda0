"""`Persona`: a simulated user and what they want from a system."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ringtrue.authoring.writing import WritingTask
from ringtrue.errors import AbsentFile, ConfigurationError
from ringtrue.evaluators.judged.schemas import TEXT, several
from ringtrue.jsontext_reader import read_json
from ringtrue.require import require_count

ADVERSARIAL = "adversarial"
NEEDED = ("name", "profile", "goal", "success_criteria")


@dataclass
class Persona:
    """A simulated user with a goal; one with the trait `adversarial` continues after a refusal."""

    name: str
    profile: str
    goal: str
    success_criteria: str
    traits: list[str] = field(default_factory=list)

    @property
    def persistent(self) -> bool:
        """True if this user continues after a refusal."""
        return any(ADVERSARIAL in trait.lower() for trait in self.traits)

    def description(self) -> str:
        """The description in the prompt of the model that plays this user."""
        traits = ", ".join(self.traits)
        return f"{self.name}: {self.profile}\ntraits: {traits}\ngoal: {self.goal}\nsuccess: {self.success_criteria}"


def people(product: str, n: int, seed: int = 0) -> WritingTask:
    """Let a model write n personas for a product."""
    require_count("n", n)
    texts = {"product": product.strip(), "number": f"{n} people (seed: {seed})"}
    return WritingTask("people", texts, {**dict.fromkeys(NEEDED, TEXT), "traits": several(TEXT)}, n)


def persona_of(row: Any) -> Persona | None:
    """The persona in a JSON object; None if a text is missing."""
    values = [row.get(name) for name in NEEDED] if isinstance(row, dict) else [None]
    texts = [value.strip() for value in values if isinstance(value, str) and value.strip()]
    if len(texts) != len(NEEDED):
        return None
    traits = row.get("traits")
    words = [trait for trait in traits if isinstance(trait, str) and trait.strip()] if isinstance(traits, list) else []
    return Persona(**dict(zip(NEEDED, texts, strict=True)), traits=words)


def read_people(path: str | os.PathLike[str]) -> list[Persona]:
    """Read the personas of a JSONL file; an unusable line raises a ConfigurationError with its number."""
    found = []
    for number, line in written_lines(path):
        reading = read_json(line)
        persona = persona_of(reading.value)
        if persona is None:
            wanted = f"a persona has the texts {', '.join(NEEDED)}, and may have a list of traits"
            raise ConfigurationError(f"{path}:{number}: {reading.problem or wanted}", parameter="personas", value=line)
        found.append(persona)
    return found


def written_lines(path: str | os.PathLike[str]) -> list[tuple[int, str]]:
    """The lines of a file with their numbers, but for blank ones and comments, which begin with # or //."""
    try:
        text = Path(path).read_text("utf-8-sig", "replace")
    except OSError as error:
        raise AbsentFile(f"cannot read {str(path)!r}: {error.strerror or error}") from error
    numbered = enumerate(text.split("\n"), 1)
    return [(number, line) for number, line in numbered if line.strip() and not line.lstrip().startswith(("#", "//"))]
