"""`GateRule`: one thing that a run has to show; read from TOML, YAML or JSON, and wrong ones refused by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path

from ringtrue.datasets.files.config_file import read_structured
from ringtrue.errors import AbsentFile, ConfigurationError
from ringtrue.records import Json
from ringtrue.require import did_you_mean, require_number, require_share, require_text
from ringtrue.stats.row_status import PASS_RATE

LIMITS = (
    "at_least", "no_worse_by", "max_error_rate", "max_cost", "max_cost_per_answer", "max_latency_median",
    "max_latency_p95",
)  # fmt: skip
"""What a rule asks for: exactly one of these."""
_SHARES = ("at_least", "no_worse_by", "max_error_rate")


@dataclass(frozen=True, kw_only=True, slots=True)
class GateRule:
    """One thing that a run has to show, of all its datasets and systems or of a slice.

    `at_least`: the lower end of the 95 % interval of the `score` (the pass rate, unless named). `no_worse_by`: against
    the baseline, the interval of the paired difference stays above minus this margin. Budgets: the share of rows that
    end in errors, dollars in all or for each answer, seconds. A slice is one `dataset`, `system` or `tag`.
    """

    name: str = ""
    score: str = PASS_RATE
    dataset: str | None = None
    system: str | None = None
    tag: str | None = None
    at_least: float | None = None
    no_worse_by: float | None = None
    max_error_rate: float | None = None
    max_cost: float | None = None
    max_cost_per_answer: float | None = None
    max_latency_median: float | None = None
    max_latency_p95: float | None = None

    def __post_init__(self) -> None:
        asked = [name for name in LIMITS if getattr(self, name) is not None]
        if len(asked) != 1:
            what = f"this one has {' and '.join(asked)}" if asked else "this one asks for nothing"
            raise ConfigurationError(f"a rule has one of {', '.join(LIMITS)}; {what}", parameter="rules")
        for name in asked:
            if name in _SHARES:
                require_share(name, self.limit)
            else:
                require_number(name, self.limit, least=0)
        for name in ("score", "dataset", "system", "tag"):
            if getattr(self, name) is not None:
                require_text(name, getattr(self, name))
        if self.score != PASS_RATE and self.kind not in ("at_least", "no_worse_by"):
            raise ConfigurationError(f"{self.kind} is not about a score: leave out 'score'", parameter="score")

    @property
    def kind(self) -> str:
        """The kind of limit that the rule sets."""
        return next(name for name in LIMITS if getattr(self, name) is not None)

    @property
    def limit(self) -> float:
        """The number that it sets."""
        found: float = getattr(self, self.kind)
        return found


def read_rules(path: str | Path) -> list[GateRule]:
    """The rules of a file; what is wrong with it is said with the number of the rule."""
    place = Path(path)
    if not place.is_file():
        raise AbsentFile(f"there is no file of rules {str(path)!r}; write one in TOML, YAML or JSON")
    found = read_structured(place)
    listed = found.get("rules") if isinstance(found, Mapping) else found
    extra = sorted(set(found) - {"rules"}) if isinstance(found, Mapping) else []
    if not isinstance(listed, list) or not listed or extra:
        words = f"{place}: write a list of rules under 'rules', and nothing else"
        raise ConfigurationError(words, parameter="rules", value=str(path))
    return [_rule(one, number, place) for number, one in enumerate(listed, 1)]


def _rule(given: Json, number: int, path: Path) -> GateRule:
    where = f"{path}: rule {number}"
    known = [item.name for item in fields(GateRule)]
    if not isinstance(given, Mapping):
        raise ConfigurationError(f"{where} is not a table but {type(given).__name__}", parameter="rules", value=given)
    for name in given:
        if name not in known:
            words = f"{where} has no setting {name!r}; {did_you_mean(name, known)}"
            raise ConfigurationError(words, parameter="rules", value=name)
    try:
        return GateRule(**given)
    except ConfigurationError as error:
        raise ConfigurationError(f"{where}: {error}", parameter="rules", value=given) from error
