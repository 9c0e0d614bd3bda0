"""Speed of the text overlap scorers against their peers: how many times as many rows per CPU second we score.

    python benchmarks/text_overlap.py [--rounds 15] [--only rouge]

Both sides score the same golden rows in alternating rounds, ours here and the peer's in a process with its own
interpreter. Each side counts its own CPU time, and the best round of each counts: ratios carry over to other machines.
`same numbers` counts the rows on which all numbers that both sides give are equal to 1e-9.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from sides import PeerProcess

Scorer = Callable[[str, Any], object]
ROUND_SECONDS = 0.2
GOLDEN = Path(__file__).parent.parent / "tests" / "golden"


class Comparison(NamedTuple):
    family: str
    what: str
    floor: float | None
    rows: str
    ours: str
    peer: str


COMPARISONS = [
    Comparison(
        "squad", "f1, exact, recall, contains", 4, "short answers", "overlap", "context-bench f1, exact, recall"
    ),
    Comparison("squad", "f1, exact, recall, contains", 20, "short answers", "overlap", "inspect f1, exact"),
    Comparison("rouge", "ROUGE-L, 300 to 500 tokens", 350, "essays", "rouge_l", "rouge-score rougeL"),
    Comparison("rouge", "ROUGE-Lsum, 300 to 500 tokens", None, "essays", "rouge_lsum", "rouge-score rougeLsum"),
    Comparison("bleu", "sentence BLEU-4, 13a, unseen lines", 2.5, "sentences", "bleu unseen", "sacreBLEU unseen"),
    Comparison("bleu", "sentence BLEU-4, 13a, lines both have split before", 2.5, "sentences", "bleu", "sacreBLEU"),
    Comparison("chrf", "chrF", None, "sentences", "chrf", "sacreBLEU chrF"),
]


def golden(name: str) -> list[dict[str, Any]]:
    lines = (GOLDEN / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [row["input"] for row in map(json.loads, lines) if "input" in row]


def workloads() -> dict[str, list[tuple[str, Any]]]:
    answers = [(row["prediction"], row["references"][0]) for row in golden("qa_squad")]
    essays = [row["response"] for row in golden("ifeval")]
    essays = [text for text in essays if 300 <= len(re.findall("[a-z0-9]+", text.lower())) <= 500]
    return {
        "short answers": [pair for pair in answers if len(pair[0]) <= 60],
        "essays": list(pairwise(essays[:41])),
        "sentences": [(row["hypothesis"], row["references"]) for row in golden("bleu")],
    }


def our_scorers() -> dict[str, Scorer]:
    from ringtrue.scoring.overlap.bleu import sentence_bleu
    from ringtrue.scoring.overlap.chrf import sentence_chrf
    from ringtrue.scoring.overlap.rouge import rouge, rouge_l
    from ringtrue.scoring.overlap.squad import overlap
    from ringtrue.scoring.overlap.tokenizers import forget

    def unseen_bleu(text: str, references: list[str]) -> object:
        forget()
        return sentence_bleu(text, references)

    return {
        "overlap": overlap,
        "rouge_l": lambda text, gold: rouge_l(text, (gold,)),
        "rouge_lsum": lambda text, gold: rouge(text, gold, ("rougeLsum",)),
        "bleu": sentence_bleu,
        "bleu unseen": unseen_bleu,
        "chrf": sentence_chrf,
    }


def peer_scorer(name: str) -> Scorer:
    """A peer's scorer, called as its documentation says; nothing is imported for the others."""
    if name.startswith("rouge-score"):
        from rouge_score.rouge_scorer import RougeScorer

        rouge = RougeScorer([name.removeprefix("rouge-score ")])
        return lambda text, gold: rouge.score(gold, text)
    if name.startswith("sacreBLEU"):
        return sacrebleu_scorer(name)
    if name == "inspect f1, exact":
        from inspect_ai.scorer._classification import max_exact_score, max_f1_score

        return lambda text, gold: (max_f1_score(text, [gold]), max_exact_score(text, [gold]))
    from context_bench.metrics.quality import exact_match, f1_score, recall_score

    return lambda text, gold: (f1_score(text, gold), exact_match(text, gold), recall_score(text, gold))


