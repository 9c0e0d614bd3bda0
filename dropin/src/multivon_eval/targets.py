"""Deployed systems as functions of a suite: an HTTP API asked once a case, or turn by turn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from multivon_eval.browser_target import BrowserTarget
from multivon_eval.simulated_users import simulate_users
from ringtrue.errors import ModelError
from ringtrue.models.client.retries import RetryPolicy
from ringtrue.records import Output
from ringtrue.sync import run as run_blocking
from ringtrue.systems.json_api import JsonApi

__all__ = [
    "APIKeyAuth", "BearerAuth", "BrowserTarget", "DeployedAPITarget", "MultiTurnAPITarget", "simulate_users",
]  # fmt: skip


class BearerAuth:
    """A token in the header `Authorization`."""

    def __init__(self, token: str) -> None:
        self.token = token

    def headers(self) -> dict[str, str]:
        """The header."""
        return {"Authorization": f"Bearer {self.token}"}


class APIKeyAuth:
    """A key in a header of its own."""

    def __init__(self, key: str, header: str = "X-API-Key") -> None:
        self.key, self.header = key, header

    def headers(self) -> dict[str, str]:
        """The header."""
        return {self.header: self.key}


class DeployedAPITarget:
    """A deployed API: it is sent `{input_key: input, **extra_body}`, and its answer is at `output_path`.

    429, 5xx and broken connections are tried again; what fails for good raises, and the case is a model_error.
    """

    def __init__(
        self,
        url: str,
        method: str = "POST",
        auth: BearerAuth | APIKeyAuth | None = None,
        input_key: str = "message",
        output_path: str = "response",
        extra_body: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
        timeout: float = 30,
        retries: int = 2,
        rate_limit: float | None = None,
    ) -> None:
        self.url, self.auth, self.output_path = url, auth, output_path
        self._api = JsonApi(
            url,
            method=method,
            input_key=input_key,
            output_path=output_path,
            extra_body=extra_body,
            headers={**(headers or {}), **(auth.headers() if auth else {})},
            timeout_seconds=timeout,
            retries=RetryPolicy(retries),
            max_per_second=rate_limit,
        )

    def __call__(self, input: str) -> str:
        return _answered(self._api, {self._api.input_key: input})

    def __repr__(self) -> str:
        return f"DeployedAPITarget(url={self.url!r}, output_path={self.output_path!r})"


class MultiTurnAPITarget:
    """A deployed API that is sent one user turn after the other, each with all that was said before.

    With `session_init_url`, a session is begun there first, and its id is sent in `session_header`.
    """

    def __init__(
        self,
        url: str,
        auth: BearerAuth | APIKeyAuth | None = None,
        session_init_url: str | None = None,
        session_id_path: str = "session_id",
        session_header: str = "X-Session-ID",
        history_key: str = "messages",
        input_key: str = "message",
        output_path: str = "response",
        timeout: float = 30,
        retries: int = 2,
    ) -> None:
        self.url, self.session_header = url, session_header
        self.history_key, self.input_key = history_key, input_key
        settings: dict[str, Any] = {
            "headers": auth.headers() if auth else {},
            "timeout_seconds": timeout,
            "retries": RetryPolicy(retries),
        }
        self._api = JsonApi(url, output_path=output_path, **settings)
        self._sessions = (
            JsonApi(session_init_url, output_path=session_id_path, **settings) if session_init_url else None
        )

    def run_conversation(
        self, turns: Iterable[Mapping[str, str]], evaluators: Sequence[Any] | None = None
    ) -> tuple[str, list[Any]]:
        """The last answer, and what the evaluators say of it, the conversation before it being the case's."""
        session = {self.session_header: _answered(self._sessions, {})} if self._sessions else {}
        history: list[dict[str, str]] = []
        answer = ""
        for turn in turns:
            if turn["role"] == "user":
                body = {self.input_key: turn["content"], self.history_key: list(history)}
                answer = _answered(self._api, body, session)
                history += [dict(turn), {"role": "assistant", "content": answer}]
            else:
                history.append(dict(turn))
        return answer, _checked(history[:-1], answer, evaluators or ())

    def __call__(self, input: str) -> str:
        return self.run_conversation([{"role": "user", "content": input}])[0]


def _answered(api: JsonApi, body: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> str:
    output = run_blocking(_once(api, body, headers))
    if output.problem:
        raise ModelError(f"{api.url}: {output.problem}", kind="malformed")
    return output.text


async def _once(api: JsonApi, body: Mapping[str, Any], headers: Mapping[str, str] | None) -> Output:
    # Nobody says when a target is asked for the last time.
    try:
        return await api.reply(body, headers)
    finally:
        await api.close()


def _checked(conversation: list[dict[str, str]], answer: str, evaluators: Sequence[Any]) -> list[Any]:
    from multivon_eval.case import EvalCase

    asked = [turn["content"] for turn in conversation if turn["role"] == "user"]
    case = EvalCase(asked[-1] if asked else "", conversation=conversation)
    return [evaluator.evaluate(case, answer) for evaluator in evaluators]
