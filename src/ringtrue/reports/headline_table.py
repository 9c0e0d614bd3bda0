"""The headline of a run: for each dataset the share of cases that pass, system by system, never pooled.

The terminal, the report, the viewer and the notebook show this one table.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from ringtrue.evaluators.built_in import EVERYWHERE
from ringtrue.records import Made, Run, Summary
from ringtrue.reports.number import count, number
from ringtrue.stats.row_status import PASS_RATE
from ringtrue.stats.summarise import part_keys

SAMPLE = "sample"
"""The fact of a dataset of which a shipped sample was taken."""
_FEW = 4
_METRICS = {
    "mean_score", PASS_RATE, "compression_ratio", "mean_input_tokens", "mean_output_tokens", "cost_of_pass",
    "num_passing", "usd_per_pass", "usd_per_case", "latency_mean", "latency_median", "latency_p95", "latency_p99",
    "flaky",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class HeadlineLine:
    """A system on a dataset: the share that passes, and every other number of it.

    `series` is the system's place among those of the run, from 1 on: its colour and its shape.
    """

    system: str
    series: int
    numbers: Mapping[str, Summary]

    @property
    def share(self) -> Summary | None:
        """The share of cases that pass; None where the run has no verdicts."""
        return self.numbers.get(PASS_RATE)

    @property
    def dollars(self) -> float | None:
        """The dollars for 1,000 answers; None if a price is unknown."""
        found = self._value("usd_per_case")
        return None if found is None else 1000 * found

    @property
    def seconds(self) -> float | None:
        """The median time until an answer."""
        return self._value("latency_median")

    @property
    def tokens(self) -> float | None:
        """Tokens sent and received for a case."""
        sent, came = self._value("mean_input_tokens"), self._value("mean_output_tokens")
        return None if sent is None or came is None else sent + came

    def _value(self, key: str) -> float | None:
        found = self.numbers.get(key)
        return found.value if found is not None and found.n else None


@dataclass(frozen=True, slots=True)
class HeadlineBlock:
    """A dataset of a run: its systems, best first, and in `facts` what was measured.

    `proxy` says how the headline differs from the metric of the dataset's authors; empty where it is theirs.
    """

    dataset: str
    title: str
    facts: tuple[str, ...]
    lines: tuple[HeadlineLine, ...]
    proxy: str = ""


def headline_table(run: Run) -> list[HeadlineBlock]:
    """A block for each dataset of a run."""
    places = system_places(run.made)
    blocks = []
    for dataset, systems in run.summaries.items():
        lines = [HeadlineLine(system, places.get(system, 0), found) for system, found in systems.items()]
        lines.sort(key=lambda line: -_rank(line.share))
        info = next((one for one in run.made.datasets if one.name == dataset), None)
        title = dataset or run.made.name or "rows"
        blocks.append(
            HeadlineBlock(dataset, title, _facts(run.made, dataset, lines), tuple(lines), info.proxy if info else "")
        )
    return blocks


def system_places(made: Made) -> dict[str, int]:
    """The place of each system of a run, from 1 on: its colour and its shape on every page."""
    return {one.name: place for place, one in enumerate(made.systems, 1)}


def ranked_systems(run: Run) -> list[str]:
    """The systems of a run, the best first: by the mean of their pass rates; of two equals the later comes first."""

    def rate(system: str) -> float:
        shares = [own[system].get(PASS_RATE) for own in run.summaries.values() if system in own]
        known = [share.value for share in shares if share is not None and share.value is not None]
        return sum(known) / len(known) if known else -1.0

    return sorted((one.name for one in reversed(run.made.systems)), key=rate, reverse=True)


def is_score(key: str) -> bool:
    """Whether a key of a summary is an evaluator's score, and no metric over them."""
    return key not in _METRICS and not key.startswith(("pass@", "pass^"))


