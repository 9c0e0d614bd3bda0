"""`--where`: conditions on the scores of rows, such as `f1<0.5`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from math import isfinite
from typing import Literal, cast

from ringtrue.errors import ConfigurationError
from ringtrue.records import Made
from ringtrue.stats.row_status import headline_of

Sign = Literal["<", "<=", ">", ">=", "="]
Condition = tuple[str, Sign, float]
_CONDITION = re.compile(r"\s*(?P<key>.+?)\s*(?P<sign><=|>=|==|<|>|=)\s*(?P<number>[^<>=]+?)\s*", re.S)


def read_conditions(texts: Iterable[str], made: Made, keys: Sequence[str]) -> tuple[Condition, ...]:
    """What `--where KEY<NUMBER` asks for; `keys` are the scores that the run has."""
    return tuple(_condition(text, made, keys) for text in texts)


def _condition(text: str, made: Made, keys: Sequence[str]) -> Condition:
    found = _CONDITION.fullmatch(text)
    try:
        amount = float(found["number"]) if found else float("nan")
    except ValueError:
        amount = float("nan")
    if found is None or not isfinite(amount):
        words = f"--where {text!r}: write a score, a sign and a number, such as 'f1<0.5'"
        raise ConfigurationError(words, parameter="where", value=text)
    key = found["key"]
    names = [*keys, *(one.name for one in made.evaluators)]
    if key not in names and headline_of(key, made.evaluators) is None:
        near = get_close_matches(key, names, 1)
        hint = f"; did you mean {near[0]!r}?" if near else f"; there are {', '.join(dict.fromkeys(names))}"
        raise ConfigurationError(f"--where: no score {key!r} in this run{hint}", parameter="where", value=key)
    return key, cast(Sign, found["sign"].replace("==", "=")), amount
