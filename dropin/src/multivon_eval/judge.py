"""`JudgeConfig`: which model judges; `configure` sets the one that holds where a check names none."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import Any

import multivon_eval.cache as _cache
from multivon_eval.exceptions import JudgeUnavailable
from multivon_eval.judge_endpoints import (
    DEFAULT_MODELS,
    PROVIDERS,
    ask_endpoint,
    endpoint,
    litellm_call,
    litellm_text,
    looks_unset,
    named_address,
    ollama_address,
    parameters,
    unavailable,
)
from multivon_eval.judge_vendors import Content, Http, ask_vendor, ask_vendor_async, vendor_package
from multivon_eval.provider_http import google_http_options, sdk_http_client
from multivon_eval.spoken import warn
from ringtrue.errors import RingtrueError
from ringtrue.models.structured.structured_model import StructuredModel
from ringtrue.records import Json
from ringtrue.sync import run as _run

__all__ = ["JudgeConfig", "configure", "get_global_judge", "make_judge_call", "make_judge_call_async", "resolve_judge"]

TEMPERATURE, MAX_TOKENS, TIMEOUT, RELIABILITY_SAMPLE = 0.0, 1024, 30, 5
_looks_like_auth_or_connection_error, _wrap_provider_error = looks_unset, unavailable
_FRESH: ContextVar[bool] = ContextVar("multivon_eval_fresh_judgements", default=False)
_CACHE_DEGRADATION_WARNED = False


@dataclass
class JudgeConfig:
    """Who judges, and how it is asked; what is left out comes from `configure`, the environment, then the defaults.

    `provider` is anthropic, openai, google, litellm or ollama; with `base_url`, openai is any server that speaks its
    API. `cache` keeps replies on disk.
    """

    provider: str = ""
    model: str = ""
    base_url: str = ""
    temperature: float | None = None
    max_tokens: int | None = None
    timeout: int | None = None
    reliability_check: bool = False
    reliability_sample: int | None = None
    cache: bool = False
    extra: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.provider and self.provider not in PROVIDERS:
            raise ValueError(f"Unsupported provider {self.provider!r}; choose one of {', '.join(sorted(PROVIDERS))}")

    def resolve(self) -> JudgeConfig:
        """The config with nothing left open."""
        provider = self.provider or os.environ.get("JUDGE_PROVIDER", "anthropic").lower()
        wanted = os.environ.get("MULTIVON_JUDGE_CACHE", "").lower() in ("1", "true", "yes")
        return replace(
            self,
            provider=provider,
            model=self.model or os.environ.get("JUDGE_MODEL") or DEFAULT_MODELS.get(provider, ""),
            base_url=self.base_url or named_address(provider),
            temperature=_first(self.temperature, TEMPERATURE),
            max_tokens=_first(self.max_tokens, MAX_TOKENS),
            timeout=_first(self.timeout, TIMEOUT),
            reliability_sample=_first(self.reliability_sample, RELIABILITY_SAMPLE),
            cache=self.cache or wanted or _cache.cache_is_user_opted_in(),
        )


_GLOBAL_JUDGE = JudgeConfig()


def configure(config: JudgeConfig) -> None:
    """Set what holds for every check that is not told otherwise."""
    global _GLOBAL_JUDGE
    _GLOBAL_JUDGE = config


def get_global_judge() -> JudgeConfig:
    """What `configure` was given last."""
    return _GLOBAL_JUDGE


def resolve_judge(per_evaluator: JudgeConfig | None) -> JudgeConfig:
    """The check's own config; what it leaves open comes from `configure`, the environment, then the defaults."""
    base, own = _GLOBAL_JUDGE, per_evaluator or JudgeConfig()
    return replace(
        own,
        provider=own.provider or base.provider,
        model=own.model or base.model,
        base_url=own.base_url or base.base_url,
        temperature=_first(own.temperature, base.temperature),
        max_tokens=_first(own.max_tokens, base.max_tokens),
        timeout=_first(own.timeout, base.timeout),
        reliability_check=own.reliability_check or base.reliability_check,
        reliability_sample=_first(own.reliability_sample, base.reliability_sample),
        cache=own.cache or base.cache,
        extra={**base.extra, **own.extra},
    ).resolve()


def make_judge_call(prompt: str, config: JudgeConfig) -> str:
    """What the judge replies to a prompt; JudgeUnavailable where it does not."""
    if not config.cache or _FRESH.get():
        return _make_judge_call_uncached(prompt, config)
    cache, kept = _cache_get_safe(prompt, config)
    if kept is not None:
        return kept
    said = _make_judge_call_uncached(prompt, config)
    _cache_put_safe(cache, prompt, config, said)
    return said


async def make_judge_call_async(prompt: str, config: JudgeConfig) -> str:
    """`make_judge_call`, awaited."""
    if not config.cache or _FRESH.get():
        return await _make_judge_call_async_uncached(prompt, config)
    cache, kept = _cache_get_safe(prompt, config)
    if kept is not None:
        return kept
    said = await _make_judge_call_async_uncached(prompt, config)
    _cache_put_safe(cache, prompt, config, said)
    return said


