"""SCROLLS: how three of its tasks are stored, and QMSum, SummScreenFD and ContractNLI among them."""

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from ringtrue.datasets.catalogue.benchmark import Benchmark, Case, Source
from ringtrue.datasets.catalogue.cited import HUB, LM_EVAL, TFDS
from ringtrue.datasets.catalogue.prompts import SUMMARY_ALONE, asking

LABELS = "Answer with one of: Entailment, Contradiction, Not mentioned."


def inputs(source: Source) -> Iterator[tuple[str, str, list[str]]]:
    """Id, input and references; lines that repeat an id hold further references."""
    for name, group in groupby(source.rows(format="jsonl"), key=lambda row: row["id"]):
        rows = list(group)
        yield name, rows[0]["input"], list(dict.fromkeys(row["output"] for row in rows))


def qmsum(source: Source) -> Iterator[Case]:
    """A case per query; the query is first, a blank line before the transcript."""
    for name, text, answers in inputs(source):
        query, _, transcript = text.partition("\n\n")
        yield {"id": name, "question": asking(query, SUMMARY_ALONE), "context": transcript, "answer": answers}


def summ_screen(source: Source) -> Iterator[Case]:
    """A case per episode."""
    asked = asking("Summarize the plot of this TV episode from its transcript.", SUMMARY_ALONE)
    for name, text, answers in inputs(source):
        yield {"id": name, "question": asked, "context": text, "answer": answers}


def contract_nli(source: Source) -> Iterator[Case]:
    """A case per hypothesis; the hypothesis is first, a blank line before the contract."""
    for name, text, answers in inputs(source):
        hypothesis, _, contract = text.partition("\n\n")
        asked = f"Does this contract entail or contradict the statement, or not mention it?\n\n{hypothesis.strip()}"
        yield {"id": name, "question": asking(asked, LABELS), "context": contract, "answer": answers}


COMMON: dict[str, Any] = {"path": "tau/scrolls", "revision": "94ecabc875a218d117d13899bc30c6e4ce13a624",
                          "split": "validation", "examples": "train",
                          "fields": {"id": "string", "input": "string", "output": "string"}}  # fmt: skip
SOURCES = (
    f"{HUB}/tau/scrolls/tree/94ecabc875a218d117d13899bc30c6e4ce13a624: revision, files",
    f"{LM_EVAL}/scrolls/task.py: schema, rules",
    f"{TFDS}/scrolls.md: size",
)
RESEARCH = "github.com/Yale-LILY/QMSum@01558daf8bd0b682fb70f49ab60442e35d82a969/README.md: licence"
SCREENPLAYS = "github.com/mingdachen/SummScreen@2c07b63098dc55d9bbae4ee00c16053f6621f7f8/LICENSE: licence"
LEGAL = "github.com/HazyResearch/legalbench@10be1b64279f26afce58d71050f598b3de7eff1c/tasks"
SUMMARY: dict[str, Any] = {"evaluators": ("answer_quality", "summarization_quality", "scrolls_rouge"),
                           "metric": "scrolls_rouge", "metrics": (("ScrollsScore",),)}  # fmt: skip
REPORTED = "SCROLLS reports scrolls_score, the geometric mean of three means."
QMSUM = Benchmark(name="qmsum", task="query-based summarization", load=qmsum, size=272,
                  files="qmsum.zip!validation.jsonl", licence="research purposes", sources=(*SOURCES, RESEARCH),
                  citation="Zhong et al. 2021, arXiv:2104.05938; Shaham et al. 2022, arXiv:2201.03533",
                  homepage="https://github.com/Yale-LILY/QMSum", note=REPORTED, **SUMMARY, **COMMON)  # fmt: skip
SUMM_SCREEN = Benchmark(name="summscreenfd", task="summarization", load=summ_screen, size=338,
                        files="summ_screen_fd.zip!validation.jsonl", licence="MIT", sources=(*SOURCES, SCREENPLAYS),
                        citation="Chen et al. 2022, arXiv:2104.07091; Shaham et al. 2022, arXiv:2201.03533",
                        homepage="https://github.com/mingdachen/SummScreen", **SUMMARY, **COMMON,
                        note=f"{REPORTED} MIT is for its repository; for transcripts none is stated.")  # fmt: skip
CONTRACT_NLI = Benchmark(name="contract-nli", task="natural language inference", load=contract_nli, size=1037,
                         files="contract_nli.zip!validation.jsonl", metric="nli_accuracy", licence="CC BY 4.0",
                         sources=(*SOURCES, f"{LEGAL}/contract_nli_explicit_identification/README.md: licence"),
                         evaluators=("answer_quality", "nli_label_match"),
                         proxy="The label a reply names, in its own words; SCROLLS compares the whole reply.",
                         citation="Koreeda and Manning 2021, arXiv:2110.01799; Shaham et al. 2022, arXiv:2201.03533",
                         homepage="https://stanfordnlp.github.io/contract-nli", **COMMON)  # fmt: skip
