"""LongBench: 21 tasks on long texts and code, `longbench:qasper` is one of them; `_e` after 13 names: even lengths."""

from collections.abc import Iterator

from ringtrue.datasets.catalogue.benchmark import Benchmark, Case, ScoringRule, Source
from ringtrue.datasets.catalogue.cited import LM_EVAL

QUESTION = "Answer the question from the text, with a few words alone."
FORMS = {
    **dict.fromkeys(("narrativeqa", "qasper", "multifieldqa_en", "hotpotqa", "2wikimqa", "musique"), QUESTION),
    **dict.fromkeys(("multifieldqa_zh", "dureader"), "请根据文本回答问题，只给出答案。"),
    "gov_report": "Summarize this report in one page. Reply with the summary alone.",
    "multi_news": "Summarize these news articles in one text. Reply with the summary alone.",
    "qmsum": "Answer the query about this meeting in a few sentences.",
    "vcsum": "请总结这份会议记录，只给出总结。",
    "samsum": "Summarize the last dialogue as the examples do. Reply with the summary alone.",
    "triviaqa": "Answer the last question as the examples do, with the answer alone.",
    "trec": "Name the type of the last question as the examples do, with the type alone.",
    "lsht": "请像例子那样给出最后一条新闻的类别，只给出类别。",
    "passage_count": "How many different paragraphs does the text hold? Answer with the number alone.",
    "passage_retrieval_en": 'Of which paragraph is this the summary? Answer with its name, such as "Paragraph 1".',
    "passage_retrieval_zh": "以下是哪一段的摘要？只给出段落的名称，例如“段落1”。",
    **dict.fromkeys(("lcc", "repobench-p"), "Write the next line of this code, and nothing else."),
}


EVEN = (
    *("qasper_e", "multifieldqa_en_e", "hotpotqa_e", "2wikimqa_e", "gov_report_e", "multi_news_e", "trec_e"),
    *("triviaqa_e", "samsum_e", "passage_count_e", "passage_retrieval_en_e", "lcc_e", "repobench-p_e"),
)


def load(source: Source) -> Iterator[Case]:
    """A case per example; every answer the authors list is a reference."""
    form = FORMS[str(source.config).removesuffix("_e")]
    for row in source.rows():
        yield {
            "id": row["_id"],
            "question": f"{form}\n\n{row['input']}".strip(),
            "context": row["context"],
            "answer": list(row["answers"]),
            "language": row["language"],
            "subtask": str(source.config),
            **({"all_classes": list(row["all_classes"])} if row["all_classes"] else {}),
        }


CHARACTERS = "Characters are the tokens of Chinese text; the authors take words, cut with jieba."
CHINESE = ScoringRule(("answer_quality", "longbench"), "longbench", CHARACTERS)
BENCHMARK = Benchmark(
    name="longbench",
    task="long context",
    path="THUDM/LongBench",
    config="hotpotqa",
    configs=(*FORMS, *EVEN),
    split="test",
    files="data.zip!{config}.jsonl",
    size=200,
    fields=dict.fromkeys(("_id", "input", "context", "language"), "string")
    | {"answers": ["string"], "all_classes": "any"},
    load=load,
    evaluators=("answer_quality", "longbench"),
    metric="longbench",
    by_config=dict.fromkeys(("multifieldqa_zh", "dureader", "vcsum"), CHINESE),
    licence="MIT",
    citation="Bai et al. 2024, arXiv:2308.14508",
    homepage="https://github.com/THUDM/LongBench",
    sources=(
        "github.com/THUDM/LongBench@5fbc0ac500f1c05ed16ba771af0ad79f25463828/LICENSE: licence",
        "github.com/THUDM/LongBench@0697c971e173343707dbc746f40e33d09a944a10/README.md: files, schema",
        "github.com/THUDM/LongBench@78e747b3fc2dd0def21dad2a57cc8c0577b2b8e6/task.md: size",
        f"{LM_EVAL}/longbench/README.md: configurations",
        f"{LM_EVAL}/longbench/metrics.py: rules",
    ),
)
