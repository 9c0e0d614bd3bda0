"""Where the judges of each provider are, and what asking one takes, through ringtrue's Endpoint or litellm."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from multivon_eval.costs import record_call
from multivon_eval.exceptions import JudgeUnavailable
from multivon_eval.provider_evidence import active_capture, provider_operation
from multivon_eval.provider_http import request_seen, response_seen
from multivon_eval.secrets import get_secret
from ringtrue.errors import ConfigurationError, ModelError
from ringtrue.models.client.endpoint import OPENAI, Endpoint
from ringtrue.models.reply import Reply
from ringtrue.records import Json

if TYPE_CHECKING:
    from multivon_eval.judge import JudgeConfig

PROVIDERS = frozenset({"anthropic", "openai", "google", "litellm", "ollama"})
DEFAULT_MODELS = {"anthropic": "claude-haiku-4-5-20251001", "openai": "gpt-4o-mini", "google": "gemini-2.5-flash"}
RETRIES = 2

# Anthropic and Google answer OpenAI's API at addresses of their own.
_ADDRESSES = {
    "openai": OPENAI,
    "anthropic": "https://api.anthropic.com/v1",
    "google": "https://generativelanguage.googleapis.com/v1beta/openai",
}
_ADDRESS_NAMES = {"openai": "OPENAI_BASE_URL", "anthropic": "ANTHROPIC_BASE_URL"}
_KEYS = {
    "openai": ("OPENAI_API_KEY",),
    "anthropic": ("ANTHROPIC_API_KEY",),
    "google": ("GOOGLE_API_KEY", "GEMINI_API_KEY"),
}
_KEY_PAGES = {
    "openai": "https://platform.openai.com",
    "anthropic": "https://console.anthropic.com",
    "google": "https://aistudio.google.com/apikey",
}
_OLLAMA = "http://localhost:11434"
_NO_TEMPERATURE = ("gpt-5", "o1", "o3", "o4", "claude-opus-4-7", "claude-opus-5")
_UNSET_NAMES = frozenset({"AuthenticationError", "PermissionDeniedError", "APIConnectionError", "ConnectError"})
_UNSET_WORDS = (
    "api_key", "api key", "unauthorized", "401", "could not connect", "connection refused", "name or service not known",
    "no such host",
)  # fmt: skip


async def ask_endpoint(prompt: str | Sequence[Json], config: JudgeConfig) -> str:
    """The text of the reply of a provider that speaks OpenAI's API, to a text or to parts of a message."""
    reply = await replied([{"role": "user", "content": prompt}], config, parameters(config), role="judge")
    record_call(
        provider=config.provider,
        model=config.model,
        input_tokens=reply.input_tokens or 0,
        output_tokens=reply.output_tokens or 0,
    )
    return reply.text


async def replied(
    messages: Sequence[Mapping[str, Json]], config: JudgeConfig, parameters: dict[str, Json], *, role: str = "target"
) -> Reply:
    """The reply of a provider that speaks OpenAI's API to any messages; `config` says who is asked."""
    asked = endpoint(config)
    request, capture = asked.request(config.model, messages, parameters), active_capture()
    if capture is None:
        return await asked.ask(request)
    with provider_operation(config.provider, role, config.model):
        name = request_seen(capture, "POST", f"{asked.base_url}/chat/completions", request.body(), {}, config.timeout)
        reply = await asked.ask(request)
        response_seen(capture, name, status_code=200, headers={}, body=None, **_used(reply))
    return reply


def _used(reply: Reply) -> dict[str, Json]:
    """What is known of a reply's tokens; of attempts that failed before it nothing is."""
    told = {"prompt_tokens": reply.input_tokens, "completion_tokens": reply.output_tokens}
    failed = f"{reply.attempts - 1} failed attempts before it are not kept" if reply.attempts > 1 else None
    return {"usage": None if None in told.values() else told, "capture_gap": failed}


def endpoint(config: JudgeConfig) -> Endpoint:
    """Where a provider that speaks OpenAI's API is asked; a key that is needed and not there raises."""
    key = key_of(config.provider)
    if not key and not config.base_url:
        raise ConfigurationError(f"no API key: {_KEYS[config.provider][0]} is not set", parameter="api_key")
    return _endpoint(config.base_url or _ADDRESSES[config.provider], key, float(config.timeout or 0))


