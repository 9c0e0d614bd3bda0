"""A vendor's own package, where it is installed: it asks its vendor in the vendor's own words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from importlib import import_module
from operator import attrgetter
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

from multivon_eval.costs import record_call
from multivon_eval.judge_endpoints import key_of, named_address, parameters, takes_temperature
from multivon_eval.provider_evidence import provider_operation
from ringtrue.records import Json

if TYPE_CHECKING:
    from multivon_eval.judge import JudgeConfig

Content = str | Sequence[Json]
Http = Callable[..., Any]
"""What a client is given for its requests: the HTTP client of a package, or Google's options for a timeout."""


class _Vendor(NamedTuple):
    """A package: its client and the one that is awaited, how they are asked, and where a response counts tokens."""

    package: str
    client: str
    awaited: str
    ask: str
    usage: str
    read: str
    written: tuple[str, ...]


_VENDORS = {
    "anthropic": _Vendor(
        "anthropic", "Anthropic", "AsyncAnthropic", "messages.create", "usage", "input_tokens", ("output_tokens",)
    ),
    "openai": _Vendor(
        "openai", "OpenAI", "AsyncOpenAI", "chat.completions.create", "usage", "prompt_tokens", ("completion_tokens",)
    ),
    "google": _Vendor(
        "google.genai",
        "Client",
        "Client",
        "models.generate_content",
        "usage_metadata",
        "prompt_token_count",
        ("candidates_token_count", "thoughts_token_count"),
    ),
}


def vendor_package(config: JudgeConfig) -> ModuleType | None:
    """The package that asks: the vendor's, if it is installed and the vendor is who is asked, else none.

    At an address of one's own somebody answers OpenAI's API; at the one that ANTHROPIC_BASE_URL names, Anthropic's.
    """
    vendor = _VENDORS.get(config.provider)
    own = config.base_url and not (config.provider == "anthropic" and config.base_url == named_address("anthropic"))
    if vendor is None or own:
        return None
    try:
        return import_module(vendor.package)
    except ImportError:
        return None


def ask_vendor(package: ModuleType, content: Content, config: JudgeConfig, http: Http) -> str:
    """The text of a vendor's reply to a text or to parts of a message."""
    vendor = _VENDORS[config.provider]
    client = _kept_client(getattr(package, vendor.client), package, http, *_told(config).items())
    with provider_operation(config.provider, "judge", config.model):
        return _said(attrgetter(vendor.ask)(client)(**_request(content, config)), config)


async def ask_vendor_async(package: ModuleType, content: Content, config: JudgeConfig, http: Http) -> str:
    """`ask_vendor`, awaited; the client lives as long as the call, because the event loop may not live longer."""
    vendor = _VENDORS[config.provider]
    client = _client(getattr(package, vendor.awaited), package, http, _told(config), asynchronous=True)
    request = _request(content, config)
    with provider_operation(config.provider, "judge", config.model):
        if config.provider == "google":  # an HTTP client in its options is not its own to close
            return _said(await client.aio.models.generate_content(**request), config)
        async with client:
            return _said(await attrgetter(vendor.ask)(client)(**request), config)


@lru_cache(maxsize=16)
def _kept_client(kind: Callable[..., Any], package: ModuleType, http: Http, *told: tuple[str, Any]) -> Any:
    return _client(kind, package, http, dict(told))


def _client(
    kind: Callable[..., Any], package: ModuleType, http: Http, told: dict[str, Any], *, asynchronous: bool = False
) -> Any:
    if package.__name__ == _VENDORS["google"].package:
        return kind(http_options=http(told.pop("timeout")), **told)
    return kind(http_client=http(package, asynchronous=True) if asynchronous else http(package), **told)


def _told(config: JudgeConfig) -> dict[str, Any]:
    """What a client is told; without a key it finds one by itself, or says what is missing."""
    key = key_of(config.provider)
    own = {"base_url": config.base_url.removesuffix("/v1")} if config.base_url else {}
    return {"timeout": config.timeout, **own, **({"api_key": key} if key else {})}


def _request(content: Content, config: JudgeConfig) -> dict[str, Any]:
    heat = {"temperature": config.temperature} if takes_temperature(config.model) else {}
    if config.provider == "google":
        return {
            "model": config.model,
            "contents": content,
            "config": {"max_output_tokens": config.max_tokens, **heat},
        }
    said = {"model": config.model, "messages": [{"role": "user", "content": content}]}
    if config.provider == "anthropic":  # its newer versions have no parameter for a temperature
        return {**said, "max_tokens": config.max_tokens, **({"extra_body": heat} if heat else {})}
    if heat and not isinstance(content, str):  # whoever looks at requests with pictures finds the older name there
        return {**said, "max_tokens": config.max_tokens, **heat}
    return {**said, **parameters(config)}


def _said(response: Any, config: JudgeConfig) -> str:
    """The text of a response, its tokens counted."""
    vendor = _VENDORS[config.provider]
    usage = getattr(response, vendor.usage, None)
    read, written = (
        sum(int(getattr(usage, name, 0) or 0) for name in names) for names in ((vendor.read,), vendor.written)
    )
    record_call(provider=config.provider, model=config.model, input_tokens=read, output_tokens=written)
    if config.provider == "anthropic":
        return "".join(text for block in response.content if (text := getattr(block, "text", None)))
    return (response.text if config.provider == "google" else response.choices[0].message.content) or ""
