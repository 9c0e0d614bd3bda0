"""`PromptRecorder`: the prompts that go to a model's library, noted by place and fingerprint while it is at work."""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from importlib import import_module
from pathlib import Path
from threading import Lock
from typing import Any, ClassVar, NamedTuple, Self

from ringtrue.prompts.fingerprint import fingerprint_text, loose_fingerprint_text, writable
from ringtrue.prompts.recordings import (
    DEFAULT_RECORDINGS_NAME,
    RECORDER_VERSION,
    RECORDINGS_SCHEMA_VERSION,
    RecorderError,
    Recording,
    add_recordings,
    place_of,
)
from ringtrue.prompts.source import DEFAULT_IGNORE_DIRS
from ringtrue.prompts.stamps import utc_now
from ringtrue.reports.whole_file import Where
from ringtrue.systems.asked_case import RECORDING, get_active_case

_HERE = Path(__file__).resolve().parents[1]
_INSIDE: ContextVar[bool] = ContextVar("ringtrue_inside_recorded_call", default=False)


class _Function(NamedTuple):
    """A function of a model's library that sends prompts."""

    sdk: str
    call_site: str
    module: str
    owner: str = ""
    name: str = "create"


_FUNCTIONS = (
    _Function("anthropic", "messages.create", "anthropic.resources.messages", "Messages"),
    _Function("anthropic", "messages.create", "anthropic.resources.messages", "AsyncMessages"),
    _Function("openai", "chat.completions.create", "openai.resources.chat.completions", "Completions"),
    _Function("openai", "chat.completions.create", "openai.resources.chat.completions", "AsyncCompletions"),
    _Function("litellm", "completion", "litellm", name="completion"),
    _Function("litellm", "acompletion", "litellm", name="acompletion"),
)


