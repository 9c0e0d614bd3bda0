"""`ByCase`: checks of one name that belong to single cases."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from ringtrue.errors import ConfigurationError
from ringtrue.evaluators.adapt import AdaptedEvaluator, Evaluator
from ringtrue.evaluators.parts import threshold_of
from ringtrue.identity import digest
from ringtrue.records import CaseId, Score, Trial

Id = CaseId


@dataclass(frozen=True)
class ByCase:
    """Checks of one name, one for each of some cases: each measures its own and no other."""

    name: str
    members: Mapping[Id, Evaluator]

    def __post_init__(self) -> None:
        if self.blocking and any(inspect.iscoroutinefunction(member.measure) for member in self.members.values()):
            raise ConfigurationError(
                f"some of the checks named {self.name!r} are asynchronous and some block; give one name=",
                parameter="evaluators",
                value=self.name,
            )

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """The keys of all members."""
        return tuple(dict.fromkeys(key for member in self.members.values() for key in member.keys))

    @property
    def threshold(self) -> float | None:
        """The threshold that all members share, if they do."""
        found = {threshold_of(member) for member in self.members.values()}
        return found.pop() if len(found) == 1 else None

    @cached_property
    def blocking(self) -> bool:
        """Whether a member has to leave the event loop."""
        return any(
            getattr(member, "blocking", isinstance(member, AdaptedEvaluator)) for member in self.members.values()
        )

    @property
    def local(self) -> bool:
        """Whether a member asks the model of this process."""
        return any(getattr(member, "local", False) for member in self.members.values())

    def measure(self, trial: Trial) -> Score:
        """Return the score of the case's own check."""
        return self.members[trial.case.id].measure(trial)

    def signature(self) -> str:
        """The signature of every member, as a hash."""
        parts = [part for key, member in self.members.items() for part in (repr(key), member.signature())]
        return f"{self.name}=ByCase({len(self.members)})|sha256:{digest(*parts)[:16]}"
