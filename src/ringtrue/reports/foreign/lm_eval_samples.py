"""The `samples_*.jsonl` of lm-evaluation-harness (`--log_samples`): one line for each document and filter."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from ringtrue.errors import InputError
from ringtrue.jsontext import parse_json
from ringtrue.records import Case, Json, Output, Row, Score, Trial

_NAME = re.compile(r"samples_(?P<task>.+)_(?P<stamp>\d{4}-\d\d-\d\dT[\d.-]+)")
_LINE = {"doc_id", "doc", "arguments", "resps", "filtered_resps"}
"""What every line has."""


def is_sample_file(path: Path) -> bool:
    """Whether a file of lines begins as lm-evaluation-harness begins it."""
    try:
        with path.open("rb") as file:
            return is_sample(parse_json(file.readline()))
    except (OSError, ValueError, RecursionError):
        return False


def is_sample(line: Json) -> bool:
    """Whether a value is a line of samples."""
    return isinstance(line, Mapping) and line.keys() >= _LINE


def read_samples(path: Path) -> Json:
    """The lines of a file, its task, and the model, which the results file beside it names."""
    found = _NAME.fullmatch(path.stem)
    results = path.with_name(f"results_{found['stamp']}.json") if found else None
    about = parse_json(results.read_bytes()) if results and results.is_file() else {}
    samples = [parse_json(line) for line in path.read_bytes().splitlines() if line.strip()]
    model = about.get("model_name") if isinstance(about, Mapping) else None
    return {"task": found["task"] if found else path.stem, "model": model or "lm-eval", "lm_eval_samples": samples}


def is_lm_eval_log(log: Json) -> bool:
    """Whether a value is what `read_samples` returns."""
    return isinstance(log, Mapping) and "lm_eval_samples" in log


def lm_eval_rows(log: Mapping[str, Json]) -> list[Row]:
    """One row for each document; a metric names its filter where there are several."""
    samples = log["lm_eval_samples"]
    filters = list(dict.fromkeys(str(one.get("filter") or "none") for one in samples))
    documents: dict[Json, list[Mapping[str, Json]]] = {}
    for number, one in enumerate(samples, 1):
        if not is_sample(one):
            raise InputError(f"line {number} of {log['task']} is not a sample: it needs {', '.join(sorted(_LINE))}")
        documents.setdefault(one["doc_id"], []).append(one)
    rows = []
    for place, lines in enumerate(documents.values()):
        scores: dict[str, Score] = {}
        for one in lines:
            ending = f",{one.get('filter') or 'none'}" if len(filters) > 1 else ""
            scores |= {f"{name}{ending}": _score(one.get(name)) for name in one.get("metrics") or ()}
        trial = Trial(_case(lines[0], str(log["task"])), Output(text=_answer(lines[0])))
        rows.append(Row(trial, scores=scores, position=place, system=str(log["model"])))
    return rows


def _case(one: Mapping[str, Json], dataset: str) -> Case:
    asked, target, choices = _arguments(one)[0][0], one.get("target"), _choices(one)
    if choices and str(target).isdecimal() and int(str(target)) < len(choices):
        target = choices[int(str(target))]
    turns = _turns(asked)
    doc = one["doc"] if isinstance(one["doc"], Mapping) else {"doc": one["doc"]}
    return Case(
        id=one["doc_id"],
        input=str(turns[-1].get("content") or "") if turns else str(asked),
        expected=None if target in (None, []) else tuple(map(str, target if isinstance(target, list) else [target])),
        messages=turns,
        fields={**doc, "dataset": dataset},
    )


def _arguments(one: Mapping[str, Json]) -> list[list[Json]]:
    """Return the arguments of each request: the text, then the continuation or the settings."""
    return [list(request.values()) for request in one["arguments"].values()]


def _turns(asked: Json) -> tuple[Mapping[str, Json], ...]:
    """The conversation that a request with a chat template holds as JSON."""
    while isinstance(asked, list) and len(asked) == 1 and not isinstance(asked[0], Mapping):
        asked = asked[0]
    if isinstance(asked, str) and asked.startswith("[{"):
        try:
            asked = parse_json(asked)
        except (ValueError, RecursionError):
            return ()
    is_talk = isinstance(asked, list) and all(isinstance(turn, Mapping) for turn in asked)
    return tuple(asked) if is_talk else ()


def _choices(one: Mapping[str, Json]) -> list[str]:
    """The continuations whose likelihoods were asked; empty for generated text."""
    return [str(request[1]).strip() for request in _arguments(one) if len(request) > 1 and isinstance(request[1], str)]


def _answer(one: Mapping[str, Json]) -> str:
    """The generated text, the first of several; of choices the likeliest."""
    first, choices = [replies[0] if isinstance(replies, list) else replies for replies in one["resps"]], _choices(one)
    if not choices:
        return str(first[0])
    likelihoods = [float(reply[0]) for reply in first[: len(choices)]]
    return choices[likelihoods.index(max(likelihoods))]


def _score(value: Json) -> Score:
    if not isinstance(value, (bool, int, float)) or not 0 <= value <= 1:
        return Score.skipped(f"lm-evaluation-harness scored {value!r}, which is not a number in [0, 1]")
    return Score(float(value), passed=value >= 0.5)
