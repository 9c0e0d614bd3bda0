"""BIG-Bench Hard: 27 tasks on which models did worse than people; `bbh:causal_judgement` is one of them."""

from collections.abc import Iterator

from ringtrue.datasets.catalogue.benchmark import Benchmark, Case, Source
from ringtrue.datasets.catalogue.cited import CONTEXT_BENCH, EVALSCOPE, HUB
from ringtrue.datasets.catalogue.prompts import asking

TASKS = (
    "boolean_expressions causal_judgement date_understanding disambiguation_qa dyck_languages formal_fallacies "
    "geometric_shapes hyperbaton logical_deduction_five_objects logical_deduction_seven_objects "
    "logical_deduction_three_objects movie_recommendation multistep_arithmetic_two navigate object_counting "
    "penguins_in_a_table reasoning_about_colored_objects ruin_names salient_translation_error_detection snarks "
    "sports_understanding temporal_sequences tracking_shuffled_objects_five_objects "
    "tracking_shuffled_objects_seven_objects tracking_shuffled_objects_three_objects web_of_lies word_sorting"
)
FORM = 'End your reply with "The answer is X.", where X is the answer as the question wants it; of options, as in (A).'


def load(source: Source) -> Iterator[Case]:
    """A case per example of the task, or of all tasks one after the other."""
    for task in TASKS.split() if source.config == "all" else (source.config,):
        for place, row in enumerate(source.rows(config=task)):
            yield {
                "id": f"{task}_{place}",
                "question": asking(row["input"], FORM),
                "answer": [row["target"]],
                "subtask": task,
            }


BENCHMARK = Benchmark(
    name="bbh",
    task="reasoning",
    path="lukaemon/bbh",
    config="all",
    configs=("all", *TASKS.split()),
    split="test",
    revision="7f6d1e32b1667e264ff58fee9e1b685bae899d62",
    size=6511,
    fields={"input": "string", "target": "string"},
    load=load,
    evaluators=("answer_quality", "final_answer", "lenient_answer"),
    metric="lenient_answer",
    subject="subtask",
    licence="MIT",
    citation="Suzgun et al. 2022, arXiv:2210.09261",
    homepage="https://github.com/suzgunmirac/BIG-Bench-Hard",
    sources=(
        f"{HUB}/lukaemon/bbh/tree/7f6d1e32b1667e264ff58fee9e1b685bae899d62/boolean_expressions/test: revision, files",
        f"{EVALSCOPE}/_meta/bbh.json: size, configurations",
        f"{CONTEXT_BENCH}/longcontext.py: schema",
        "github.com/suzgunmirac/BIG-Bench-Hard@31a4b376e4d6dd71005952d46d3030fd66ddbdfe/LICENSE: licence",
    ),
    proxy="Read leniently, as replies to a prompt without examples need; the authors show three worked examples, read "
    "replies as final_answer does, and average over tasks.",
)
