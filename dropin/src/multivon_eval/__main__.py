"""`python -m multivon_eval`: without a command a suite to look at, with one the command line."""

from __future__ import annotations

import os
import socket
import sys
from typing import TYPE_CHECKING

from multivon_eval.exceptions import MultivonError
from multivon_eval.spoken import say

if TYPE_CHECKING:
    from multivon_eval.judge import JudgeConfig
    from multivon_eval.suite import EvalSuite

_ANSWERS = {
    "When is the museum open?": "The museum is open from 10 am to 6 pm, except on Mondays.",
    "What does a ticket cost?": "A ticket costs 12 euros, and nothing for children under 12.",
    "May I take photographs?": "You may take photographs without a flash.",
    "Is there a cloakroom?": "There is a cloakroom beside the entrance, free of charge.",
    "Where can I park?": "",
    "Is there a guided tour?": "Ask at the desk.",
}
"""What the demo's system says: one answer is missing, one is too short."""

_LOCAL = {11434: "http://localhost:11434/v1", 1234: "http://localhost:1234/v1"}
"""Where models on this machine usually answer."""


def main() -> None:
    """Run the demo, or a command."""
    words = sys.argv[1:]
    if words in ([], ["demo"]):
        _run_demo()
    else:
        from multivon_eval.cli import main as command_line

        command_line(["--help"] if words == ["help"] else words)


def _run_demo() -> None:
    """Check six answers, with a judge where one is found and answers; nothing a judge does ends it."""
    from multivon_eval.judge import JudgeConfig

    provider, model, address = _detect_judge()
    suite = _suite()
    if not provider:
        say("judge: not detected; the checks are deterministic (a key of OpenAI or Anthropic, or ollama, adds one)")
    elif problem := _problem(config := JudgeConfig(provider, model, address).resolve()):
        say(f"judge: {model} does not answer ({problem}); the checks are deterministic")
    else:
        say(f"judge: {model}")
        try:
            _judged(suite, config).run(_ANSWERS.__getitem__)
            return
        except MultivonError as error:
            say(f"judge: {model} failed ({_first_line(error)}); again with the deterministic checks")
            suite = _suite()
    suite.run(_ANSWERS.__getitem__)


def _suite() -> EvalSuite:
    from multivon_eval.case import EvalCase
    from multivon_eval.evaluators import Contains, NotEmpty, WordCount
    from multivon_eval.suite import EvalSuite

    cases = [EvalCase(question, tags=["visit"]) for question in _ANSWERS]
    words = ["euros", "free", "am", "may", "desk", "park"]
    checks = (NotEmpty(), WordCount(min_words=5), Contains(words, match_any=True))
    return EvalSuite("multivon-eval demo").add_cases(cases).add_evaluators(*checks)


def _judged(suite: EvalSuite, config: JudgeConfig) -> EvalSuite:
    from multivon_eval.evaluators.llm_judge import Relevance

    suite.add_evaluators(Relevance(judge=config, threshold=0.7))
    return suite.add_check("The answer tells the visitor what was asked", judge=config)


def _detect_judge() -> tuple[str, str, str]:
    """The provider, the model and the address of a judge, or three empty texts."""
    from multivon_eval.judge_endpoints import DEFAULT_MODELS

    for provider, name in (("anthropic", "ANTHROPIC_API_KEY"), ("openai", "OPENAI_API_KEY")):
        if os.environ.get(name):
            return provider, DEFAULT_MODELS[provider], ""
    address = os.environ.get("OPENAI_BASE_URL") or next((url for port, url in _LOCAL.items() if _listens(port)), "")
    return ("openai", os.environ.get("DEMO_MODEL", "llama3"), address) if address else ("", "", "")


def _listens(port: int) -> bool:
    try:
        with socket.create_connection(("localhost", port), timeout=0.4):
            return True
    except OSError:
        return False


def _problem(config: JudgeConfig) -> str:
    """Why a judge does not answer, or nothing."""
    from multivon_eval import judge

    try:
        judge.make_judge_call("Answer with the word ok and nothing else.", config)
    except MultivonError as error:
        return _first_line(error)
    return ""


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]


if __name__ == "__main__":
    main()
