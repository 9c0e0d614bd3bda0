"""The exceptions that ringtrue raises.

RingtrueError
├── ConfigurationError   an evaluator, plan or command is set up wrongly; raised before the first call (a ValueError)
│   ├── UnknownName      no evaluator, dataset or system has this name
│   └── MissingExtra     an extra is not installed
├── RecordError          the values of a record contradict one another (a ValueError)
├── InputError           a file cannot be read at all
│   └── AbsentFile       it is not there
├── StoreError           the store cannot be opened, read or written
├── EvaluationError      a direct call of an evaluator could not measure
├── GateFailure          a suite's gate was not passed (`ringtrue.reports.gating.suite_gate`; also a SystemExit)
└── ModelError           an endpoint gave no usable reply, after every useful retry
"""

from __future__ import annotations

from collections.abc import Iterable


class RingtrueError(Exception):
    """The base of every exception that ringtrue raises."""


class ConfigurationError(RingtrueError, ValueError):
    """A setting is wrong; the message says what to write instead."""

    def __init__(self, message: str, *, parameter: str = "", value: object = None) -> None:
        super().__init__(message)
        self.parameter = parameter
        self.value = value


class UnknownName(ConfigurationError):
    """Nothing of this kind has this name; the nearest names are offered."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        import difflib

        names = list(known)
        longer = [one for one in names if len(name) > 2 and one.startswith(name)]
        near = longer[:1] or difflib.get_close_matches(name, names, n=1, cutoff=0.65)
        hint = f"did you mean {near[0]!r}? " if near else ""
        article = "an" if kind[0] in "aeiou" else "a"
        super().__init__(
            f"no {kind} named {name!r}; {hint}'ringtrue list {kind}s' shows all",
            parameter=f"{article} {kind}",
            value=name,
        )
        self.near = near


class MissingExtra(ConfigurationError):
    """An optional dependency is absent; the message names the extra."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs an extra: pip install 'ringtrue[{extra}]'", parameter=extra)


class RecordError(RingtrueError, ValueError):
    """The values of a record contradict one another."""

    def __init__(self, message: str, *, field: str, value: object) -> None:
        super().__init__(message)
        self.field = field
        self.value = value


class InputError(RingtrueError):
    """A source cannot be opened or is not what its name says."""


class AbsentFile(InputError):
    """The named file does not exist; the command line treats it as a usage error."""


class StoreError(RingtrueError):
    """The store cannot be used; nothing that was reported before is lost."""


class EvaluationError(RingtrueError):
    """A direct `score()` could not measure; in a run this is a row with status `error`."""


class ModelError(RingtrueError):
    """An endpoint gave no usable reply; `kind` says why, `status` is the HTTP status where there was one.

    Kinds: `timeout`, `connection`, `rate_limit`, `http`, `malformed`, `refused`, `budget`. `attempts` counts the
    requests, and `timeouts` those that got no answer in time.
    """

    def __init__(
        self, message: str, *, kind: str, status: int | None = None, attempts: int = 1, timeouts: int = 0
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.status = status
        self.attempts = attempts
        self.timeouts = timeouts

    @property
    def is_denied(self) -> bool:
        """True if the key, the model or the address is refused, which another question would not change."""
        return self.status in (401, 403, 404)
