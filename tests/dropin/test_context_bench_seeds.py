"""The example code of context-bench runs unchanged and gives what its comments say."""

from __future__ import annotations

import ast
import inspect
import json
import re
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import context_bench
import pytest
from context_bench import evaluators

from support.endpoint import EndpointServer

FENCE = re.compile(r"^```python\n(.*?)^```$", re.M | re.S)


def blocks(seed: str) -> list[str]:
    return FENCE.findall((Path(__file__).parent / "seeds" / f"{seed}.md").read_text())


def run(block: str, names: dict[str, Any]) -> int:
    """Run a block; an expression with a dict in the comment below it has that value. How many were compared."""
    lines, compared = block.splitlines(), 0
    for node in ast.parse(block).body:
        alone = ast.unparse(node)
        if not isinstance(node, ast.Expr):
            exec(compile(ast.Module([node], []), alone, "exec"), names)
            continue
        value = eval(alone, names)
        documented = re.match(r"# (\{[^}]*\})", lines[node.end_lineno] if (node.end_lineno or 0) < len(lines) else "")
        if documented:
            assert value == ast.literal_eval(documented[1])
            assert list(value) == list(ast.literal_eval(documented[1]))
            compared += 1
    return compared


class Redirected(urllib.request.HTTPHandler):
    """The judge of the document, which listens at localhost:9090, on a free port of this machine."""

    port = 0

    def http_open(self, request: urllib.request.Request) -> Any:
        assert request.host == "localhost:9090"
        request.host = f"127.0.0.1:{self.port}"
        return super().http_open(request)


@pytest.fixture
def judge(monkeypatch: pytest.MonkeyPatch) -> Iterator[EndpointServer]:
    said = json.dumps({"choices": [{"message": {"content": "4"}}]})
    with EndpointServer(sequence=["raw"] * 20, raw={"status": 200, "headers": {}, "body": said}) as server:
        handler = Redirected()
        handler.port = server.port
        monkeypatch.setattr(urllib.request, "_opener", urllib.request.build_opener(handler))
        yield server


class Echo:
    name = "echo"

    def process(self, example: dict[str, Any]) -> dict[str, Any]:
        return {**example, "response": example["answer"]}


def documented_names() -> dict[str, Any]:
    rows = [{"id": 1, "context": "one two three four", "question": "2 + 2?", "answer": "4 5"}]
    return {"evaluate": context_bench.evaluate, "my_system": Echo(), "my_dataset": rows}


@pytest.mark.parametrize(("seed", "results"), [("000", 1), ("001", 8), ("002", 1)])
def test_the_code_gives_what_it_says(seed: str, results: int, judge: EndpointServer) -> None:
    names = documented_names()
    compared = 0
    for block in blocks(seed):
        compared += run(block.replace("    ...\n)", "    progress=False,\n)"), names)
    assert compared == results
    if seed == "001":
        assert judge.stats()["requests"] > 0
        assert isinstance(names["WordCountDiff"](), names["Evaluator"])
        assert names["result"].rows[0].scores == {
            "f1": 1.0, "exact_match": 1.0, "recall": 1.0, "contains": 1.0, "word_count_ratio": 0.5,
        }  # fmt: skip
    if seed == "002":
        assert names["f1_score"]("The capital is Paris.", "Paris") == 0.5
        assert names["f1_score"](prediction="The capital is Paris.", reference="Paris") == 0.5
        assert names["f1_score"](response="The capital is Paris.", reference="Paris") == 0.5
        assert names["recall_score"]("The capital is Paris.", "Paris") == 1.0
        assert names["exact_match"]("paris!", "Paris") == 1.0


def test_every_documented_evaluator_speaks_as_documented() -> None:
    for name in evaluators.__all__:
        kind = getattr(evaluators, name)
        assert list(inspect.signature(kind.score).parameters) == ["self", "original", "processed"]
        made = kind("http://127.0.0.1:9") if name == "LLMJudge" else kind()
        assert isinstance(made, context_bench.types.Evaluator)


@pytest.mark.parametrize(
    ("evaluator", "original", "processed", "scores"),
    [
        ("AnswerQuality", {"answer": ""}, {"response": "x"}, [1.0] * 4),
        ("AnswerQuality", {"answer": "x"}, {"response": ""}, [0.0] * 4),
        ("IFEvalChecker", {"instruction_id_list": [], "kwargs": []}, {"response": "x"}, [1.0, 1.0]),
        ("IFEvalChecker", {"instruction_id_list": ["punctuation:no_comma", "keywords:existence"],
                           "kwargs": [{}, {"keywords": ["hello"]}]}, {"response": "hello, world"}, [0.0, 0.5]),
        ("MathEquivalence", {"answer": ""}, {"response": "42"}, [1.0]),
        ("MathEquivalence", {"answer": "42"}, {"response": ""}, [0.0]),
        ("NLILabelMatch", {"answer": ""}, {"response": "something"}, [1.0]),
        ("MultipleChoiceAccuracy", {}, {"response": "A"}, [0.0]),
        ("SummarizationQuality", {"answer": ""}, {"response": "x"}, [1.0] * 3),
        ("SummarizationQuality", {"answer": "x"}, {"response": ""}, [0.0] * 3),
        ("CodeExecution", {"context": ""}, {"response": ""}, [0.0]),
        ("CodeExecution", {"context": "", "test_list": ["assert x == 1"]}, {"response": "x = 1"}, [1.0]),
        ("CodeExecution", {"context": "", "test_list": ["assert x == 2"]}, {"response": "x = 1"}, [0.0]),
    ],
    ids=["answer_empty", "response_empty", "no_instructions", "half", "maths_no_gold", "maths_silent", "nli_no_gold",
         "no_letter", "no_summary", "no_response", "no_code", "code_passes", "code_fails"],
)  # fmt: skip
def test_nothing_to_compare_is_a_number_in_a_direct_call(
    evaluator: str, original: dict[str, Any], processed: dict[str, Any], scores: list[float]
) -> None:
    assert list(getattr(evaluators, evaluator)().score(original, processed).values()) == scores


def test_an_unknown_instruction_passes_and_is_warned_about() -> None:
    asked = {"instruction_id_list": ["dropin:unheard_of"], "kwargs": [{}]}
    with pytest.warns(UserWarning, match="dropin:unheard_of"):
        assert evaluators.IFEvalChecker().score(asked, {"response": "x"}) == {"ifeval_strict": 1.0, "ifeval_loose": 1.0}
