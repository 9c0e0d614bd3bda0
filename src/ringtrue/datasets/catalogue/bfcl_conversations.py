"""BFCL's multi-turn categories: requests that follow each other, answered by calls that change simulated services.

Questions, functions, services and expected calls come with the authors' package `bfcl-eval`; nothing is downloaded.
"""

from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path

from ringtrue.datasets.catalogue.benchmark import Case, Source
from ringtrue.datasets.catalogue.bfcl_functions import offered_tools, system_prompt
from ringtrue.datasets.catalogue.bfcl_rules import PROMPTED
from ringtrue.jsontext import parse_json
from ringtrue.records import Json
from ringtrue.scoring.tool_calls.bfcl_services import bfcl_module

HINT = " Note that the provided function is in Python 3 syntax."


def conversations(source: Source) -> Iterator[Case]:
    """A case per conversation of a category."""
    category = str(source.config).removesuffix(PROMPTED)
    folder = Path(str(bfcl_module("").__path__[0])) / "data"
    name = f"{bfcl_module('constants.category_mapping').VERSION_PREFIX}_{category}.json"
    source.read_from = f"bfcl-eval {version('bfcl-eval')}"
    expected = {row["id"]: row["ground_truth"] for row in rows(folder / "possible_answer" / name)}
    form = asked_by_tools if source.config == category else asked_by_prompt
    for row in rows(folder / name):
        services = {"name": "bfcl", "classes": row["involved_classes"], "config": row["initial_config"]}
        case = {"id": row["id"], "category": source.config, "multi_turn": True, "expected_turns": expected[row["id"]]}
        case |= {"environment": services | {"long_context": "long_context" in category}}
        case |= {"max_steps": bfcl_module("constants.default_prompts").MAXIMUM_STEP_LIMIT}
        case |= form(row["question"], *functions(row, folder / "multi_turn_func_doc"))
        yield case | {"question": next(turn["content"] for turn in case["turns"] if turn["role"] == "user")}


def rows(path: Path) -> list[Json]:
    """The objects of a file that has one on each line."""
    return [parse_json(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


def functions(row: Mapping[str, Json], folder: Path) -> tuple[list[Json], dict[str, list[Json]]]:
    """The functions a conversation starts with, and by the number of a turn those that are offered from it on."""
    files = bfcl_module("constants.executable_backend_config").MULTI_TURN_FUNC_DOC_FILE_MAPPING
    known = {doc["name"]: doc for name in row["involved_classes"] for doc in rows(folder / files[name])}
    added = {turn: [known.pop(name) for name in names] for turn, names in row.get("missed_function", {}).items()}
    return [{**doc, "description": doc["description"] + HINT} for doc in known.values()], added


def asked_by_tools(questions: Sequence[Json], offered: list[Json], added: Mapping[str, list[Json]]) -> Case:
    """Return the conversation for an endpoint that takes functions as tools; a turn that adds some says so."""
    words = bfcl_module("constants.default_prompts").DEFAULT_USER_PROMPT_FOR_ADDITIONAL_FUNCTION_FC
    given = {
        "tools": offered_tools(offered),
        "added_tools": {turn: offered_tools(docs) for turn, docs in added.items()},
    }
    return {"turns": turns(questions, dict.fromkeys(added, words)), **given}


def asked_by_prompt(questions: Sequence[Json], offered: list[Json], added: Mapping[str, list[Json]]) -> Case:
    """Return the conversation in which the functions are described in words."""
    words = bfcl_module("constants.default_prompts").DEFAULT_USER_PROMPT_FOR_ADDITIONAL_FUNCTION_PROMPTING
    said = turns(questions, {turn: words.format(functions=docs) for turn, docs in added.items()})
    return {"turns": [{"role": "system", "content": system_prompt(offered)}, *said], "calls_in": "text"}


def turns(questions: Sequence[Json], instead: Mapping[str, str]) -> list[Json]:
    """The user's messages; a turn that has none gets the text given here for its number."""
    texts = [turn[0]["content"] if turn else instead[str(place)] for place, turn in enumerate(questions)]
    return [{"role": "user", "content": text} for text in texts]