class PromptRecorder:
    """Notes prompts between `start` and `stop`; a call of the library is made as ever, whatever becomes of its note.

    The prompts' texts are kept with `record_text` alone. Calls from outside `repo_root` are not noted, and of calls
    inside each other only the outer one is.
    """

    mark: ClassVar[str] = "__ringtrue_recorder__"
    """The attribute that tells a function of a library which is watched."""

    def __init__(self, repo_root: Where = ".", out: Where | None = None, *, record_text: bool = False) -> None:
        self.repo_root = Path(repo_root).resolve()
        self.out_path = Path(out) if out else self.repo_root / DEFAULT_RECORDINGS_NAME
        self.record_text = record_text
        self.patched_sdks: list[str] = []
        self.record_errors = 0
        self._running = False
        self._seen: dict[tuple[str, str], Recording] = {}
        self._lock = Lock()
        self._replaced: list[tuple[Any, str, Any, Any]] = []
        self._relative = functools.cache(self._inside_repo)

    def start(self) -> Self:
        """Begin to note prompts; one recorder at a time."""
        if not RECORDING.acquire(blocking=False):
            raise RecorderError("a recorder is already active in this process; stop it first")
        try:
            for function in _FUNCTIONS:
                self._replace(function)
        except BaseException:  # also when it is interrupted: no library stays half replaced
            self._restore()
            RECORDING.release()
            raise
        self._running = True
        return self

    def stop(self) -> None:
        """Put the libraries' own functions back, and write what was noted."""
        if self._running:
            self._running = False
            self._restore()
            RECORDING.release()
            self.flush()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *exception: object) -> None:
        self.stop()

    def flush(self) -> Path:
        """Put what was noted to the recordings of the file; without anything new it is not touched."""
        with self._lock:
            if self._seen:
                add_recordings(self.out_path, self._noted())
            self._seen = {}
        return self.out_path

    def snapshot(self) -> list[Recording]:
        """What was noted and not yet written."""
        with self._lock:
            return self._noted()

    def _noted(self) -> list[Recording]:
        return [{**recording, "case_uids": sorted(recording["case_uids"])} for recording in self._seen.values()]

    def _replace(self, function: _Function) -> None:
        try:
            module = import_module(function.module)
        except ImportError:  # who has not installed a library does not call it
            return
        owner = getattr(module, function.owner, None) if function.owner else module
        original = getattr(owner, function.name, None)
        if original is None:
            return
        watching = self._watching(function, original)
        self._replaced.append((owner, function.name, vars(owner).get(function.name), watching))
        setattr(owner, function.name, watching)
        label = f"{function.sdk}.{function.call_site}"
        self.patched_sdks += [] if label in self.patched_sdks else [label]

    def _restore(self) -> None:
        for owner, name, own, watching in reversed(self._replaced):
            if vars(owner).get(name) is not watching:
                continue  # somebody else replaced it since, and calls ours, which is a mere call from now on
            if own is None:
                delattr(owner, name)
            else:
                setattr(owner, name, own)
        self._replaced.clear()

    def _watching(self, function: _Function, original: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(original)
        def asked(*args: Any, **kwargs: Any) -> Any:
            if _INSIDE.get() or not self._running:
                return original(*args, **kwargs)
            self._note(function, args, kwargs)
            with _marked():
                said = original(*args, **kwargs)
            return _awaited(said) if inspect.iscoroutine(said) else said

        setattr(asked, self.mark, True)
        if inspect.iscoroutinefunction(original) and sys.version_info >= (3, 12):
            inspect.markcoroutinefunction(asked)
        return asked

    def _note(self, function: _Function, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
        try:
            place = self._caller()
            if place is None:
                return
            about = {**place, "sdk": function.sdk, "call_site": function.call_site}
            given = {"messages": args[1], **kwargs} if function.sdk == "litellm" and len(args) > 1 else kwargs
            for role, text in _prompts(given):
                self._put(self._recording({**about, "role": writable(role)}, text))
        except Exception:  # a note that fails must not cost the call
            self.record_errors += 1

    def _put(self, new: Recording) -> None:
        """Put a note to those before; cases are gathered in place, for thousands may send one text."""
        key = place_of(new), new["fingerprint"]
        with self._lock:
            old = self._seen.setdefault(key, {**new, "case_uids": set(), "count": 0})
            old["case_uids"].update(new["case_uids"])
            old |= {"anchor": new["anchor"], "count": old["count"] + 1, "last_seen": new["last_seen"]}

    def _recording(self, anchor: dict[str, Any], text: str) -> Recording:
        case, now = get_active_case(), utc_now()
        prints = {"fingerprint": fingerprint_text(text), "loose_fingerprint": loose_fingerprint_text(text)}
        return {
            "schema_version": RECORDINGS_SCHEMA_VERSION,
            "anchor": anchor,
            **prints,
            "case_uids": [] if case is None else [writable(case)],
            "count": 1,
            "first_seen": now,
            "last_seen": now,
            "recorder_version": RECORDER_VERSION,
            **({"text": writable(text)} if self.record_text else {}),
        }

    def _caller(self) -> dict[str, Any] | None:
        """The innermost function of the repository that is at work; a library installed inside it is not part of it."""
        frame = sys._getframe(3)
        while frame is not None:
            code = frame.f_code
            path = self._relative(code.co_filename)
            if path is not None:
                names = [name for name in code.co_qualname.split(".") if not name.startswith("<")]
                return {"file_path": path, "qualname": ".".join(names) or "<module>", "line": frame.f_lineno}
            frame = frame.f_back  # type: ignore[assignment]
        return None

    def _inside_repo(self, filename: str) -> str | None:
        path = Path(filename)
        if filename.startswith("<") or not path.is_absolute():
            return None
        real = path.resolve()
        if not real.is_relative_to(self.repo_root) or real.is_relative_to(_HERE):
            return None
        inside = real.relative_to(self.repo_root)
        return None if DEFAULT_IGNORE_DIRS.intersection(inside.parts) else writable(inside.as_posix())


def _prompts(given: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The roles and texts that a call hands over; what can be read only once is left to the library."""
    messages = given.get("messages")
    listed = messages if isinstance(messages, (list, tuple)) else ()
    told = [(_part(one, "role"), _part(one, "content")) for one in listed]
    for role, content in [("system", given.get("system")), *told]:
        blocks = content if isinstance(content, (list, tuple)) else [content]
        found = [text for one in blocks if isinstance(text := one if isinstance(one, str) else _part(one, "text"), str)]
        if found and isinstance(role, str):
            yield role, "\n".join(found)


def _part(value: Any, name: str) -> Any:
    return value.get(name) if isinstance(value, Mapping) else getattr(value, name, None)


@contextmanager
def _marked() -> Iterator[None]:
    token = _INSIDE.set(True)
    try:
        yield
    finally:
        _INSIDE.reset(token)


async def _awaited(said: Coroutine[Any, Any, Any]) -> Any:
    with _marked():
        return await said
