"""`multivon-eval doctor`: what is set up here, and whether the judges answer."""

from __future__ import annotations

import platform
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from importlib.util import find_spec

from multivon_eval import __version__
from multivon_eval.exceptions import MultivonError
from multivon_eval.judge import JudgeConfig, make_judge_call
from multivon_eval.recorded import experiments_folder
from multivon_eval.secrets import get_secret
from multivon_eval.spoken import say, say_json
from ringtrue.atomic_file import check_place
from ringtrue.errors import RingtrueError
from ringtrue.jsontext import plain_json

_KEYS = {"anthropic": "ANTHROPIC_API_KEY", "openai": "OPENAI_API_KEY", "google": "GOOGLE_API_KEY"}
_PACKAGES = {
    "openai": "client= of OpenAIAdapter; judges ask without it",
    "anthropic": "client= of AnthropicAdapter; judges ask without it",
    "litellm": "LiteLLMAdapter and the judges of provider 'litellm'",
    "langchain_core": "LangChainTracer and LangGraphTracer",
    "agents": "OpenAIAgentsTracer.run_hooks",
}


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at: OK, WARN or ERROR."""

    category: str
    name: str
    status: str
    detail: str = ""


def doctor(*, as_json: bool, pings: Mapping[str, Callable[[], str]]) -> int:
    """Print what was found, and what the pings of providers whose keys are there say; the exit code."""
    found = [*_environment(), *_keys(), *_pinged(pings), *_packages()]
    counts = Counter(finding.status for finding in found)
    if as_json:
        summary = {status.lower(): counts[status] for status in ("OK", "WARN", "ERROR")}
        say_json(plain_json({"summary": summary, "checks": [asdict(finding) for finding in found]}))
    else:
        for finding in found:
            say(f"{finding.status:<6}{finding.category:<6}{finding.name:<16}{finding.detail}")
        say(f"{counts['OK']} OK, {counts['WARN']} WARN, {counts['ERROR']} ERROR")
    return 1 if counts["ERROR"] else 2 if counts["WARN"] else 0


def _environment() -> Iterator[Finding]:
    yield Finding("env", "Python", "OK", platform.python_version())
    yield Finding("env", "Platform", "OK", platform.platform())
    yield Finding("env", "ringtrue-dropin", "OK", __version__)
    folder = experiments_folder()
    try:
        check_place(folder / "any.jsonl", "experiments")
        yield Finding("env", "experiments", "OK", f"{folder} can be written to")
    except RingtrueError as error:
        yield Finding("env", "experiments", "WARN", str(error))


def _keys() -> Iterator[Finding]:
    for provider, name in _KEYS.items():
        known = bool(get_secret(name))
        words = f"{name} is set" if known else f"{name} is not set: judges of this provider cannot be asked"
        yield Finding("keys", provider, "OK" if known else "WARN", words)


def ping(provider: str) -> str:
    """What a provider's model answers to a short question; JudgeUnavailable where it does not."""
    config = JudgeConfig(provider, max_tokens=16).resolve()
    said = make_judge_call("Answer with the word ok and nothing else.", config)
    return f"{config.model} answered {said[:20]!r}"


def _pinged(pings: Mapping[str, Callable[[], str]]) -> Iterator[Finding]:
    for provider, asked in pings.items():
        if get_secret(_KEYS[provider]):
            try:
                yield Finding("ping", provider, "OK", asked())
            except MultivonError as error:
                yield Finding("ping", provider, "ERROR", f"{error}".splitlines()[0])


def _packages() -> Iterator[Finding]:
    for name, purpose in _PACKAGES.items():
        known = find_spec(name) is not None
        yield Finding("deps", name, "OK" if known else "WARN", "" if known else f"not installed; needed by {purpose}")
