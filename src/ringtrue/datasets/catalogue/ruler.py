"""RULER: needles, chains of variables, frequent words and questions, at any length; `ruler:16k`, `ruler:vt-32k`."""

import re
from collections.abc import Callable, Iterator, Mapping

from ringtrue.datasets.catalogue.benchmark import Benchmark, Case, Source
from ringtrue.datasets.catalogue.cited import LM_EVAL
from ringtrue.datasets.catalogue.ruler_questions import QUESTIONS, question_cases
from ringtrue.datasets.synthetic.example import Example
from ringtrue.datasets.synthetic.frequency import common_words, frequent_words
from ringtrue.datasets.synthetic.needles import Needles
from ringtrue.datasets.synthetic.tracking import variable_chain

EACH = 500
TASKS: Mapping[str, Callable[[int, str], Example]] = {
    "niah_single_1": Needles("noise").example,
    "niah_single_2": Needles("prose").example,
    "niah_single_3": Needles("prose", values="uuids").example,
    "niah_multikey_1": Needles("prose", key_count=4).example,
    "niah_multikey_2": Needles("needles").example,
    "niah_multikey_3": Needles("needles", keys="uuids", values="uuids").example,
    "niah_multivalue": Needles("prose", values_each=4).example,
    "niah_multiquery": Needles("prose", key_count=4, asked=4).example,
    "vt": variable_chain,
    "cwe": common_words,
    "fwe": frequent_words,
}
NAME = re.compile(rf"(?:(?P<task>{'|'.join([*TASKS, *QUESTIONS])})(?:-|$))?(?:(?P<length>\d+)(?P<k>k?))?")


def load(source: Source) -> Iterator[Case]:
    """500 cases of each task at the length, the generated ones taking turns; the seed decides all that is drawn.

    16k is 16,384 tokens of context, question, and what the authors leave for the reply to the task.
    """
    named = NAME.fullmatch(str(source.config))
    task, length, k = named.groups() if named else (None, None, "")
    tokens = int(length or 4) * (1024 if k or not length else 1)
    if task in QUESTIONS:
        yield from ({**case, "tokens": tokens} for case in question_cases(source, str(task), tokens, EACH))
        return
    for place in range(EACH):
        for name in [task] if task else TASKS:
            made = TASKS[name](tokens, f"{source.seed}:{name}:{place}")
            found = {"id": f"{name}_{place}", "context": made.context, "question": made.question, "subtask": name}
            wanted = {"answer": [", ".join(made.required)], "required_answers": made.required}
            yield {**found, **wanted, "tokens": tokens}


BENCHMARK = Benchmark(
    name="ruler",
    task="long context, generated",
    path="",
    split="",
    config="4k",
    configs=("4k", "8k", "16k", "32k", "64k", "128k", *TASKS, *QUESTIONS),
    config_pattern=NAME.pattern,
    size=EACH * len(TASKS),
    fields={},
    load=load,
    evaluators=("answer_quality", "string_match"),
    metric="string_match",
    subject="subtask",
    drawn=True,
    licence="Apache-2.0",
    citation="Hsieh et al. 2024, arXiv:2404.06654",
    homepage="https://github.com/NVIDIA/RULER",
    sources=(f"{LM_EVAL}/ruler/common_utils.py: rules", f"{LM_EVAL}/ruler/prepare_niah.py: schema, size, licence"),
    note="Words, prompts and the prose of the haystack are ringtrue's own, so that nothing is downloaded, and vt and "
    "cwe come without the authors' worked example: figures are not those of a leaderboard. qa_1 and qa_2 read SQuAD "
    "2.0 and HotpotQA from the hub, so a length alone leaves them out.",
)
