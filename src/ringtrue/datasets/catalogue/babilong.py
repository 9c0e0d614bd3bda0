"""BABILong: facts of bAbI scattered in books; `babilong:qa2-16k` is the second task in 16,000 tokens."""

from collections.abc import Iterator

from ringtrue.datasets.catalogue.benchmark import ANSWER_QUALITY, Benchmark, Case, ScoringRule, Source
from ringtrue.datasets.catalogue.cited import HUB, LM_EVAL
from ringtrue.datasets.catalogue.prompts import asking
from ringtrue.scoring.long_context.sole_label import LABELS

LENGTHS = ("0k", "1k", "2k", "4k", "8k", "16k", "32k", "64k", "128k")
LONG = tuple(f"qa{task}" for task in range(1, 6))
SHORT = tuple(f"qa{task}" for task in range(6, 21))
FORM = "Answer from the facts in the text, which stand between other passages, with one word alone."


def load(source: Source) -> Iterator[Case]:
    """A case per question of a task at a length, or of the first five tasks at it."""
    task, _, length = str(source.config).rpartition("-")
    for split in [task] if task else LONG:
        for place, row in enumerate(source.rows(config=length, split=split)):
            yield {
                "id": f"{split}_{length}_{place}",
                "question": asking(row["question"], FORM),
                "bare_question": row["question"],
                "context": row["input"],
                "answer": [row["target"]],
                "subtask": split,
            }


UNRULED = ScoringRule(
    ANSWER_QUALITY,
    "contains",
    "Whether the reply contains the answer, letter by letter; the authors' table has no labels for this task.",
)
BENCHMARK = Benchmark(
    name="babilong",
    task="long context, reasoning",
    path="RMT-team/babilong-1k-samples",
    config="4k",
    configs=(*LENGTHS, *(f"{task}-{length}" for task in LONG for length in LENGTHS),
             *(f"{task}-0k" for task in SHORT)),
    split="qa1",
    size=5000,
    fields={"input": "string", "question": "string", "target": "string"},
    load=load,
    evaluators=("answer_quality", "babilong"),
    metric="babilong",
    by_config={f"{task}-0k": UNRULED for task in SHORT if task not in LABELS},
    subject="subtask",
    licence="Apache-2.0",
    citation="Kuratov et al. 2024, arXiv:2406.10149",
    homepage="https://github.com/booydar/babilong",
    sources=(
        "github.com/booydar/babilong@01f42a66002b8d539e5418aa8bf4060a0f6f6c2d/README.md: licence",
        f"{LM_EVAL}/babilong/common_utils.py: schema",
        "github.com/booydar/babilong@eeec60715f04822f39c89fcc5c78408f06f576a7/babilong/metrics.py: rules",
        f"{LM_EVAL}/babilong/README.md: size, configurations",
        f"{HUB}/RMT-team/babilong-1k-samples/tree/25ef0ef8f297b18a1c9ac8dabe50584a05f0c659/4k: files",
    ),
    note="The authors show two worked examples first, and give each task its own instruction.",
)  # fmt: skip
