"""`SuiteLock`: what a suite is made of, in a file; a suite that has changed since is told apart."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ringtrue.api.declared import declaration_of
from ringtrue.api.engine import engine
from ringtrue.api.suite_cases import Entries
from ringtrue.api.suite_plan import Weighted
from ringtrue.errors import AbsentFile, ConfigurationError, InputError
from ringtrue.metrics.pairs import numbered
from ringtrue.records import Json
from ringtrue.reports.canonical import canonical_json
from ringtrue.reports.sealed_record import SealedRecord
from ringtrue.reports.whole_file import Where, write_whole
from ringtrue.store.codec import digest, encode_record


class LockMismatch(ConfigurationError):
    """A suite is not the one that was locked; `differences` tells in what."""

    def __init__(self, differences: Sequence[str]) -> None:
        self.differences = list(differences)
        lines = "".join(f"\n  {difference}" for difference in self.differences)
        super().__init__(f"the suite is not the one that was locked:{lines}", parameter="locked")


class SuiteLock(SealedRecord):
    """The checks of a suite by signature, its cases by digest, and the engine that measures."""

    schema = "ringtrue.suite-lock/v1"

    def require(self, data: dict[str, Any]) -> None:
        """Raise a KeyError or TypeError unless these are the parts of a lock."""
        dict(_facts(data))

    @classmethod
    def made(cls, name: str, everywhere: Sequence[Weighted], entries: Entries) -> SuiteLock:
        """The lock of a suite as it is now."""
        cases: list[Json] = [
            {"id": case.id, "digest": digest(encode_record(case)), "checks": _checks(own)} for case, own in entries
        ]
        return cls.of({"suite": name, "engine": engine(), "checks": _checks(everywhere), "cases": cases})

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> SuiteLock:
        """The lock in a file."""
        try:
            return cls.from_json(Path(path).read_text("utf-8"))
        except FileNotFoundError as error:
            raise AbsentFile(f"there is no lock {os.fspath(path)!r}; --write-lock writes one") from error
        except (OSError, ValueError, RecursionError) as error:
            raise InputError(f"{os.fspath(path)}: not a suite's lock: {error}") from error

    def save(self, path: Where) -> None:
        """Write the lock to a file."""
        write_whole(path, (json.dumps(self.data, indent=2) + "\n").encode())

    def differences(self, saved: SuiteLock) -> list[str]:
        """In what the suite of this lock differs from the one of a saved lock."""
        now, then = _by_name(self.data), _by_name(saved.data)
        found = []
        for what in dict.fromkeys((*then, *now)):
            if what not in now or what not in then:
                found.append(f"{what} was {'added' if what in now else 'removed'}")
            elif now[what] != then[what]:
                found.append(f"{what}: {then[what]} -> {now[what]}")
        return found


def _checks(checks: Sequence[Weighted]) -> list[Json]:
    return [
        {
            "name": check.evaluator.name,
            "signature": check.evaluator.signature(),
            "weight": check.weight,
            "declared": _declared(check),
        }
        for check in checks
    ]


def _declared(check: Weighted) -> Json:
    found, issues = declaration_of(check.given)
    if issues:
        words = f"the check {check.evaluator.name} cannot be locked: {'; '.join(issues)}"
        raise ConfigurationError(words, parameter="files")
    return found


def _by_name(data: dict[str, Any]) -> dict[str, str]:
    """What a lock says, by its name; of two of the same name the second is told apart."""
    facts = list(_facts(data))
    names = (f"{name} ({before + 1})" if before else str(name) for name, before in numbered(name for name, _ in facts))
    return dict(zip(names, (value for _, value in facts), strict=True))


def _facts(data: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """What a lock says, each with its name."""
    yield "the suite's name", data["suite"]
    told = dict(data["engine"])
    for package, version in told.pop("packages"):
        yield f"the package {package}", version
    for name, value in told.items():
        yield name, _short(value)
    yield from _told_checks(data["checks"], "")
    for case in data["cases"]:
        yield f"the case {case['id']!r}", _short(case["digest"])
        yield from _told_checks(case["checks"], f" of the case {case['id']!r}")


def _told_checks(checks: list[dict[str, Any]], where: str) -> Iterator[tuple[str, str]]:
    for check in checks:
        weight = "" if check["weight"] == 1 else f", weight {check['weight']:g}"
        yield f"the check {check['name']}{where}", check["signature"] + weight
        for kind, value in (check["declared"] or {}).items():
            yield f"the {kind} that the check {check['name']}{where} declares", canonical_json(value)


def _short(value: str) -> str:
    return value[:12] if len(value) == 64 else value
