"""LongBench's tasks, each scored as its authors' table says (THUDM/LongBench, eval.py and metrics.py).

The authors cut Chinese text into words with jieba; here every character is a token, without full-width punctuation.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from rapidfuzz.fuzz import ratio

from ringtrue.scoring.long_context.character_f1 import bare_characters, character_f1
from ringtrue.scoring.long_context.distinct_rouge import distinct_rouge_l
from ringtrue.scoring.overlap.squad import f1_score

_NUMBER = re.compile(r"\d+")
_FIRST_LINE_ONLY = frozenset(("trec", "triviaqa", "samsum", "lsht"))

Rule = Callable[[str, str, Sequence[str]], float]
"""A reply, one gold answer and the classes of the task -> a score in [0, 1]."""


def score(task: str, reply: str, gold: Sequence[str], classes: Sequence[str] = ()) -> float:
    """The score of a reply to a task, the best over its gold answers; `_e` names the same task at even lengths."""
    bare = task.removesuffix("_e")
    if bare in _FIRST_LINE_ONLY:
        reply = reply.lstrip("\n").partition("\n")[0]
    return max((RULES[bare](reply, answer, classes) for answer in gold), default=0.0)


def word_f1(reply: str, gold: str, classes: Sequence[str] = ()) -> float:
    """SQuAD's token F1."""
    return f1_score(reply, gold)


def chinese_f1(reply: str, gold: str, classes: Sequence[str] = ()) -> float:
    """F1 over characters."""
    return character_f1(reply, gold)


def summary(reply: str, gold: str, classes: Sequence[str] = ()) -> float:
    """ROUGE-L over distinct words, sentences ending at full stops."""
    said, wanted = ([sentence.split() or [""] for sentence in text.split(".") if sentence] for text in (reply, gold))
    return distinct_rouge_l(said, wanted)


def chinese_summary(reply: str, gold: str, classes: Sequence[str] = ()) -> float:
    """ROUGE-L over distinct characters."""
    said, wanted = bare_characters(reply), bare_characters(gold)
    return distinct_rouge_l([list(said)] if said else [], [list(wanted)] if wanted else [])


def named_class(reply: str, gold: str, classes: Sequence[str] = ()) -> float:
    """1 / classes the reply names, if the gold one is among them; a name inside the gold name does not count."""
    named = [name for name in classes if name in reply]
    for name in named:  # as the authors do: taking one out passes over the next
        if name in gold and name != gold:
            named.remove(name)
    return 1 / len(named) if gold in named else 0.0


def share_of_numbers(reply: str, gold: str, classes: Sequence[str] = ()) -> float:
    """The share of the reply's numbers that are the gold one, which may have a word before it."""
    wanted = _NUMBER.findall(gold)
    said = _NUMBER.findall(reply)
    return said.count(wanted[0]) / len(said) if said and wanted else 0.0


def next_line(reply: str, gold: str, classes: Sequence[str] = ()) -> float:
    """Edit similarity, in whole percent, of the first line of code: one without backtick, # or //."""
    lines = reply.lstrip("\n").split("\n")
    code = next((line for line in lines if not any(mark in line for mark in ("`", "#", "//"))), "")
    return round(ratio(code, gold)) / 100


RULES: Mapping[str, Rule] = {
    **dict.fromkeys(("narrativeqa", "qasper", "multifieldqa_en", "hotpotqa", "2wikimqa", "musique"), word_f1),
    "triviaqa": word_f1,
    "multifieldqa_zh": chinese_f1,
    **dict.fromkeys(("gov_report", "qmsum", "multi_news", "samsum"), summary),
    **dict.fromkeys(("dureader", "vcsum"), chinese_summary),
    **dict.fromkeys(("trec", "lsht"), named_class),
    **dict.fromkeys(("passage_count", "passage_retrieval_en", "passage_retrieval_zh"), share_of_numbers),
    **dict.fromkeys(("lcc", "repobench-p"), next_line),
}
"""Task -> how a reply to it is scored."""
