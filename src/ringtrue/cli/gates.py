"""Gates: what a command's exit code says about its numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import click

from ringtrue.cli import GATE_FAILED, OK, UNDECIDED
from ringtrue.errors import ConfigurationError
from ringtrue.records import Summary
from ringtrue.safetext import printable

Summaries = Mapping[str, Mapping[str, Summary]]


def floors(gates: tuple[str, ...], unnamed: str = "") -> dict[str, float]:
    """What `--fail-under [PART=]NUMBER` asks for, once for each part; `unnamed` stands for one without a name."""
    found: dict[str, float] = {}
    for gate in gates:
        part, _, number = gate.rpartition("=")
        part = part or unnamed
        if part in found:
            raise ConfigurationError(
                f"--fail-under {gate!r}: {f'{part!r} has' if part else 'all parts have'} a floor already; give one",
                parameter="fail-under",
                value=gate,
            )
        try:
            found[part] = float(number)
        except ValueError:
            found[part] = -1.0
        if not 0 <= found[part] <= 1:
            raise ConfigurationError(
                f"--fail-under {gate!r}: write a number in [0, 1], or PART=NUMBER", parameter="fail-under", value=gate
            )
    return found


def gate(summaries: Summaries, wanted: Mapping[str, float]) -> int:
    """The exit code of the gates: failed if one fails, else undecided if one cannot be told, else passed."""
    code = OK
    for part, floor in wanted.items():
        for key, summary in _chosen(summaries, part):
            verdict, words = _verdict(key, summary, floor)
            if verdict != OK:
                click.echo(f"ringtrue: {printable(words)}", err=True)
            code = GATE_FAILED if GATE_FAILED in (code, verdict) else max(code, verdict)
    return code


def must_be_parts(wanted: Mapping[str, float], known: Iterable[str]) -> None:
    """Raise a ConfigurationError if a floor names a part that is not there."""
    known = list(dict.fromkeys(known))
    for part in wanted:
        if part and part not in known:
            raise ConfigurationError(
                f"--fail-under: no part {part!r}; there are {', '.join(known)}", parameter="fail-under", value=part
            )


def _chosen(summaries: Summaries, part: str) -> list[tuple[str, Summary]]:
    if not part:
        return [next(iter(parts.items())) for parts in summaries.values() if parts]
    must_be_parts({part: 0.0}, (key for parts in summaries.values() for key in parts))
    return [(key, summary) for parts in summaries.values() for key, summary in parts.items() if key == part]


def _verdict(key: str, summary: Summary, floor: float) -> tuple[int, str]:
    if summary.value is None:
        return GATE_FAILED, f"gate failed: {key} was measured on no row; --fail-under asks for {floor:g}"
    if summary.bounds is not None and summary.bounds[0] < floor <= summary.bounds[1]:
        words = "undecided: {} lies between {:.4f} and {:.4f}, depending on what its {} errors would have been".format(
            key, *summary.bounds, summary.errors
        )
        return UNDECIDED, f"{words}; --fail-under asks for {floor:g}"
    if summary.value < floor:
        words = f"gate failed: {key} is {summary.value:.4f} over {summary.n:,} rows"
        return GATE_FAILED, f"{words}; --fail-under asks for {floor:g}"
    return OK, ""
