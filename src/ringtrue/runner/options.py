"""`Options`: the settings of a run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal, Self

from ringtrue.errors import ConfigurationError
from ringtrue.records import DEFAULT_STORE
from ringtrue.require import did_you_mean, require_count, require_number, require_share, require_texts

KEPT = ("timeout", "judge_timeout", "judge_workers", "max_cost", "max_tokens", "max_errors", "reuse")
"""What a run's evaluators, cases and answers do not show by themselves."""


@dataclass(frozen=True, kw_only=True)
class Options:
    """The settings of a run; except `threshold` and `criteria`, they do not change what is measured.

    `threshold` is the score at which a row passes, instead of the evaluator's own: the headline score, in a suite every
    check. Each of the `criteria` adds a judged check. `judge_timeout` is the time limit of one request to a judge,
    `timeout` that of a case with all its requests, in seconds. `max_workers` is the number of cases asked at the same
    time, `judge_workers` the number of answers judged at the same time, and `evaluator_workers` the number of
    evaluators that work on one answer at the same time (None: all; 0: four that ask a model and one that computes here,
    so that latencies are the system's own).
    `store` is a URL, or None to keep nothing. With `reuse`, answers of earlier runs serve identical requests. `resume`
    names the unfinished run to continue; by default it is found by its plan. `fresh` starts a new run. `executor` is
    `local`, or `ray` for the cluster at `ray_address`. `text_fields` are the fields whose tokens count as sent if a
    system reports no usage. `about` is kept with the run. `on_start` is called with the id of the run before the first
    request. `stop_when_decided` asks cases in a random order (`seed`) and stops once every floor (score -> number) is
    reached or missed, or, if True, once one of two systems is better.
    """

    name: str = ""
    repeats: int = 1
    threshold: float | None = None
    criteria: Sequence[str] = ()
    judge_timeout: float | None = None
    max_workers: int | None = None
    judge_workers: int | None = None
    evaluator_workers: int | None = 0
    timeout: float | None = None
    max_cost: float | None = None
    max_tokens: int | None = None
    max_errors: int | None = None
    store: str | None = DEFAULT_STORE
    reuse: bool = True
    resume: str | None = None
    fresh: bool = False
    executor: Literal["local", "ray"] = "local"
    ray_address: str | None = None
    progress: bool = True
    text_fields: Sequence[str] | None = None
    about: Mapping[str, Any] = field(default_factory=dict)
    on_start: Callable[[str], None] | None = None
    stop_when_decided: Mapping[str, float] | bool = False
    seed: int = 0

    @property
    def facts(self) -> dict[str, Any]:
        """The settings that are not as usual, and `about`: a run keeps them."""
        usual = {item.name: item.default for item in fields(self)}
        changed = {name: getattr(self, name) for name in KEPT if getattr(self, name) != usual[name]}
        return {**changed, **self.about}

    def with_facts(self, **facts: Any) -> Self:
        """These options, with what else is kept with the run; what is None or empty is left out."""
        given = {name: dict(value) if isinstance(value, Mapping) else value for name, value in facts.items() if value}
        return replace(self, about={**self.about, **given})

    @property
    def judging(self) -> dict[str, Any]:
        """The settings of judged evaluators beside their model."""
        return {"judge_timeout": self.judge_timeout, "criteria": self.criteria}

    @classmethod
    def of(cls, given: Mapping[str, Any], call: str = "", further: Iterable[str] = ()) -> Options:
        """The options that a caller passed by name; an unknown name raises and suggests the nearest.

        `call` is the function that the caller called, and `further` are its other parameters.
        """
        names = [item.name for item in fields(cls)]
        unknown = next((name for name in given if name not in names), None)
        if unknown is None:
            return cls(**given)
        raise ConfigurationError(
            f"{call}() has no parameter {unknown!r}; {did_you_mean(unknown, [*further, *names], cutoff=0.7)}",
            parameter=unknown,
            value=given[unknown],
        )

    def require_this_machine(self, call: str) -> Self:
        """Refuse another executor than `local`."""
        if self.executor != "local":
            raise ConfigurationError(
                f"{call}() works on this machine alone; with executor={self.executor!r} score_file scores files, "
                "rescore rescores, and 'ringtrue run --executor ray' asks",
                parameter="executor",
                value=self.executor,
            )
        return self

    def __post_init__(self) -> None:
        if self.store == "":
            raise ConfigurationError("store must be a URL, or None to keep nothing", parameter="store", value="")
        if self.executor not in ("local", "ray"):
            words = f"executor must be 'local' or 'ray'; got {self.executor!r}"
            raise ConfigurationError(words, parameter="executor", value=self.executor)
        require_count("repeats", self.repeats)
        for name in ("max_workers", "judge_workers"):
            if getattr(self, name) is not None:
                require_count(name, getattr(self, name))
        for name in ("evaluator_workers", "max_tokens", "max_errors"):
            if getattr(self, name) is not None:
                require_count(name, getattr(self, name), least=0)
        require_texts("criteria", self.criteria)
        for name in ("timeout", "judge_timeout"):
            if getattr(self, name) is not None:
                require_number(name, getattr(self, name), above=0)
        if self.max_cost is not None:
            require_number("max_cost", self.max_cost, least=0)
        if self.threshold is not None:
            require_share("threshold", self.threshold)
        if isinstance(self.stop_when_decided, Mapping):
            for name, floor in self.stop_when_decided.items():
                require_share(f"stop_when_decided[{name!r}]", floor)
