"""`SemanticTestEvaluator`: an auditor looks through a folder and fills in a rubric."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ringtrue.dialects.evaluation_output import EvaluationOutput, evaluation_output
from ringtrue.evaluators.judged.audit.auditor import Auditor, Order
from ringtrue.evaluators.judged.audit.commands import Shell
from ringtrue.evaluators.judged.audit.rubric import SCORE, Rubric
from ringtrue.evaluators.judged.audit.settings import Folder
from ringtrue.evaluators.judged.audit.settings import SemanticTestEvaluatorConfig as SemanticTestEvaluatorConfig
from ringtrue.evaluators.judged.audit.snapshot import Snapshot
from ringtrue.evaluators.judged.judge import Judge
from ringtrue.evaluators.judged.prompt import prompt
from ringtrue.evaluators.judged.session import JudgeSession, NoVerdict
from ringtrue.jsontext import json_text
from ringtrue.models.usage import Usage
from ringtrue.records import Json, Score, Trial
from ringtrue.require import require_that

_PROMPTS = "semantic_test", "semantic_test_verdict"


class SemanticTestEvaluator(Judge):
    """The score of a rubric that an auditor filled in after looking through a copy of a folder.

    The folder itself is read once and never written to. Where every field of the rubric but `score` states points and
    they total 100, code sums them; otherwise the score is the auditor's number. A folder that is not there is not
    applicable. In a run, a row's `working_dir` names a folder below the configured one. `sandbox` runs the commands.
    """

    default_name = "semantic_test"
    parts = ("semantic_test",)
    needs = "a folder; steps and a rubric in the config"
    formula = "points / 100 where all fields state points that total 100, else the auditor's score / 100"
    prompts = _PROMPTS
    config_class = SemanticTestEvaluatorConfig
    answers = "none"
    config: SemanticTestEvaluatorConfig

    def __init__(self, config: Any = None, *, sandbox: Shell | None = None, **settings: Any) -> None:
        super().__init__(config, **settings)
        holds = sandbox is None or callable(getattr(sandbox, "run", None))
        require_that(holds, "sandbox", sandbox, "an object with run()")
        self._sandbox = sandbox

    async def measure(self, trial: Trial) -> Score:
        """The score of the folder; what the system said beside it does not matter."""
        return await self._measure_once(trial)

    async def judge(self, trial: Trial, session: JudgeSession) -> Score:
        """One audit."""
        return await self._audit(self._folder(trial), self.config, session)

    async def run(
        self,
        working_dir: Folder | None = None,
        steps: str | None = None,
        rubric: Mapping[str, Json] | None = None,
        context: str | None = None,
    ) -> EvaluationOutput:
        """Audit a folder; what is given here takes the place of the config's."""
        given = {"working_dir": working_dir, "steps": steps, "rubric": rubric, "context": context}
        changes: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
        config = replace(self.config, **changes)
        folder = os.fspath(config.working_dir or "")
        score = _absent(folder) or await self._direct(lambda session: self._audit(folder, config, session))
        return evaluation_output(self.name, score)

    async def _measure_once(self, trial: Trial) -> Score:
        return _absent(self._folder(trial)) or await super()._measure_once(trial)

    def _folder(self, trial: Trial) -> str:
        """The configured folder, or the one below it that a row names; the empty string where it names another."""
        root, named = os.path.abspath(self.config.working_dir or ""), trial.case.fields.get("working_dir")
        if not self.config.working_dir:
            return ""
        folder = os.path.join(root, named) if isinstance(named, str) and "\0" not in named else root
        inside = os.path.commonpath([os.path.realpath(folder), os.path.realpath(root)]) == os.path.realpath(root)
        return folder if inside else ""

    async def _audit(self, folder: str, config: SemanticTestEvaluatorConfig, session: JudgeSession) -> Score:
        try:
            snapshot = await asyncio.to_thread(_copy, folder, config)
        except OSError as error:
            return _not_applicable(f"there is no folder to audit: {folder!r} cannot be copied ({error.strerror})")
        rubric = Rubric(config.rubric)
        words = {"steps": config.steps, "rubric": rubric.text()}
        prompts = prompt(_PROMPTS[0]), prompt(_PROMPTS[1])
        order = Order(prompts, config.context, words, rubric.schema(), rubric.problem, "the rubric")
        auditor = Auditor.over(snapshot, order, config, session, self._sandbox)
        try:
            answer = await auditor.verdict()
        except NoVerdict as error:
            return Score.error(str(error), kind=error.kind, **auditor.facts())
        return self._score_of(rubric, answer, auditor.facts())

    def _score_of(self, rubric: Rubric, answer: Json, known: Mapping[str, Json]) -> Score:
        completed, points = rubric.complete(answer["rubric"])
        rubric_fields = {name: item for name, item in completed.items() if name != SCORE}
        metadata = {
            **rubric_fields,
            **known,
            "rubric": completed,
            "evidence": answer["evidence"],
            "points": points,
            "feedback": json_text(rubric_fields, indent=True),
        }
        return replace(self.verdict(completed[SCORE] / 100, answer["evidence"]), metadata=metadata)


def _absent(folder: str) -> Score | None:
    """The score of a missing folder; no model is called."""
    if os.path.isdir(folder):
        return None
    what = f"{folder!r} is none" if folder else "working_dir is not given, or leads out of the configured one"
    return _not_applicable(f"there is no folder to audit: {what}")


def _copy(folder: str, config: SemanticTestEvaluatorConfig) -> Snapshot:
    room, exclude = config.max_copy_bytes // (1 + len(config.beside)), config.exclude
    parts = [Snapshot.of(folder, max_bytes=room, exclude=(*exclude, *config.beside))]
    for name, other in config.beside.items():
        try:
            parts.append(Snapshot.of(os.fspath(other), max_bytes=room, exclude=exclude).below(name))
        except OSError as error:
            parts.append(Snapshot({}, left_out={name: f"cannot be copied: {error.strerror}"}))
    return Snapshot.join(parts)


def _not_applicable(why: str) -> Score:
    return Score.skipped(why, error=why, **Usage().metadata())
