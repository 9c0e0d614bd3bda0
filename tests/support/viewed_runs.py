"""Runs to look at: one with everything that a page shows, and one whose every text attacks the page."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from ringtrue.records import (
    Case,
    DatasetInfo,
    EvaluatorInfo,
    Made,
    Output,
    Row,
    Score,
    SystemInfo,
    Trial,
)
from ringtrue.runner.run_from_rows import run_of
from ringtrue.store.run_copies import copy_run
from ringtrue.store.runs import RunStore
from ringtrue.viewer.library import Library
from ringtrue.viewer.server import ViewerServer

RUN, OTHER, HOSTILE = "a0a0a0a0a0a0", "b0b0b0b0b0b0", "c0c0c0c0c0c0"
HOSTILE_SYSTEM = "</title><script>window.hacked=1</script>"

ATTACKS = [
    "<script>window.hacked=1</script>",
    "</script><script>window.hacked=1</script>",
    "</style><script>window.hacked=1</script><style>",
    "</title></textarea></noscript><svg onload=window.hacked=1>",
    '"><img src=x onerror="window.hacked=1">',
    "'><input autofocus onfocus=window.hacked=1>",
    "<details open ontoggle=window.hacked=1><summary>x</summary></details>",
    "<svg><animate onbegin=window.hacked=1 attributeName=x dur=1s></svg>",
    "<iframe srcdoc='<script>parent.hacked=1</script>'></iframe>",
    "<a href='javascript:window.hacked=1'>click</a> javascript:window.hacked=1",
    "<img src='http://198.51.100.7/leak.png'><link rel=stylesheet href=//198.51.100.7/x.css>",
    "<meta http-equiv=refresh content='0;url=http://198.51.100.7/'><base href='http://198.51.100.7/'>",
    "<form action='http://198.51.100.7/'><button name=verdict>y</button></form>",
    "<style>*{display:none!important}</style><div style='position:fixed;inset:0'>",
    "data:text/html,<script>opener.hacked=1</script>",
    "{{ 7 * 7 }} {% for x in ().__class__.__mro__ %}{{ x }}{% endfor %} {{ config }}",
    "${7*7} #{7*7} <%= 7*7 %>",
    "\u202e\u2066right to left\u202c\u2069 \u200b\ufeff",
    "a\0b\x1b[31mred\x07\x7f\x85",
    "\ud800 lone \udfff",
    "&lt;script&gt; &amp;amp; &#60;script&#62;",
    "<!-- --!> <![CDATA[ ]]> <plaintext>",
    "Z\u0351\u036b" * 200,
    "W" * 30_000,
    "",
    " \n\t ",
    "x" * 50 + " " + "word " * 20_000,
]
"""What a model, a dataset or a user may write."""


def _made(systems: tuple[str, ...], dataset: str = "nq", evaluator: str = "llm_judge") -> Made:
    return Made(
        name="A run",
        datasets=(DatasetInfo(dataset, "5d1c", 4, evaluator),),
        systems=tuple(SystemInfo(name, name) for name in systems),
        evaluators=(
            EvaluatorInfo(evaluator, f"{evaluator} 1.0", 0.5),
            EvaluatorInfo("claim_verification", "claims 1.0", 1.0),
            EvaluatorInfo("code_execution", "code 1.0", 1.0),
        ),
        started=1_700_000_000.0,
        version="0",
    )


def _scores(value: float | None, text: str = "") -> dict[str, Score]:
    if value is None:
        judge = Score.error("the judge's reply was not JSON, twice", replies=[text or "Sure! Four of five."])
    else:
        judge = Score(
            value, passed=value >= 0.5, reason=text or f"rated {value:g}", metadata={"replies": ['{"rating": 4}']}
        )
    cited = {"cited_text": text or "released on October 14, 2016", "title": text or "a source", "source_id": "1"}
    claims = [
        {"claim": text or "It came out in 2016.", "verdict": "supported", "proof": text, "citations": [cited]},
        {"claim": text or "On Amazon.", "verdict": "not_found", "proof": "nothing says so", "citations": []},
    ]
    code = {
        "status": "failed",
        "sandbox": "landlock",
        "error": text or "AssertionError",
        "output_tail": text or "2 != 3",
    }
    return {
        "llm_judge": judge,
        "claim_verification": Score(0.5, passed=False, reason="1 of 2 claims supported", metadata={"claims": claims}),
        "code_execution": Score(0.0, passed=False, reason="AssertionError", metadata=code),
    }


def full_rows(systems: tuple[str, ...] = ("small", "large"), cases: int = 6) -> list[Row]:
    """Rows with answers, errors, conversations, claims, judges' replies and a sandbox's output."""
    rows = []
    for position in range(cases):
        messages = (
            {"role": "system", "content": "Answer in one sentence."},
            {"role": "user", "content": f"question {position}"},
        )
        source = "It was released on October 14, 2016, in full."
        question = f"question {position} about magic"
        case = Case(
            f"nq-{position}",
            question,
            ("gold", "also gold"),
            source,
            messages,
            fields={"dataset": "nq", "notes": [*range(99)]},
        )
        function = {"name": "search", "arguments": '{"query": "magic", "limit": 3}'}
        call = {"id": "1", "type": "function", "function": function}
        for number, system in enumerate(systems):
            said = (
                *messages,
                {"role": "assistant", "content": None, "tool_calls": [call]},
                {"role": "tool", "tool_call_id": "1", "content": "It was released on October 14, 2016."},
                {"role": "assistant", "content": "In 2016."},
            )
            output = Output(f"The answer is gold {number}.", messages=said, latency_seconds=0.5 + number, cost=0.001)
            value: float | None = 1.0 if (position + number) % 3 else 0.0
            if position == 5 and number == 0:
                output = Output(error="model_error", problem='HTTP 429 {"error": "slow down"}', traceback="Traceback …")
            elif position == 4 and number == 1:
                value = None
            rows.append(Row(Trial(case, output), _scores(value), position, system))
    return rows


def hostile_rows() -> list[Row]:
    """Rows in which every text is an attack."""
    rows = []
    for position, text in enumerate(ATTACKS):
        message: Mapping[str, Any] = {"role": text[:200], "content": text, "name": text[:50]}
        call = {"role": "assistant", "tool_calls": [{"id": "1", "function": {"name": text[:100], "arguments": text}}]}
        case = Case(
            text[:200],
            text,
            (text,),
            text,
            (message,),
            tags=(text[:80],),
            fields={"dataset": "nq", text[:60]: text[:500]},
        )
        for system in ("safe", HOSTILE_SYSTEM):
            output = Output(text, messages=(message, call, {"role": "tool", "tool_call_id": "1", "content": text}))
            if position == 3:
                output = Output(error="system_error", problem=text, traceback=text)
            rows.append(Row(Trial(case, output), _scores(0.0, text), position, system))
    return rows


def keep_runs(url: str) -> None:
    """Write the runs to a store."""
    with RunStore.open(url) as store:
        copy_run(store, run_of(_made(("small", "large")), full_rows()), RUN)
        copy_run(store, run_of(_made(("large",)), full_rows(("large",))), OTHER)
        hostile = replace(_made(("safe", HOSTILE_SYSTEM)), name=ATTACKS[1])
        copy_run(store, run_of(hostile, hostile_rows()), HOSTILE)


def keep_ranked_run(url: str, passed: Mapping[str, int], cases: int = 10) -> None:
    """Write a run whose systems pass the given number of its cases."""
    rows = [
        Row(
            Trial(Case(f"nq-{position}", "question", ("gold",)), Output("gold")),
            _scores(float(position < own)),
            position,
            system,
        )
        for position in range(cases)
        for system, own in passed.items()
    ]
    with RunStore.open(url) as store:
        copy_run(store, run_of(_made(tuple(passed)), rows), RUN)


def keep_apart_run(url: str) -> None:
    """Write a run whose systems answered different cases."""
    rows = [
        Row(Trial(Case(f"nq-{at}", "question", ("gold",)), Output("gold")), _scores(1.0), at, system)
        for at, system in enumerate(["small", "large"] * 4)
    ]
    with RunStore.open(url) as store:
        copy_run(store, run_of(_made(("small", "large")), rows), RUN)


@contextmanager
def serve(url: str, *names: str) -> Iterator[ViewerServer]:
    """A real server in a thread of its own."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    with Library(names, url) as library:
        server = ViewerServer(library)
        asyncio.run_coroutine_threadsafe(server.start(), loop).result(20)
        try:
            yield server
        finally:
            asyncio.run_coroutine_threadsafe(server.stop(), loop).result(20)
            loop.call_soon_threadsafe(loop.stop)
            thread.join(60)
            loop.close()
