"""MATH: competition problems with worked solutions; `math:algebra` is one subject."""

from collections.abc import Iterator

from ringtrue.datasets.catalogue.benchmark import Benchmark, Case, Source
from ringtrue.datasets.catalogue.cited import CARDS, HUB, INSPECT
from ringtrue.datasets.catalogue.prompts import asking
from ringtrue.datasets.worked_examples import RAW, ExampleFormat
from ringtrue.errors import InputError

# The problem that is asked has no label, as the authors have it.
AUTHORS = ExampleFormat(example="Problem: {question}\nAnswer: ${answer}$", question="{question}\nAnswer: $",
                        between="\n###\n", header="Given a mathematics problem, determine the answer. "
                        "Simplify your answer as much as possible.\n")  # fmt: skip
FORM = r"Reason step by step, and put the final answer in \boxed{}."
SUBJECTS = "algebra counting_and_probability geometry intermediate_algebra number_theory prealgebra precalculus"


def load(source: Source) -> Iterator[Case]:
    """A case per problem; the answer is what the last box of the solution holds."""
    for place, row in enumerate(source.rows()):
        if not (answer := last_box(row["solution"])):
            raise InputError(f"math: the solution of row {place} has no box")
        yield {
            "question": asking(row["problem"], FORM),
            "answer": [answer],
            "solution": row["solution"],
            **{name: row.get(name) for name in ("level", "type")},
            RAW: {"question": row["problem"]},
        }


def last_box(solution: str) -> str:
    """The content of the last box, braces matched; a box without braces holds the next word."""
    start = max(map(solution.rfind, (r"\boxed", r"\fbox")))
    if start < 0:
        return ""
    rest = solution[start:].removeprefix(r"\boxed").removeprefix(r"\fbox").lstrip()
    if not rest.startswith("{"):
        return rest.partition("$")[0].split()[0] if rest.strip() else ""
    depth = 0
    for place, character in enumerate(rest):
        depth += (character == "{") - (character == "}")
        if depth == 0:
            return rest[1:place].strip()
    return ""


BENCHMARK = Benchmark(
    name="math",
    task="mathematics, competitions",
    path="DigitalLearningGmbH/MATH-lighteval",
    config="default",
    configs=("default", *SUBJECTS.split()),
    split="test",
    revision="0530c78699ea5e8eb5530600900e1f328b48acad",
    size=5000,
    fields={"problem": "string", "solution": "string"},
    load=load,
    evaluators=("answer_quality", "math_equivalence"),
    metric="math_equiv",
    proxy="Equal in value; the authors' script compares rewritten text, and refuses some equal answers.",
    examples="train",
    example_format=AUTHORS,
    licence="MIT",
    citation="Hendrycks et al. 2021, arXiv:2103.03874",
    homepage="https://github.com/hendrycks/math",
    sources=(
        f"{INSPECT}/math/math.py: revision",
        f"{CARDS}/competition_math/README.md: size, schema, licence",
        f"{HUB}/lighteval/MATH/tree/c57f7ca181aec3080eaf2fb5319c661f3f1f58ca: configurations",
        "github.com/hendrycks/math@5f3bf91d13367550bed100240554fd11c25abe48/modeling/evaluate_gpt3.py: examples",
    ),
    note="The problem texts may not be passed on; the hub has taken hendrycks/competition_math down.",
)