def ask_parts(parts: Sequence[Json], config: JudgeConfig, http: Http) -> str:
    """What the judge replies to a message of several parts, such as a text and pictures; nothing is kept.

    The parts have the form of the package that asks, if Anthropic's does, else that of OpenAI's API.
    """
    config = _routed(config)
    try:
        return _run(ask_endpoint(parts, config)) if config.provider == "google" else _asked(parts, config, http)
    except Exception as error:
        raise unavailable(config.provider, config.model, error) from error


def judge_asker(config: JudgeConfig) -> StructuredModel:
    """The judge as ringtrue's own judges ask it, for a verdict that fits a schema; litellm has no address for that."""
    config = _routed(config)
    if config.provider == "litellm":
        raise JudgeUnavailable("litellm is asked for texts alone; name another provider", "litellm", config.model)
    try:
        return StructuredModel(endpoint(config), parameters=parameters(config))
    except RingtrueError as error:
        raise unavailable(config.provider, config.model, error) from error


@contextmanager
def fresh_judgements() -> Iterator[None]:
    """Within, no kept reply is used and none is kept: how steady a judge is shows only where it is asked."""
    token = _FRESH.set(True)
    try:
        yield
    finally:
        _FRESH.reset(token)


def _make_judge_call_uncached(prompt: str, config: JudgeConfig) -> str:
    config = _routed(config)
    try:
        return (_sync_litellm_call if config.provider == "litellm" else _sync_openai_call)(prompt, config)
    except JudgeUnavailable:
        raise
    except Exception as error:  # whatever a provider does, the case is a judge_error
        raise unavailable(config.provider, config.model, error) from error


async def _make_judge_call_async_uncached(prompt: str, config: JudgeConfig) -> str:
    config = _routed(config)
    try:
        return await (_async_litellm_call if config.provider == "litellm" else _async_openai_call)(prompt, config)
    except JudgeUnavailable:
        raise
    except Exception as error:
        raise unavailable(config.provider, config.model, error) from error


def _routed(config: JudgeConfig) -> JudgeConfig:
    return _ollama_as_openai(config) if config.provider == "ollama" else config


def _sync_openai_call(prompt: str, config: JudgeConfig) -> str:
    return _asked(prompt, config, _http(config))


async def _async_openai_call(prompt: str, config: JudgeConfig) -> str:
    package = vendor_package(config)
    if package is None:
        return await ask_endpoint(prompt, config)
    return await ask_vendor_async(package, prompt, config, _http(config))


# Code that was written for the original calls one for each vendor; whom they ask is the config's matter.
_sync_anthropic_call = _sync_google_call = _sync_openai_call
_async_anthropic_call = _async_google_call = _async_openai_call


def _asked(content: Content, config: JudgeConfig, http: Http) -> str:
    """The reply of whoever is asked: through the vendor's package, where there is one, else by the Endpoint."""
    package = vendor_package(config)
    return _run(ask_endpoint(content, config)) if package is None else ask_vendor(package, content, config, http)


def _http(config: JudgeConfig) -> Http:
    return google_http_options if config.provider == "google" else sdk_http_client


def _sync_litellm_call(prompt: str, config: JudgeConfig) -> str:
    litellm, told = litellm_call(prompt, config)
    return litellm_text(litellm.completion(**told), config)


async def _async_litellm_call(prompt: str, config: JudgeConfig) -> str:
    litellm, told = litellm_call(prompt, config)
    return litellm_text(await litellm.acompletion(**told), config)


def _ollama_as_openai(config: JudgeConfig) -> JudgeConfig:
    """ollama speaks OpenAI's API below /v1."""
    address = ollama_address(config.base_url)
    return replace(config, provider="openai", model=config.model.removeprefix("ollama/"), base_url=address)


def _cache_get_safe(prompt: str, config: JudgeConfig) -> tuple[Any, str | None]:
    try:
        cache = _cache.get_cache()
        return cache, cache.get(prompt, config)
    except Exception as error:  # a cache saves calls; without one they are made
        _warn_cache_degraded("read", error)
        return None, None


def _cache_put_safe(cache: Any, prompt: str, config: JudgeConfig, said: str) -> None:
    try:
        if cache is not None:
            cache.put(prompt, config, said)
    except Exception as error:
        _warn_cache_degraded("write", error)


def _warn_cache_degraded(verb: str, error: Exception) -> None:
    global _CACHE_DEGRADATION_WARNED
    if not _CACHE_DEGRADATION_WARNED:
        _CACHE_DEGRADATION_WARNED = True
        warn(f"cannot {verb} the judge cache, asking without it: {error}")


def _first(value: Any, otherwise: Any) -> Any:
    return otherwise if value is None else value