def key_of(provider: str) -> str:
    """The key of a provider, or an empty text."""
    return next((key for name in _KEYS[provider] if (key := get_secret(name))), "")


def parameters(config: JudgeConfig) -> dict[str, Json]:
    """What a request says besides the prompt: models that refuse a temperature are not given one."""
    # Only OpenAI itself knows the newer name, and its newer models know no other.
    own = config.provider == "openai" and not config.base_url
    bound: dict[str, Json] = {"max_completion_tokens" if own else "max_tokens": config.max_tokens}
    return bound if not takes_temperature(config.model) else {**bound, "temperature": config.temperature}


def takes_temperature(model: str) -> bool:
    """Whether a model lets itself be told a temperature."""
    return not model.lower().startswith(_NO_TEMPERATURE)


@lru_cache(maxsize=64)
def _endpoint(address: str, key: str, timeout_seconds: float) -> Endpoint:
    return Endpoint(address, key or None, timeout_seconds=timeout_seconds, max_retries=RETRIES)


def litellm_call(prompt: str, config: JudgeConfig) -> tuple[Any, dict[str, Any]]:
    """litellm, and what its `completion` and `acompletion` are told."""
    try:
        import litellm  # type: ignore[import-not-found,unused-ignore]
    except ImportError as error:
        raise JudgeUnavailable(
            "provider 'litellm' needs the litellm package, which multivon-eval[litellm] would install: "
            "pip install litellm",
            provider="litellm",
            model=config.model,
        ) from error
    told = {"model": config.model, "max_tokens": config.max_tokens, "temperature": config.temperature}
    address = {"api_base": config.base_url} if config.base_url else {}
    messages = [{"role": "user", "content": prompt}]
    return litellm, {**told, "messages": messages, "timeout": config.timeout, **address, **config.extra}


def litellm_text(response: Any, config: JudgeConfig) -> str:
    """What litellm's response says, its tokens counted."""
    usage = getattr(response, "usage", None)
    record_call(
        provider="litellm",
        model=config.model,
        input_tokens=int(getattr(usage, "prompt_tokens", 0) or 0),
        output_tokens=int(getattr(usage, "completion_tokens", 0) or 0),
    )
    return response.choices[0].message.content or ""


def named_address(provider: str) -> str:
    """Where the environment says that a provider is asked, if it does: a proxy that is named is never gone around."""
    found = os.environ.get(_ADDRESS_NAMES.get(provider, ""), "")
    if provider != "anthropic" or not found:
        return found
    bare = found.rstrip("/").removesuffix("/v1")  # Anthropic's own client adds it
    return f"{bare}/v1"


def ollama_address(base_url: str) -> str:
    """Where ollama answers OpenAI's API: at the address given, else at OLLAMA_HOST, else on this machine."""
    address = (base_url or os.environ.get("OLLAMA_HOST") or _OLLAMA).rstrip("/")
    if "://" not in address:
        address = f"http://{address}"
    return address if address.endswith("/v1") else f"{address}/v1"


def unavailable(provider: str, model: str, error: Exception) -> JudgeUnavailable:
    """A provider's error as JudgeUnavailable, with what to set up where nothing seems to be."""
    told = f"Judge call failed: {type(error).__name__}: {error}"
    found = JudgeUnavailable(told + (_setup(provider) if looks_unset(error) else ""), provider, model)
    found.__cause__ = error
    return found


def looks_unset(error: Exception) -> bool:
    """Whether an error says that a key is missing or that nobody answers at the address."""
    if isinstance(error, ModelError) and error.kind == "connection":
        return True
    said = str(error).lower()
    return type(error).__name__ in _UNSET_NAMES or any(words in said for words in _UNSET_WORDS)


def _setup(provider: str) -> str:
    named = [provider] if provider in _KEYS else list(_KEYS)
    keys = [f"  set {_KEYS[one][0]} (a key is at {_KEY_PAGES[one]})" for one in named]
    return "\n".join(
        [
            "",
            "One of these helps:",
            *keys,
            "  OR run a model of your own, without a key: ollama serve, then JudgeConfig(provider='ollama', model=...)",
            "  OR leave the judges out: the deterministic checks need no model",
        ]
    )
