"""`FolderRanking`: an auditor looks through several folders under blind names and ranks them."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ringtrue.errors import ConfigurationError, EvaluationError
from ringtrue.evaluators.check import require
from ringtrue.evaluators.judged.audit.auditor import Auditor, Order
from ringtrue.evaluators.judged.audit.blind import Blind, digest
from ringtrue.evaluators.judged.audit.commands import Shell
from ringtrue.evaluators.judged.audit.settings import AuditConfig, Folder, require_text
from ringtrue.evaluators.judged.audit.snapshot import Snapshot
from ringtrue.evaluators.judged.config import require_count
from ringtrue.evaluators.judged.ledger import Ledger, Unjudged
from ringtrue.evaluators.judged.prompt import prompt
from ringtrue.evaluators.judged.schemas import TEXT, choice, record, several
from ringtrue.models.model import Model
from ringtrue.models.providers import from_env
from ringtrue.models.structured import Asker
from ringtrue.records import Json

_PROMPTS = "folder_ranking", "folder_ranking_verdict"
_NO_GUIDELINES = "(none beside the task)"


@dataclass(frozen=True)
class Ranking:
    """The folders by their places in the list that was given, the best first.

    `names` are the blind names, which the reasoning uses. `metadata` tells how the audit went and what it took.
    """

    order: tuple[int, ...]
    reasoning: str
    names: Mapping[str, int]
    metadata: Mapping[str, Json] = field(default_factory=dict)

    @property
    def ranks(self) -> tuple[int, ...]:
        """The rank of each folder, 1 for the best, in the order of the list that was given."""
        return tuple(self.order.index(folder) + 1 for folder in range(len(self.order)))


@dataclass(frozen=True, kw_only=True)
class FolderRankingConfig(AuditConfig):
    """What counts beside the task, and how far the looking may go."""

    guidelines: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        require_text("guidelines", self.guidelines)


class FolderRanking:
    """Ranks folders that answer one task, by looking through copies of them under names that say nothing.

    Who is asked is found in the environment unless `model` is a model object. Over the runs of one series the folders
    take turns in being shown first.
    """

    def __init__(
        self,
        config: FolderRankingConfig | None = None,
        *,
        model: Model | Asker | None = None,
        sandbox: Shell | None = None,
        **settings: Any,
    ) -> None:
        if config is not None and (settings or not isinstance(config, FolderRankingConfig)):
            raise ConfigurationError(
                "give config=FolderRankingConfig(...), or its settings by name", parameter="config", value=config
            )
        self.config = config or FolderRankingConfig(**settings)
        self._model, self._sandbox = model, sandbox

    async def rank(self, task: str, folders: Sequence[Folder], *, run: int = 0, seed: str = "") -> Ranking:
        """A ranking of at least two folders; EvaluationError where the model gives none that is a permutation.

        `run` counts the rankings of one series, from 0. `seed` and what the folders hold decide names and order.
        """
        require_text("task", task)
        require_count("run", run, least=0)
        listed = isinstance(folders, Sequence) and not isinstance(folders, (str, bytes))
        paths = listed and all(isinstance(folder, (str, os.PathLike)) for folder in folders)
        require(paths, "folders must be a list of paths", parameter="folders", value=folders)
        message = f"a ranking needs two folders or more; got {len(folders)}"
        require(len(folders) > 1, message, parameter="folders", value=folders)
        snapshots = await asyncio.gather(*(asyncio.to_thread(self._copied, folder, len(folders)) for folder in folders))
        held = await asyncio.gather(*(asyncio.to_thread(digest, snapshot) for snapshot in snapshots))
        blind = Blind.of(held, run=run, seed=seed)
        ledger = Ledger(self._asker(), self.config.model, repeat=run)
        auditor = Auditor.over(blind.together(snapshots), self._order(task, blind), self.config, ledger, self._sandbox)
        try:
            answer = await auditor.verdict()
        except Unjudged as error:
            raise EvaluationError(str(error)) from None
        order = tuple(blind.index[name] for name in answer["ranking"])
        metadata = {**auditor.facts(), "shown": list(blind.order), **ledger.account().metadata()}
        return Ranking(order, answer["reasoning"], blind.index, metadata)

    def _order(self, task: str, blind: Blind) -> Order:
        wanted = record(reasoning=TEXT, ranking=several(choice(*blind.names), len(blind.names)))

        def problem(answer: Json) -> str:
            missing = [name for name in blind.names if name not in answer["ranking"]]
            return f"ranking must name every folder once; {', '.join(missing)} is not in it" if missing else ""

        words = {"guidelines": self.config.guidelines.strip() or _NO_GUIDELINES, "folders": "\n".join(blind.names)}
        return Order((prompt(_PROMPTS[0]), prompt(_PROMPTS[1])), task, words, wanted, problem, "the ranking")

    def _copied(self, folder: Folder, count: int) -> Snapshot:
        try:
            room = max(1, self.config.max_copy_bytes // count)
            return Snapshot.of(os.fspath(folder), max_bytes=room, exclude=self.config.exclude)
        except (OSError, ValueError) as error:  # ValueError: a name that no folder can have
            why = getattr(error, "strerror", None) or error
            raise EvaluationError(f"there is no folder to rank: {os.fspath(folder)!r} ({why})") from None

    def _asker(self) -> Asker:
        if self._model is None:
            self._model = from_env(self.config.provider)
        return self._model if isinstance(self._model, Asker) else Asker(self._model)