def sacrebleu_scorer(name: str) -> Scorer:
    from sacrebleu.metrics import BLEU, CHRF
    from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
    from sacrebleu.tokenizers.tokenizer_re import TokenizerRegexp

    if name == "sacreBLEU chrF":
        return CHRF().sentence_score  # type: ignore[no-any-return]
    bleu = BLEU(effective_order=True)

    def unseen_bleu(text: str, references: list[str]) -> object:
        # Both sides remember lines they have split; these rows come again and again, those of a run may not.
        Tokenizer13a.__call__.cache_clear()
        TokenizerRegexp.__call__.cache_clear()
        return bleu.sentence_score(text, references)

    return unseen_bleu if name == "sacreBLEU unseen" else bleu.sentence_score


def rows_per_second(scorer: Scorer, pairs: list[tuple[str, Any]]) -> float:
    passes = 0
    start = time.process_time()
    while (spent := time.process_time() - start) < ROUND_SECONDS:
        for text, gold in pairs:
            scorer(text, gold)
        passes += 1
    return passes * len(pairs) / spent


NUMBERS: dict[str, Callable[[Any], list[float]]] = {
    "rouge_lsum": lambda scores: list(scores["rougeLsum"]),
    "bleu": lambda score: [score],
    "bleu unseen": lambda score: [score],
    "chrf": lambda score: [score],
    "rouge-score rougeL": lambda scores: list(scores["rougeL"]),
    "rouge-score rougeLsum": lambda scores: list(scores["rougeLsum"]),
    "sacreBLEU": lambda result: [result.score / 100],
    "sacreBLEU unseen": lambda result: [result.score / 100],
    "sacreBLEU chrF": lambda result: [result.score / 100],
}
"""Scorer -> the numbers in what it returns, in one order and on one scale for both sides; a list unless named."""


def numbers_of(name: str, scorer: Scorer, pairs: list[tuple[str, Any]]) -> list[list[float]]:
    """The numbers of every row."""
    return [NUMBERS.get(name, list)(scorer(text, gold)) for text, gold in pairs]


def serve() -> None:
    """The peer's process: a workload and a scorer in; out comes the speed of one round, or every row's numbers."""
    pairs, scorer = workloads(), cache(peer_scorer)
    for line in sys.stdin:
        what, rows, name = json.loads(line)
        if what == "numbers":
            print(json.dumps(numbers_of(name, scorer(name), pairs[rows])), flush=True)
        else:
            print(rows_per_second(scorer(name), pairs[rows]), flush=True)


def equal_rows(ours: list[list[float]], theirs: list[list[float]]) -> int:
    """On how many rows the numbers that both sides give are the same."""
    rows = zip(ours, theirs, strict=True)
    return sum(all(abs(a - b) <= 1e-9 for a, b in zip(mine, other, strict=False)) for mine, other in rows)


def compare(rounds: int, only: str | None) -> None:
    pairs, scorers = workloads(), our_scorers()
    print("| job | peer | ratio | same numbers | floor |\n|---|---|---|---|---|")
    with PeerProcess("overlap", __file__) as peer:
        for job in COMPARISONS:
            if only not in (None, job.family):
                continue
            scorer, rows = scorers[job.ours], pairs[job.rows]
            same = equal_rows(numbers_of(job.ours, scorer, rows), peer.ask("numbers", job.rows, job.peer))
            speeds = [(rows_per_second(scorer, rows), peer.ask("speed", job.rows, job.peer)) for _ in range(rounds)]
            ours, theirs = (max(column) for column in zip(*speeds, strict=True))
            floor = "" if job.floor is None else f"{job.floor:g}"
            cells = f"{ours / theirs:.3g} | {same:,} of {len(rows):,} rows | {floor}"
            print(f"| {job.what} | {job.peer} | {cells} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--only", choices=list(dict.fromkeys(job.family for job in COMPARISONS)), help="one family")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.serve:
        serve()
    else:
        compare(arguments.rounds, arguments.only)


if __name__ == "__main__":
    main()
