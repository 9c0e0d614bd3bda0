"""People made up by a judge, and pages asked through a browser."""

from __future__ import annotations

import json
import sys
import threading
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from multivon_eval import (
    BrowserTarget,
    Contains,
    EvalCase,
    EvalStatus,
    EvalSuite,
    JudgeConfig,
    JudgeUnavailable,
    configure,
    simulate_users,
)
from multivon_eval.judge import get_global_judge

from support.saying import SayingEndpoint


def person(name: str, message: object) -> dict[str, object]:
    return {"name": name, "description": "somebody", "opening_message": message}


def simulated(replies: Any, **settings: Any) -> tuple[list[dict[str, Any]], SayingEndpoint]:
    """What comes of it, and the endpoint with what it was asked."""
    before = get_global_judge()
    with SayingEndpoint(replies) as endpoint:
        configure(JudgeConfig(provider="openai", model="m", base_url=endpoint.base_url))
        try:
            return simulate_users(lambda text: f"You said {text}", "A library's desk.", **settings), endpoint
        finally:
            configure(before)


def test_people_try_out_a_system(capsys: pytest.CaptureFixture[str]) -> None:
    def judge(prompt: str) -> str:
        if "[[[kind " not in prompt:
            return "Yes"
        return json.dumps([person("Ann", "hello"), person("Bob", 7), person("Cy", "books"), person("Di", "more")])

    results, endpoint = simulated(
        judge, n_personas=3, persona_types=["angry_user", "edge_case"], evaluators=[Contains(["hello"])]
    )
    assert [(result["type"], result["persona"], result["passed"]) for result in results] == [
        ("angry_user", "Ann", True), ("angry_user", "Cy", False), ("edge_case", "Ann", True),
    ]  # fmt: skip
    assert results[0]["output"] == "You said hello"
    assert results[0]["scores"][0]["score"] == 1.0
    assert "A library's desk." in endpoint.prompts[0]
    assert "2 of 3 passed" in capsys.readouterr().out


def test_the_task_is_checked_where_nothing_else_is(capsys: pytest.CaptureFixture[str]) -> None:
    def judge(prompt: str) -> str:
        return json.dumps([person("Ann", "hello")]) if "[[[kind " in prompt else "Perhaps"

    [result], _ = simulated(judge, n_personas=1, persona_types=["power_user"], verbose=False)
    assert [score["evaluator"] for score in result["scores"]] == ["not_empty", "task_completion"]
    assert [score["score"] for score in result["scores"]] == [1.0, None]
    assert not result["passed"]
    assert capsys.readouterr().out == ""


def test_nobody_is_no_result() -> None:
    with pytest.raises(JudgeUnavailable, match="nobody"):
        simulated("I cannot do that", verbose=False)
    with pytest.raises(ValueError, match="n_personas"):
        simulated("[]", n_personas=0)


class Page:
    """A page that answers as a page does, and belongs to one thread."""

    def __init__(self) -> None:
        self.thread, self.done, self.url, self.text = threading.get_ident(), [], "", ""

    def __getattr__(self, name: str) -> Any:
        def act(*arguments: Any, **named: Any) -> None:
            assert threading.get_ident() == self.thread
            self.done.append((name, *arguments))
            if name == "fill" and arguments[0] == "#none":
                raise TimeoutError("no such field")
            if name == "fill" and arguments[0] == "textarea":
                self.text = arguments[1]
            if name == "goto":
                self.url = arguments[0]
            if name == "click" and self.url == "/login":
                self.url = "/home"
            if name == "screenshot":
                Path(named["path"]).write_bytes(b"")

        return act

    def text_content(self, selector: str) -> str:
        assert threading.get_ident() == self.thread
        return f"said {self.text}"


@pytest.fixture
def pages(monkeypatch: pytest.MonkeyPatch) -> list[Page]:
    """The pages that were opened in a browser that is none."""
    opened: list[Page] = []

    def new_page() -> Page:
        opened.append(Page())
        return opened[-1]

    browser = SimpleNamespace(new_page=new_page)
    playwright = SimpleNamespace(
        chromium=SimpleNamespace(launch=lambda **named: browser), stop=lambda: opened.append(opened[0])
    )
    module = ModuleType("playwright.sync_api")
    module.sync_playwright = lambda: SimpleNamespace(start=lambda: playwright)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "playwright", ModuleType("playwright"))
    monkeypatch.setitem(sys.modules, "playwright.sync_api", module)
    return opened


def test_one_page_is_asked_case_by_case_from_one_thread(pages: list[Page]) -> None:
    with BrowserTarget("/login", login={"email": "a@b.c", "password": "p"}, wait_for=".done") as target:
        cases = [EvalCase(f"q{n}") for n in range(6)]
        report = EvalSuite("s").add_cases(cases).add_evaluator(Contains(["said q"])).run(target, verbose=False)
        assert report.passed == 6
        assert len({case.actual_output for case in report.case_results}) == 6
        assert len(pages) == 1
    assert len(pages) == 2  # it was stopped
    done = pages[0].done
    assert done.count(("goto", "/login")) == 1
    assert done.count(("goto", "/home")) == 6
    assert ("fill", "input[type='password']", "p") in done
    assert done.count(("wait_for_selector", ".done")) == 6


def test_a_page_that_does_not_answer_is_a_model_error(
    pages: list[Page], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with BrowserTarget("/page", input_selector="#none") as target:
        report = EvalSuite("s").add_case(EvalCase("q")).add_evaluator(Contains(["a"])).run(target, verbose=False)
    assert report.case_results[0].status is EvalStatus.MODEL_ERROR
    assert len(list(tmp_path.glob("multivon-fail-*.png"))) == 1


def test_without_playwright_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "playwright", None)
    with pytest.raises(ImportError, match="pip install playwright"):
        BrowserTarget("/page")("q")
