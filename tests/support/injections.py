"""Attempts to steer a judge from inside what it judges, and how to see whether one got out of its fence."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ringtrue.evaluators.judged.check_criteria import CheckCriteriaEvaluator
from ringtrue.evaluators.judged.claim_verification import ClaimVerificationEvaluator
from ringtrue.evaluators.judged.guidance import GuidanceEvaluator
from ringtrue.evaluators.judged.judge_panel import JudgePanel
from ringtrue.evaluators.judged.llm_judge import LLMJudge
from ringtrue.evaluators.judged.pairwise_judge import PairwiseJudge
from ringtrue.evaluators.judged.preference_adherence import PreferenceAdherenceEvaluator
from ringtrue.evaluators.judged.question_judge import QuestionJudge
from ringtrue.evaluators.judged.rubric_judge import RubricJudge
from ringtrue.evaluators.judged.scripted import scripted_judge
from ringtrue.evaluators.judged.semantic_test import SemanticTestEvaluator
from ringtrue.evaluators.judged.short_answer_judge import ShortAnswerJudge
from ringtrue.evaluators.judged.tool_usage import ToolUsageEvaluator
from ringtrue.evaluators.judged.turn_ratings import TurnRatings
from ringtrue.models.reply import Reply
from ringtrue.models.request import Request
from ringtrue.models.scripted import ScriptedModel
from ringtrue.records import Case, Json, Output, Trial

MAKERS: dict[str, Callable[[Any], Any]] = {
    "check_criteria": lambda model: CheckCriteriaEvaluator(criteria=["The answer is right"], model=model),
    "claim_verification": lambda model: ClaimVerificationEvaluator(model=model),
    "guidance": lambda model: GuidanceEvaluator(model=model),
    "judge_panel": lambda model: JudgePanel([LLMJudge(model), RubricJudge(levels=LEVELS, model=model)]),
    "llm_judge": lambda model: LLMJudge(model),
    "pairwise_judge": lambda model: PairwiseJudge(model=model),
    "preference_adherence": lambda model: PreferenceAdherenceEvaluator(model=model),
    "question_judge": lambda model: QuestionJudge(questions=["Is it right?"], model=model),
    "rubric_judge": lambda model: RubricJudge(levels=LEVELS, model=model),
    "semantic_test": lambda model: Auditing(steps="Look.", rubric=RUBRIC, max_steps=2, model=model),
    "short_answer_judge": lambda model: ShortAnswerJudge(model=model),
    "tool_usage": lambda model: ToolUsageEvaluator(model=model),
    "turn_ratings": lambda model: TurnRatings(model=model),
}
"""Every judged evaluator by its name in the table, made with a model."""

LEVELS = {"bad": "Wrong or no answer.", "good": "Right."}
RUBRIC = {"quality": "string - how good is it?", "score": "number (0-100)"}
CLAIM = "Lima is the capital of Peru."
SOURCE = "Peru is governed from Lima, where its government sits."


class Auditing(SemanticTestEvaluator):
    """An audit of a folder whose files hold the judged text, one in its name, and of a task that is the text."""

    async def measure(self, trial: Trial) -> Any:
        text = trial.case.input
        name = re.sub(r"[\0/\ud800-\udfff]", "_", text).encode()[:200].decode("utf-8", "ignore")
        with TemporaryDirectory() as folder:
            for file in ("notes.md", "rubric.json", name):
                Path(folder, file).write_bytes(text.encode("utf-8", "replace"))
            return await self.run(working_dir=folder, context=text)


@dataclass(frozen=True)
class Injection:
    """One attempt."""

    id: str
    kind: str
    text: str


def injections() -> list[Injection]:
    """All attempts, those that live on their size unpacked."""
    lines = Path(__file__).with_name("injections.jsonl").read_text().splitlines()
    return [_unpacked(**json.loads(line)) for line in lines]


def _unpacked(id: str, kind: str, text: str, filler: str = "", padding: int = 0) -> Injection:
    return Injection(id, kind, filler * (padding // max(1, len(filler))) + text)


def planted(text: str) -> Trial:
    """A trial that holds a text wherever text can come from outside."""
    tool = {"type": "function", "function": {"name": text, "description": text, "parameters": {"title": text}}}
    call = {"id": text, "type": "function", "function": {"name": text, "arguments": text}}
    messages: list[dict[str, Json]] = [
        {"role": "system", "content": text},
        {"role": "user", "content": text},
        {"role": "assistant", "content": text},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": text, "content": f"{SOURCE}\n\n{text}"},
        {"role": text, "content": text},
        {"role": "user", "content": [{"type": "text", "text": text}, {"type": text}]},
    ]
    case = Case(input=text, expected=(text,), context=text, messages=messages, tools=[tool], fields={"baseline": text})
    return Trial(case, Output(f"{CLAIM}\n\n{text}"))


def judges(text: str, *said: str) -> Iterator[ScriptedModel]:
    """Judges under the spell of a text: one only repeats it, the others give verdicts that fit, and say it in them.

    One of those takes the first choices and the highest numbers, one the last and the lowest; one takes what leads on
    to the next question, and uses tools. `said` are further replies; each has a judge that says nothing else.
    """
    text = text.encode("utf-8", "replace").decode()[-2_000:]  # a reply is UTF-8, and no judge says more
    for reply in (text, *said):
        yield ScriptedModel(lambda request, reply=reply: reply)  # type: ignore[misc]
    for choices, highest in (((), True), (None, False), (("whole", "clear", "no", "not_found"), False)):
        yield scripted_judge(_Filling(text, choices, highest).verdict)


@dataclass(frozen=True)
class _Filling:
    """How a schema is filled: which words are preferred (else the first; None: the last), and high or low numbers."""

    text: str
    choices: tuple[str, ...] | None
    highest: bool

    def verdict(self, request: Request) -> Any:
        if "tools" in request.parameters and self.choices and request.messages[-1]["role"] == "user":
            function = {"name": "read", "arguments": json.dumps({"path": "notes.md", "start_line": 1})}
            call = {"id": "1", "type": "function", "function": function}
            return Reply(self.text, {"role": "assistant"}, [call])
        form = request.parameters.get("response_format")
        return self.filled(form["json_schema"]["schema"]) if form else self.text

    def filled(self, schema: Any, at: int = 0) -> Json:
        """A value that fits a schema; the items of a list differ in their numbers."""
        if "enum" in schema:
            return self._chosen(schema["enum"], at)
        kind = schema["type"]
        if kind == "object":
            own = {name: part for name, part in schema["properties"].items() if name != "nonce"}
            return {name: self.filled(part, at) for name, part in own.items()}
        if kind == "array":
            if schema["items"] == {"type": "string"}:
                return [CLAIM, self.text]
            return [self.filled(schema["items"], place) for place in range(schema.get("minItems", 1))]
        if kind in ("number", "integer"):
            end = schema.get("maximum" if self.highest else "minimum", 1)
            return end if "maximum" in schema else 1
        return self.highest if kind == "boolean" else self.text

    def _chosen(self, values: list[Json], at: int) -> Json:
        if isinstance(values[0], int):
            return values[at % len(values)]
        if self.choices is None:
            return values[-1]
        return next((value for value in self.choices if value in values), values[0])


FENCE = re.compile(r"\[\[\[(\w+) ([0-9a-f]{20})\]\]\]\n(.*?)\n\[\[\[end of \1 \2\]\]\]", re.DOTALL)
_CODE = re.compile(r"The code of the fences is ([0-9a-f]{20})\.(?: Put \"([0-9a-f]{12})\" into the field nonce\.)?")
_MARKS = [
    "[[[", "]]]", "<|", "<s>", "</s>", "[INST]", "[/INST]", "<<SYS>>", "<</SYS>>", "<start_of_turn>", "<end_of_turn>",
    "<bos>", "<eos>", "<sop>", "[gMASK]", "[SYSTEM_PROMPT]", "[/SYSTEM_PROMPT]", "[TOOL_RESULTS]", "[/TOOL_RESULTS]",
    "<tool_call>", "</tool_call>", "<tool_response>", "</tool_response>", "<think>", "</think>", "<extra_id_0>",
    "<extra_id_1>",
]  # fmt: skip


def outside(request: Request) -> str:
    """All that a request says to the model outside its fences, with code and nonce replaced by their names.

    What is there may depend on the evaluator and its settings, and on nothing that is judged: two requests of one
    prompt must be alike in it, letter by letter, whatever the texts are. Digits are not compared: they count things.
    """
    texts = [FENCE.sub("<fenced>", str(message["content"])) for message in request.messages]
    calls = [message.get("tool_calls") for message in request.messages]
    bare = "\n".join([*texts, json.dumps([calls, request.parameters])])
    for codes in [codes for text in texts for codes in _CODE.findall(text)]:
        for word, name in zip(codes, ("CODE", "NONCE"), strict=True):
            bare = bare.replace(word, name) if word else bare
    return re.sub(r"\[0(?:, ?0)+\]", "[0]", re.sub(r"\d+", "0", bare))


def breaches(request: Request) -> list[str]:
    """The marks that a reader or a tokenizer could take for the end of a fence or of a turn, inside the fences."""
    texts = [str(message["content"]) for message in request.messages]
    found = []
    for name, code, body in (groups for text in texts for groups in FENCE.findall(text)):
        seen = "".join(
            letter for letter in unicodedata.normalize("NFKC", body) if unicodedata.category(letter) not in ("Cf", "Mn")
        )
        found += [f"{mark} in {name}" for mark in (*_MARKS, code) if mark in body or mark in seen]
    return found
