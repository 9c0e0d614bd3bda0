"""Speed of the text overlap scorers against their peers: how many times as many rows per CPU second we score.

    python -m venv .peers/overlap
    .peers/overlap/bin/pip install sacrebleu==2.6.0 rouge-score==0.1.2 context-bench inspect-ai
    python benchmarks/text_overlap.py [--peers .peers/overlap/bin/python] [--rounds 15] [--only rouge]

Both sides score the same golden rows in alternating rounds, ours here and the peer's in a process with its own
interpreter. Each side counts its own CPU time, and the best round of each counts: ratios carry over to other machines.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

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


def peer_scorers() -> dict[str, Scorer]:
    from context_bench.metrics.quality import exact_match, f1_score, recall_score
    from inspect_ai.scorer._classification import max_exact_score, max_f1_score
    from rouge_score.rouge_scorer import RougeScorer
    from sacrebleu.metrics import BLEU, CHRF
    from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
    from sacrebleu.tokenizers.tokenizer_re import TokenizerRegexp

    rouge_l, rouge_lsum = RougeScorer(["rougeL"]), RougeScorer(["rougeLsum"])
    bleu, chrf = BLEU(effective_order=True), CHRF()

    def unseen_bleu(text: str, references: list[str]) -> object:
        # Both sides remember lines they have split; these rows come again and again, those of a run may not.
        Tokenizer13a.__call__.cache_clear()
        TokenizerRegexp.__call__.cache_clear()
        return bleu.sentence_score(text, references)

    return {
        "context-bench f1, exact, recall": lambda text, gold: (
            f1_score(text, gold),
            exact_match(text, gold),
            recall_score(text, gold),
        ),
        "inspect f1, exact": lambda text, gold: (max_f1_score(text, [gold]), max_exact_score(text, [gold])),
        "rouge-score rougeL": lambda text, gold: rouge_l.score(gold, text),
        "rouge-score rougeLsum": lambda text, gold: rouge_lsum.score(gold, text),
        "sacreBLEU": bleu.sentence_score,
        "sacreBLEU unseen": unseen_bleu,
        "sacreBLEU chrF": chrf.sentence_score,
    }


def rows_per_second(scorer: Scorer, pairs: list[tuple[str, Any]]) -> float:
    passes = 0
    start = time.process_time()
    while (spent := time.process_time() - start) < ROUND_SECONDS:
        for text, gold in pairs:
            scorer(text, gold)
        passes += 1
    return passes * len(pairs) / spent


def serve() -> None:
    """The peer's process: a workload and a scorer in, the speed of one round out, until the input ends."""
    pairs, scorers = workloads(), peer_scorers()
    for line in sys.stdin:
        rows, scorer = json.loads(line)
        print(rows_per_second(scorers[scorer], pairs[rows]), flush=True)


def compare(peers: Path, rounds: int, only: str | None) -> None:
    pairs, scorers = workloads(), our_scorers()
    command = [str(peers), __file__, "--serve"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as peer:
        assert peer.stdin is not None
        assert peer.stdout is not None
        print("| job | peer | ratio | floor |\n|---|---|---|---|")
        for job in COMPARISONS:
            if only not in (None, job.family):
                continue
            ours, theirs = [], []
            for _ in range(rounds):
                ours.append(rows_per_second(scorers[job.ours], pairs[job.rows]))
                print(json.dumps([job.rows, job.peer]), file=peer.stdin, flush=True)
                theirs.append(float(peer.stdout.readline()))
            floor = "" if job.floor is None else f"{job.floor:g}"
            print(f"| {job.what} | {job.peer} | {max(ours) / max(theirs):.3g} | {floor} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", type=Path, default=Path(".peers/overlap/bin/python"), help="the peers' interpreter")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--only", choices=list(dict.fromkeys(job.family for job in COMPARISONS)), help="one family")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.serve:
        serve()
    else:
        compare(arguments.peers, arguments.rounds, arguments.only)


if __name__ == "__main__":
    main()
