"""llama.cpp through its prebuilt bindings: a GGUF with one slot, in this process."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from signal import SIGINT, SIGTERM
from typing import Any

import orjson
import xllamacpp

from ringtrue.errors import ConfigurationError, ModelError
from ringtrue.models.local import weights
from ringtrue.records import Json
from ringtrue.safetext import excerpt

LOOPBACK = "127.0.0.1"
_TEMPLATE = Path(__file__).with_name("smollm2.jinja")
# A stop is seen between batches: at about 100 prompt tokens a second this is every second or so.
BATCH_TOKENS = 128
_GET_HANDLER = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_int)(("PyOS_getsig", ctypes.pythonapi))
_SET_HANDLER = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)(("PyOS_setsig", ctypes.pythonapi))


@dataclass(frozen=True, slots=True)
class Settings:
    """All that decides how a GGUF is loaded; without a path it is the embedded one."""

    path: Path | None
    context_tokens: int
    threads: int = 1
    reuse_prefix: bool = False
    port: int = 0
    api_key: str = ""


def load(settings: Settings) -> Any:
    """A loaded xllamacpp.Server; it listens on loopback until it is garbage."""
    # A damaged file can end the whole process inside llama.cpp; the embedded one's sum takes a tenth of a second.
    path = weights.verify() if settings.path is None else settings.path
    try:
        with _own_signals():
            return xllamacpp.Server(_parameters(settings, path))
    except RuntimeError as error:
        raise ConfigurationError(
            f"llama.cpp cannot load {str(path)!r} with a context of {settings.context_tokens} tokens; "
            "is the file a whole model, and is there memory for it?",
            parameter="model",
            value=str(path),
        ) from error


@contextmanager
def _own_signals() -> Iterator[None]:
    """Keep the handlers of SIGINT and SIGTERM: llama.cpp sets handlers of its own, which end nothing."""
    # By way of C, because Python sets handlers in its main thread only, and models load in another.
    before = {number: _GET_HANDLER(number) for number in (SIGINT, SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            _SET_HANDLER(number, handler)


def complete(server: Any, body: dict[str, Json], *, stopped: Callable[[], bool]) -> dict[str, Json]:
    """The chat completion for a body; generation ends at the first token after `stopped` turns true."""
    chunks: list[str] = []

    def receive(chunk: str) -> bool:
        chunks.append(chunk)
        return stopped()

    streamed = {**body, "stream": True, "stream_options": {"include_usage": True}, "return_progress": True}
    try:
        server.handle_chat_completions(_dumps(streamed), receive)
    except (RuntimeError, ValueError) as error:
        raise ModelError(f"llama.cpp refuses the request: {excerpt(str(error))}", kind="http", status=400) from error
    return join_chunks(orjson.loads(chunk) for chunk in chunks)


def join_chunks(chunks: Iterable[dict[str, Json]]) -> dict[str, Json]:
    """One chat completion from the pieces of its stream; an error among them is raised."""
    text: list[str] = []
    calls: list[dict[str, Json]] = []
    logprobs: list[Json] = []
    whole: dict[str, Json] = {"finish_reason": None}
    usage: dict[str, Json] = {}
    model = ""
    for chunk in chunks:
        if "error" in chunk:
            raise _refusal(chunk["error"])
        model = chunk.get("model") or model
        usage = chunk.get("usage") or usage
        for choice in chunk.get("choices", ()):
            delta = choice.get("delta") or {}
            text.append(delta.get("content") or "")
            _add_calls(calls, delta.get("tool_calls") or ())
            logprobs += (choice.get("logprobs") or {}).get("content") or ()
            whole["finish_reason"] = choice.get("finish_reason") or whole["finish_reason"]
    whole["message"] = {"role": "assistant", "content": "".join(text), **({"tool_calls": calls} if calls else {})}
    if logprobs:
        whole["logprobs"] = {"content": logprobs}
    return {"object": "chat.completion", "model": model, "choices": [whole], "usage": usage}


def _add_calls(calls: list[dict[str, Json]], pieces: Iterable[dict[str, Json]]) -> None:
    for piece in pieces:
        if piece["index"] == len(calls):
            calls.append({"id": "", "type": "function", "function": {"name": "", "arguments": ""}})
        call = calls[piece["index"]]
        call["id"] += piece.get("id") or ""
        for part in ("name", "arguments"):
            call["function"][part] += (piece.get("function") or {}).get(part) or ""


def _refusal(error: dict[str, Json]) -> ModelError:
    status = error.get("code", 500)
    if error.get("type") == "exceed_context_size_error":
        return ModelError(
            f"the request has {error['n_prompt_tokens']} tokens and the context holds {error['n_ctx']}; "
            "shorten it, or give the local model more context_tokens",
            kind="http",
            status=status,
        )
    return ModelError(
        f"llama.cpp refuses the request: {excerpt(str(error.get('message')))}", kind="http", status=status
    )


def _dumps(body: dict[str, Json]) -> str:
    try:
        return orjson.dumps(body).decode()
    except TypeError:
        # A half surrogate pair or an integer beyond 64 bits: llama.cpp reads neither, and a question mark hurts less.
        import json

        return json.dumps(body, ensure_ascii=False, allow_nan=False).encode("utf-8", "replace").decode()


def _parameters(settings: Settings, path: Path) -> Any:
    params = xllamacpp.CommonParams()
    params.model.path = str(path)
    params.n_ctx = settings.context_tokens
    params.n_parallel = 1
    params.n_batch = params.n_ubatch = BATCH_TOKENS
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = settings.threads
    params.hostname, params.port = LOOPBACK, settings.port
    params.n_threads_http = 2
    params.api_keys = [settings.api_key] if settings.api_key else []
    if settings.path is None:
        params.chat_template = _TEMPLATE.read_text(encoding="utf-8")
    # A prompt that was partly computed before goes through other batch sizes and may round to another token.
    params.cache_prompt = settings.reuse_prefix
    params.cache_ram_mib = 0
    params.webui = False
    params.offline = True
    params.verbosity = -1
    return params
