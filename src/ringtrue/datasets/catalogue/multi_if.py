"""Multi-IF: conversations of three turns in eleven languages, each turn adding instructions a program can check."""

import json
from collections.abc import Iterator, Mapping

from ringtrue.datasets.catalogue.benchmark import Benchmark, Case, Source
from ringtrue.datasets.catalogue.cited import EVALSCOPE, HUB
from ringtrue.errors import InputError
from ringtrue.records import Json

LANGUAGES = "Chinese English German Italian Vietnamese Spanish Hindi Portuguese French Thai Russian"


def load(source: Source) -> Iterator[Case]:
    """A case per conversation of a language, or of all; `turn_instructions` are those of each turn."""
    for place, row in enumerate(source.rows()):
        if source.config in ("all", row["language"]):
            asked = [turn(row, step, place) for step in (1, 2, 3) if row.get(f"turn_{step}_prompt")]
            yield {
                "id": row.get("key", place),
                "question": asked[0]["prompt"],
                "multi_turn": True,
                "turns": [{"role": "user", "content": one["prompt"]} for one in asked],
                "turn_instructions": asked,
                "language": row["language"],
            }


def turn(row: Mapping[str, Json], step: int, place: int) -> dict[str, Json]:
    """The prompt of a turn with its instructions and their arguments, which the file holds as JSON in text."""
    try:
        prompt = json.loads(row[f"turn_{step}_prompt"])["content"]
        ids = json.loads(row[f"turn_{step}_instruction_id_list"])
        given = [json.loads(one) for one in json.loads(row[f"turn_{step}_kwargs"])]
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"multi-if: turn {step} of row {place} cannot be read: {error}") from error
    return {"prompt": prompt, "instruction_id_list": ids, "kwargs": given}


BENCHMARK = Benchmark(
    name="multi-if",
    task="instruction following, several turns",
    path="facebook/Multi-IF",
    config="all",
    configs=("all", *LANGUAGES.split()),
    split="train",
    size=4501,
    fields={"language": "string", "turn_1_prompt": "string", "turn_1_instruction_id_list": "string"},
    load=load,
    evaluators=("answer_quality", "turn_instructions"),
    metric="turn_instructions",
    proxy="The mean over conversations, where the authors pool the instructions of a turn; the checks are IFEval's, "
    "made for English, where the authors adapt some to other languages.",
    subject="language",
    licence="CC BY-NC 2.0",
    citation="He et al. 2024, arXiv:2410.15553",
    homepage="https://github.com/facebookresearch/Multi-IF",
    sources=(
        f"{HUB}/facebook/Multi-IF/tree/0ab97ce0b45c7f57772e8ba2ac1616f4b00bd3aa: files, licence",
        f"{EVALSCOPE}/multi_if/multi_if_adapter.py: schema, configurations",
        f"{EVALSCOPE}/_meta/multi_if.json: size",
    ),
)
