"""Whatever is judged, and whatever a judge says, an evaluation ends with a score that says what happened."""

from __future__ import annotations

import asyncio

import pytest

from ringtrue.evaluators.judged.fences import is_visible
from ringtrue.models.scripted import ScriptedModel
from ringtrue.records import Case, Output, Trial
from support.hostile import LARGE, SMALL
from support.injections import MAKERS

TEXTS = {name: text for name, text in {**SMALL, **LARGE}.items() if isinstance(text, str)}


@pytest.mark.parametrize("item", TEXTS)
def test_hostile_answers_and_hostile_judges_end(item: str) -> None:
    """The same text is judged and said by the judge: it ends, and nothing is raised."""
    text = TEXTS[item]
    for make in (MAKERS["llm_judge"], MAKERS["check_criteria"]):
        score = asyncio.run(make(ScriptedModel(lambda request: text)).measure(Trial(Case(input="q"), Output(text))))
        assert score.value == 0.0 if not is_visible(text) else score.status == "error"
