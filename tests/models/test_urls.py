"""One endpoint has one address, however it is written."""

from __future__ import annotations

import pytest

from ringtrue.errors import ConfigurationError
from ringtrue.models.client.urls import api_root, call_url


@pytest.mark.parametrize(
    ("written", "root"),
    [
        ("http://host:8000", "http://host:8000/v1"),
        ("http://host:8000/", "http://host:8000/v1"),
        ("http://host:8000/v1", "http://host:8000/v1"),
        ("http://host:8000/v1///", "http://host:8000/v1"),
        ("  HTTP://Host:8000/v1\n", "http://host:8000/v1"),
        ("http://host/v1/chat/completions", "http://host/v1"),
        ("http://host/proxy", "http://host/proxy/v1"),
        ("https://api.groq.com/openai/v1", "https://api.groq.com/openai/v1"),
        ("https://host/v1beta/openai/", "https://host/v1beta/openai"),
        ("https://x.azure.com/openai/deployments/d?api-version=1", "https://x.azure.com/openai/deployments/d?api-version=1"),
        ("http://[::1]:80", "http://[::1]:80/v1"),
    ],
)  # fmt: skip
def test_spellings(written: str, root: str) -> None:
    assert api_root(written) == root
    assert api_root(root) == root


@pytest.mark.parametrize(
    "written", ["", "host:8000", "ftp://host", "http://", "http://host:99999", "http://ho st", "http://h\0", None, 5]
)
def test_what_cannot_be_an_address_is_refused(written: str) -> None:
    with pytest.raises(ConfigurationError, match="base_url"):
        api_root(written)


@pytest.mark.parametrize(
    "written", ["http://me:hunter2@host/v1", "http://h/v1?api_key=hunter2", "http://h?KEY=hunter2"]
)
def test_a_secret_in_an_address_is_refused_and_not_shown(written: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        api_root(written)
    assert "hunter2" not in repr(caught.value) + str(vars(caught.value))


def test_calls_lie_below_the_root_and_before_the_query() -> None:
    assert call_url("http://h/v1", "responses") == "http://h/v1/responses"
    assert call_url("http://h/d?v=1", "chat/completions") == "http://h/d/chat/completions?v=1"
