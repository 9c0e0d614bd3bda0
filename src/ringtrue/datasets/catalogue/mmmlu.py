"""MMMLU: MMLU's test questions in 14 languages, translated by people; `mmmlu:DE_DE` is German."""

from collections.abc import Iterator

from ringtrue.datasets.catalogue.benchmark import Benchmark, Case, Source
from ringtrue.datasets.catalogue.cited import EVALSCOPE, HUB
from ringtrue.datasets.catalogue.prompts import with_options

LANGUAGES = "AR_XY BN_BD DE_DE ES_LA FR_FR HI_IN ID_ID IT_IT JA_JP KO_KR PT_BR SW_KE YO_NG ZH_CN"


def load(source: Source) -> Iterator[Case]:
    """A case per question of a language, or of all one after the other."""
    for language in LANGUAGES.split() if source.config == "all" else [str(source.config)]:
        for place, row in enumerate(source.rows(files=f"test/mmlu_{language.replace('_', '-')}.csv")):
            choices = [row[letter] for letter in "ABCD"]
            yield {
                "id": f"{language}_{place}",
                "question": with_options(row["Question"], choices),
                "choices": choices,
                "answer": [choices["ABCD".index(row["Answer"])]],
                "correct_letter": row["Answer"],
                "subject": row["Subject"],
                "language": language,
            }


BENCHMARK = Benchmark(
    name="mmmlu",
    task="multiple choice, knowledge",
    path="openai/MMMLU",
    config="all",
    configs=("all", *LANGUAGES.split()),
    split="test",
    size=196588,
    fields=dict.fromkeys(("Question", "A", "B", "C", "D", "Answer", "Subject"), "string"),
    load=load,
    evaluators=("answer_quality", "multiple_choice"),
    metric="mc_accuracy",
    subject="language",
    licence="MIT",
    citation="OpenAI 2024, https://huggingface.co/datasets/openai/MMMLU; Hendrycks et al. 2021, arXiv:2009.03300",
    homepage="https://huggingface.co/datasets/openai/MMMLU",
    sources=(
        f"{EVALSCOPE}/mmmlu/mmmlu_adapter.py: schema, configurations",
        f"{EVALSCOPE}/_meta/mmmlu.json: size",
        f"{HUB}/openai/MMMLU/blob/594fefbe6a560b738702395500747e3973d78374/test/mmlu_AR-XY.csv: files, licence",
    ),
    note="The form of the answer is asked for in English, whatever the language of the question.",
)