def further_scores(run: Run, block: HeadlineBlock) -> list[str]:
    """The scores below the headline: all but counts and a headline that is a share itself; none if all are absent.

    The mean of any other headline comes first: that is the metric, and the share that passes is a reading of it.
    What `answer_quality` gives, which every benchmark gets, is left out of one whose cases have no answer.
    """
    info = next((one for one in run.made.datasets if one.name == block.dataset), None)
    counts = _count_keys(run.made)
    scores = (key for line in block.lines for key in line.numbers if is_score(key))
    keys = dict.fromkeys(key for key in scores if key not in counts)
    if not any(line.numbers[key].n for line in block.lines for key in keys if key in line.numbers):
        return []
    if info is not None and info.revision:
        unmeasured = _empty_scores(run.made, block) - {info.headline}
        keys = dict.fromkeys(key for key in keys if key not in unmeasured)
    suite = run.made.job == "suite"
    alike = {key for key in keys if info is not None and key == info.headline and score_unit(block, key) == "share"}
    if len(keys) == 1 and (alike or suite):
        return []
    shown = [key for key in keys if key not in alike or suite]
    return sorted(shown, key=lambda key: info is None or key != info.headline)


def _count_keys(made: Made) -> set[str]:
    """The parts that count something, such as the instructions of a prompt: a summary of them is not a score."""
    keys = part_keys(made.evaluators)
    return {keys.get(one.name, {}).get(part, part) for one in made.evaluators for part in one.counts}


def _empty_scores(made: Made, block: HeadlineBlock) -> set[str]:
    """The scores of the evaluator that every benchmark gets, where it measured none of the rows."""
    keys = set(part_keys(made.evaluators).get(EVERYWHERE, {}).values())
    found = [line.numbers[key] for line in block.lines for key in keys if key in line.numbers]
    return set() if any(one.n or one.errors for one in found) else keys


def score_unit(block: HeadlineBlock, key: str) -> Literal["share", "score"]:
    """Return the unit of a dataset's score, the same for all systems: percent if it is zeros and ones in all."""
    units = {line.numbers[key].unit for line in block.lines if key in line.numbers and line.numbers[key].n}
    return "share" if units == {"share"} else "score"


def _facts(made: Made, dataset: str, lines: list[HeadlineLine]) -> tuple[str, ...]:
    info = next((one for one in made.datasets if one.name == dataset), None)
    if made.job == "suite":
        what = "a case passes if every check passes"
    else:
        share = next((line.share for line in lines if line.share is not None), None)
        passes = "" if share is None or share.threshold is None else f", passes at {share.threshold:.2f}"
        what = f"{info.headline}{passes}" if info is not None and info.headline and share is not None else ""
    cases = count(info.cases, "case") if info is not None and info.cases else ""
    revision = _revision(info.revision) if info is not None else ""
    means = _means(info.headline, lines) if info is not None else ""
    return tuple(fact for fact in (what, means, cases, revision) if fact)


def _means(headline: str, lines: list[HeadlineLine]) -> str:
    """The mean of a headline that is not a share itself, of each system if they are few: as its authors report it."""
    found = [
        (line.system, line.numbers[headline]) for line in lines if headline in line.numbers and line.numbers[headline].n
    ]
    if not found or len(found) > _FEW or all(one.unit == "share" for _, one in found):
        return ""
    alone = len(found) == 1
    return "mean " + ", ".join(
        number(one.value, "score") if alone else f"{system} {number(one.value, 'score')}" for system, one in found
    )


def _revision(source: str) -> str:
    """The commit that `openai/gsm8k@cc7b047…` ends with, shortened; nothing where there is none, or it is unknown."""
    commit = source.partition(", ")[0].rpartition("@")[2]
    if commit == SAMPLE:
        return commit
    return f"revision {commit[:12]}" if commit not in ("", "unknown") and " " not in commit else ""


def _rank(share: Summary | None) -> float:
    return -1.0 if share is None or share.value is None else share.value
