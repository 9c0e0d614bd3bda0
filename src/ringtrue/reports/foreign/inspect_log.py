"""Logs of inspect_ai: `.json`, and `.eval`, a zip of one JSON file for each sample."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from ringtrue.errors import InputError, MissingExtra
from ringtrue.jsontext import parse_json
from ringtrue.records import Case, Json, Output, Row, Score, Trial

ZSTANDARD = 93
"""The zip method of newer logs; Python reads it from 3.14 on, pyarrow in every version."""
LARGEST = 512 * 1024 * 1024
"""A larger file in an archive is not a sample."""
_GRADES = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}


def is_inspect_log(log: Json) -> bool:
    """Whether a value is a log of inspect_ai."""
    return isinstance(log, Mapping) and isinstance(log.get("eval"), Mapping) and "samples" in log


def read_inspect_archive(path: Path) -> Json:
    """The log that an `.eval` file holds."""
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
            head = "header.json" if "header.json" in names else "_journal/start.json"
            log = parse_json(_member(archive, head))
            samples = [parse_json(_member(archive, name)) for name in names if name.startswith("samples/")]
    except (zipfile.BadZipFile, KeyError) as error:
        raise InputError(f"{path}: not an .eval file: {error}") from error
    return {**log, "samples": samples}


def _member(archive: zipfile.ZipFile, name: str) -> bytes:
    info = archive.getinfo(name)
    if info.file_size > LARGEST:
        raise InputError(f"{archive.filename}: {name} is larger than any sample: {info.file_size:,} bytes")
    if info.compress_type != ZSTANDARD:
        return archive.read(name)
    try:
        import pyarrow
    except ImportError as error:
        raise MissingExtra("an .eval file", "parquet") from error
    file = archive.fp
    assert file is not None
    file.seek(info.header_offset + 26)  # the lengths of name and extra field end the local header
    lengths = file.read(4)
    file.seek(int.from_bytes(lengths[:2], "little") + int.from_bytes(lengths[2:], "little"), 1)
    packed = file.read(info.compress_size)
    try:
        return bytes(pyarrow.decompress(packed, info.file_size, codec="zstd", asbytes=True))
    except OSError as error:
        raise InputError(f"{archive.filename}: {name} is broken: {error}") from error


def inspect_rows(log: Mapping[str, Json]) -> list[Row]:
    """The samples as rows; an epoch is a repeat."""
    about = log["eval"]
    dataset = str((about.get("dataset") or {}).get("name") or about.get("task") or "")
    places: dict[Json, int] = {}
    rows = []
    for sample in log["samples"] or ():
        place = places.setdefault(str(sample["id"]), len(places))
        scores = {name: _score(one) for name, one in (sample.get("scores") or {}).items()}
        trial = Trial(_case(sample, dataset), _output(sample))
        rows.append(
            Row(
                trial,
                scores=scores,
                position=place,
                system=str(about["model"]),
                repeat=int(sample.get("epoch") or 1) - 1,
            )
        )
    return rows


def _case(sample: Mapping[str, Json], dataset: str) -> Case:
    asked, target = sample["input"], sample.get("target")
    expected = (
        None if target in (None, "", []) else tuple(map(str, target)) if isinstance(target, list) else (str(target),)
    )
    turns = tuple(asked) if isinstance(asked, list) else ()
    text = asked if isinstance(asked, str) else _text(turns[-1].get("content") if turns else "")
    fields = {**(sample.get("metadata") or {}), "dataset": dataset}
    return Case(id=sample["id"], input=text, expected=expected, messages=turns, fields=fields)


def _output(sample: Mapping[str, Json]) -> Output:
    output = sample.get("output") or {}
    choices = output.get("choices") or []
    said = output.get("completion") or _text((choices[0].get("message") or {}).get("content") if choices else "")
    usage, problem = output.get("usage") or {}, sample.get("error")
    return Output(
        text=str(said or ""),
        problem=str(problem.get("message") or "error") if problem else "",
        error="system_error" if problem else "",
        latency_seconds=sample.get("working_time"),
        input_tokens=usage.get("input_tokens"),
        output_tokens=usage.get("output_tokens"),
    )


def _score(given: Mapping[str, Json]) -> Score:
    value, reason = given.get("value"), str(given.get("explanation") or "")
    if isinstance(value, Mapping):
        parts = {name: number for name, one in value.items() if (number := _number(one)) is not None}
        first = next(iter(parts.values()), None)
        if first is not None and 0 <= first <= 1:
            return Score(first, passed=first >= 0.5, reason=reason, parts=parts)
        value = None
    number = _number(value)
    if number is None or not 0 <= number <= 1:
        return Score.skipped(f"inspect_ai scored {value!r}, which is not a number in [0, 1]")
    return Score(number, passed=number >= 0.5, reason=reason)


def _number(value: Json) -> float | None:
    """A grade, a truth value or a number, as inspect_ai takes them."""
    if isinstance(value, str):
        return _GRADES.get(value)
    return float(value) if isinstance(value, (bool, int, float)) else None


def _text(content: Json) -> str:
    if isinstance(content, Sequence) and not isinstance(content, str):
        return "\n".join(str(part.get("text") or "") for part in content if isinstance(part, Mapping))
    return str(content or "")
