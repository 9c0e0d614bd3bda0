"""MMLU: four-way questions from 57 subjects; `mmlu:anatomy` is one of them."""

from collections.abc import Iterator

from ringtrue.datasets.catalogue.benchmark import Benchmark, Case, Source
from ringtrue.datasets.catalogue.cited import CARDS, EVALSCOPE, INSPECT, LM_EVAL
from ringtrue.datasets.catalogue.prompts import letter, with_options
from ringtrue.datasets.worked_examples import RAW, ExampleFormat

SUBJECTS = (
    "abstract_algebra anatomy astronomy business_ethics clinical_knowledge college_biology college_chemistry "
    "college_computer_science college_mathematics college_medicine college_physics computer_security "
    "conceptual_physics econometrics electrical_engineering elementary_mathematics formal_logic global_facts "
    "high_school_biology high_school_chemistry high_school_computer_science high_school_european_history "
    "high_school_geography high_school_government_and_politics high_school_macroeconomics high_school_mathematics "
    "high_school_microeconomics high_school_physics high_school_psychology high_school_statistics "
    "high_school_us_history high_school_world_history human_aging human_sexuality international_law jurisprudence "
    "logical_fallacies machine_learning management marketing medical_genetics miscellaneous moral_disputes "
    "moral_scenarios nutrition philosophy prehistory professional_accounting professional_law professional_medicine "
    "professional_psychology public_relations security_studies sociology us_foreign_policy virology world_religions"
)


def load(source: Source) -> Iterator[Case]:
    """A case per question, options in the authors' order."""
    for row in source.rows():
        choices = list(row["choices"])
        yield {
            "question": with_options(row["question"], choices),
            "choices": choices,
            "answer": [choices[row["answer"]]],
            "correct_letter": letter(row["answer"]),
            "subject": row["subject"],
            RAW: {"question": row["question"], "subject": row["subject"].replace("_", " ")},
        }


BENCHMARK = Benchmark(
    name="mmlu",
    task="multiple choice, knowledge",
    path="cais/mmlu",
    config="all",
    configs=("all", *SUBJECTS.split()),
    split="test",
    revision="c30699e8356da336a370243923dbaf21066bb9fe",
    size=14042,
    fields={"question": "string", "subject": "string", "choices": ["string"], "answer": "integer"},
    load=load,
    evaluators=("answer_quality", "multiple_choice"),
    metric="mc_accuracy",
    subject="subject",
    examples="dev",
    example_format=ExampleFormat(  # two blanks before the subject, as the authors have them
        header="The following are multiple choice questions (with answers) about  {subject}.\n\n",
        example="{question}\n{options}\nAnswer: {correct_letter}",
        question="{question}\n{options}\nAnswer:",
    ),
    licence="MIT",
    citation="Hendrycks et al. 2021, arXiv:2009.03300",
    homepage="https://github.com/hendrycks/test",
    sources=(
        f"{INSPECT}/mmlu/mmlu.py: revision, schema",
        f"{EVALSCOPE}/_meta/mmlu.json: size",
        f"{LM_EVAL}/mmlu/_generate_configs.py: configurations",
        f"{CARDS}/hendrycks_test/README.md: licence",
        "github.com/hendrycks/test@0f23bce36fb9d6a6dd13d0d84f3f244821d9e646/evaluate.py: examples",
    ),
)
