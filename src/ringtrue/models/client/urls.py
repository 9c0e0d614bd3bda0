"""Addresses of endpoints: the forms that people write as `base_url`, made one."""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import parse_qsl, urlsplit

from ringtrue.errors import ConfigurationError

_VERSION = re.compile(r"v\d{1,3}[a-z0-9]{0,12}")
_CALLS = ("/chat/completions", "/completions", "/responses")

_SECRETS = {"key", "api-key", "apikey", "token", "access-token", "secret"}


@lru_cache(maxsize=256)
def api_root(base_url: str) -> str:
    """The address below which `/chat/completions` lies, the same for every spelling of one endpoint.

    A path without a version gets `/v1`: `http://host:8000`, `http://host:8000/` and `http://host:8000/v1/` are equal. A
    path that names a version (`/openai/v1`, `/v1beta/openai`) or an Azure deployment is complete. A query
    (`?api-version=…`) stays.
    """
    parts = urlsplit(_text(base_url))
    try:
        port = parts.port
    except ValueError:
        raise _wrong("its port is not a number below 65536", base_url) from None
    if parts.scheme.lower() not in ("http", "https") or not parts.hostname:
        raise _wrong("it must start with http:// or https:// and name a host", base_url)
    names = {name.lower().replace("_", "-") for name, _ in parse_qsl(parts.query, keep_blank_values=True)}
    if parts.username is not None or parts.password is not None or names & _SECRETS:
        # An address is stored and shown; a key is not.
        raise ConfigurationError("base_url must not hold a user, password or key; use api_key", parameter="base_url")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    path = parts.path.rstrip("/")
    for call in _CALLS:
        path = path.removesuffix(call).rstrip("/")
    segments = path.split("/")
    if "deployments" not in segments and not any(_VERSION.fullmatch(segment) for segment in segments):
        path += "/v1"
    query = f"?{parts.query}" if parts.query else ""
    return f"{parts.scheme.lower()}://{host}{'' if port is None else f':{port}'}{path}{query}"


def call_url(root: str, call: str) -> str:
    """The address of one call (`chat/completions`) below a root."""
    path, mark, query = root.partition("?")
    return f"{path}/{call}{mark}{query}"


def _text(base_url: str) -> str:
    if not isinstance(base_url, str):
        raise _wrong("it must be a string", base_url)
    text = base_url.strip()
    if not text.isprintable() or " " in text:
        raise _wrong("it has a blank or unprintable character", base_url)
    return text


def _wrong(why: str, base_url: object) -> ConfigurationError:
    return ConfigurationError(f"base_url {base_url!r} cannot be used: {why}", parameter="base_url", value=base_url)
