"""Under which key each part of each evaluator goes where all of them share one row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from ringtrue.evaluators.adapt import Evaluator
from ringtrue.records import Json, Row, Score

Keys = Mapping[str, Mapping[str, str]]
"""Evaluator name -> the part's name -> its key in a row."""


def part_keys(rows: Iterable[Row], declared: Mapping[str, Sequence[str]], taken: Collection[str] = ()) -> Keys:
    """The keys of finished rows; `declared` are those that each evaluator says it has."""
    seen: dict[str, dict[str, None]] = {}
    for row in rows:
        for name, score in row.scores.items():
            seen.setdefault(name, {}).update(dict.fromkeys(score.parts))
    return keys_of(seen, declared, taken)


def keys_of(
    seen: Mapping[str, Iterable[str]], declared: Mapping[str, Sequence[str]], taken: Collection[str] = ()
) -> Keys:
    """Where each part goes; the parts of a user's own evaluator are known from its scores alone, as `seen`.

    A part that two users' evaluators share, or whose name is taken, goes by the name of its evaluator, too.
    """
    found: dict[str, dict[str, str]] = {}
    for name, own in declared.items():
        parts = list(seen.get(name, ()))
        if tuple(own) == (name,) and parts:
            found[name] = {part: part for part in parts}
        else:
            found[name] = {key.removeprefix(f"{name}."): key for key in own}
    uses = Counter([*taken, *(key for own in found.values() for key in own.values())])
    shared = {key for key, times in uses.items() if times > 1}
    return {
        name: {part: f"{name}.{part}" if key in shared else key for part, key in own.items()}
        for name, own in found.items()
    }


def main_part(evaluator: Evaluator) -> str:
    """The part an evaluator's verdict is about."""
    parts: Sequence[str] = getattr(evaluator, "parts", ())
    return getattr(evaluator, "main", "") or (parts[0] if parts else evaluator.name)


def main_key(evaluator: Evaluator) -> str:
    """The key, in a row, of the part an evaluator's verdict is about."""
    keys: dict[str, str] = dict(zip(getattr(evaluator, "parts", ()), evaluator.keys, strict=False))
    return keys.get(main_part(evaluator), evaluator.keys[0])


def counting_parts(evaluator: Evaluator) -> Collection[str]:
    """The parts that count something, so that neither their ones nor their zeros are verdicts."""
    found: Collection[str] = getattr(evaluator, "counts", ())
    return found


def told_by(evaluators: Sequence[Evaluator]) -> dict[str, Json]:
    """What a run keeps of its evaluators: names, keys, the key each verdict is about, the keys that count something."""
    return {
        "evaluators": [evaluator.name for evaluator in evaluators],
        "keys": {evaluator.name: evaluator.keys for evaluator in evaluators},
        "mains": {evaluator.name: main_key(evaluator) for evaluator in evaluators},
        "counts": [
            key
            for evaluator in evaluators
            for part, key in zip(getattr(evaluator, "parts", ()), evaluator.keys, strict=False)
            if part in counting_parts(evaluator)
        ],
    }


def numbers(score: Score, own: Mapping[str, str]) -> dict[str, float]:
    """The numbers of a score by key; none where it has no value."""
    if score.value is None:
        return {}
    if score.parts:
        return {own.get(part, part): value for part, value in score.parts.items()}
    return {next(iter(own.values())): score.value}
