"""LoCoMo: questions about conversations of many sessions; `locomo:evidence` shows only the turns that matter."""

import re
from collections.abc import Iterator, Mapping

from ringtrue.datasets.catalogue.benchmark import Benchmark, Case, Source
from ringtrue.datasets.catalogue.cited import EVALSCOPE, HUB
from ringtrue.datasets.catalogue.prompts import asking
from ringtrue.records import Json

KINDS = {1: "multi-hop", 2: "temporal", 3: "commonsense", 4: "single-hop", 5: "adversarial"}
ABSENT = "No information available"
SHORT = "Answer with a short phrase, in the words of the conversation where they fit."
FORMS = {
    2: f"{SHORT} Use the date of the conversation to give an approximate date.",
    5: f"{SHORT} If the conversation does not tell, answer {ABSENT!r}.",
}
SESSION = re.compile(r"session_(\d+)")


def load(source: Source) -> Iterator[Case]:
    """A case per question; the sessions in order are the context."""
    for talk in source.rows():
        for place, asked in enumerate(talk["qa"]):
            kind = int(asked["category"])
            answer = ABSENT if kind == 5 else str(asked.get("answer", ""))
            shown = set(asked.get("evidence") or ()) if source.config == "evidence" else None
            yield {
                "id": f"{talk['sample_id']}_{place}",
                "question": asking(asked["question"], FORMS.get(kind, SHORT)),
                "context": sessions(talk["conversation"], shown),
                "answer": [answer.partition(";")[0].strip() if kind == 3 else answer],
                "locomo_category": kind,
                "subtask": KINDS.get(kind, "other"),
            }


def sessions(talk: Mapping[str, Json], shown: set[str] | None) -> str:
    """The turns of every session under its date; of `shown` turns alone, where there are any."""
    numbers = sorted(int(found[1]) for found in map(SESSION.fullmatch, talk) if found)
    parts = []
    for number in numbers:
        turns = [turn for turn in talk[f"session_{number}"] if not shown or turn["dia_id"] in shown]
        lines = [f"{turn['speaker']}: {turn['text']}" + picture(turn) for turn in turns]
        if lines:
            parts.append("\n".join([f"Date: {talk.get(f'session_{number}_date_time', '')}", *lines]))
    return "\n\n".join(parts)


def picture(turn: Mapping[str, Json]) -> str:
    """Return the authors' description of a shared picture."""
    return f" [shares a picture: {turn['blip_caption']}]" if turn.get("blip_caption") else ""


AUTHORS = "github.com/snap-research/locomo"
QUESTION = {"question": "string", "category": "integer"}
BENCHMARK = Benchmark(name="locomo", task="memory of conversations", path="snap-research/locomo", config="whole",
                      configs=("whole", "evidence"), split="test", files="data/locomo10.json", size=1986, load=load,
                      fields={"sample_id": "string", "conversation": {}, "qa": [QUESTION]},
                      evaluators=("answer_quality", "locomo"), metric="locomo", subject="subtask",
                      licence="CC BY-NC 4.0",
                      citation="Maharana et al. 2024, arXiv:2402.17753", homepage=f"https://{AUTHORS}",
                      sources=(f"{EVALSCOPE}/locomo/utils.py: files, schema",
                               f"{AUTHORS}@92286325a40764bee61f77824ddb95233b11c4d6/task_eval/evaluation.py: rules",
                               f"{EVALSCOPE}/_meta/locomo.json: size",
                               f"{HUB}/adymaharana/locomo/tree/main: licence"),
                      note=f"Not on the hub: clone {AUTHORS} to DIR/snap-research/locomo and give --data-dir DIR.",
                      )  # fmt: skip
