"""The transcript dialect: chat completions and Responses items as turns, and turns as text, items and trials."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from ringtrue.dialects.coercion import plain_text
from ringtrue.errors import ConfigurationError
from ringtrue.records import Case, Json, Output, Trial

Kind: TypeAlias = Literal["message", "call", "result", "omitted"]

NO_ANSWER = "the transcript has no answer of the assistant"
_ROLES = {"developer": "system", "model": "assistant", "ai": "assistant", "human": "user", "function": "tool"}
_OMITTED = {
    "image_url": "image",
    "input_image": "image",
    "image": "image",
    "input_audio": "audio",
    "audio": "audio",
    "input_file": "file",
    "file": "file",
    "video": "video",
    "video_url": "video",
}
_RESULTS = ("function_call_output", "custom_tool_call_output")
_CALLS = ("function_call", "custom_tool_call")
_BUILT_IN = "_call"
"""How the type of an item ends that records the use of a built-in tool: `web_search_call`, `mcp_call` …"""


@dataclass(frozen=True, slots=True)
class Turn:
    """One step of a transcript: something said, a tool called, what it gave, or an item that has no text.

    `role` is `system`, `user`, `assistant` or `tool` where the item says one of their names, else what it says. For a
    call, `text` is the arguments as they were written. `item` is the position of the message it comes from.
    """

    role: str
    text: str
    kind: Kind = "message"
    tool: str = ""
    call_id: str = ""
    item: int = 0


def item_list(items: Any, name: str = "messages") -> list[Any]:
    """The messages of a transcript, or its tools; what is not a list of them is a ConfigurationError."""
    if isinstance(items, (str, bytes, Mapping)) or not isinstance(items, Iterable):
        raise ConfigurationError(f"{name} must be a list of dicts; got {items!r:.80}", parameter=name, value=items)
    return list(items)


def turns(messages: Iterable[Any]) -> tuple[Turn, ...]:
    """The turns of a transcript in either dialect; what cannot be read is left out, what has no text is named."""
    found: list[Turn] = []
    for position, message in enumerate(messages):
        fields = _fields(message)
        if fields is not None:
            found.extend(_turns(fields, position))
    names = {turn.call_id: turn.tool for turn in found if turn.kind == "call" and turn.call_id}
    return tuple(
        _with_tool_name(turn, names[turn.call_id])
        if turn.kind == "result" and not turn.tool and turn.call_id in names
        else turn
        for turn in found
    )


def content_text(content: Any) -> str:
    """The text of a message's content: parts on lines of their own, images and files named as omitted."""
    if isinstance(content, str):
        return content
    if content is None:
        return ""
    if isinstance(content, (list, tuple)):
        parts = [_part_text(part) for part in content]
        return "\n".join(part for part in parts if part)
    fields = _fields(content)
    return plain_text(content) if fields is None else _part_text(fields)


def render(some: Iterable[Turn]) -> str:
    """Turns as text; every spoken line begins with a bar, so that no text can forge a turn."""
    return "\n".join(_render_turn(turn) for turn in some)


def as_chat(some: Iterable[Turn]) -> list[dict[str, Json]]:
    """Turns as chat-completions messages; consecutive calls are one message."""
    found: list[dict[str, Json]] = []
    for turn in some:
        if turn.kind == "call":
            call = {"id": turn.call_id, "type": "function", "function": {"name": turn.tool, "arguments": turn.text}}
            if found and "tool_calls" in found[-1]:
                found[-1]["tool_calls"].append(call)
            else:
                found.append({"role": "assistant", "content": None, "tool_calls": [call]})
        elif turn.kind == "result":
            found.append({"role": "tool", "tool_call_id": turn.call_id, "content": turn.text})
        else:
            kind = {"type": turn.kind} if turn.kind == "omitted" else {}
            found.append({"role": turn.role, "content": turn.text, **kind})
    return found


def as_responses(some: Iterable[Turn]) -> list[dict[str, Json]]:
    """Turns as Responses input items."""
    return [_as_item(turn) for turn in some]


def up_to_last_user(some: Sequence[Turn]) -> tuple[Turn, ...]:
    """The turns up to and with the user's last one; all of them where the user said nothing."""
    return tuple(some[: _after_last_user(some) or len(some)])


def since_last_user(some: Sequence[Turn]) -> tuple[Turn, ...]:
    """The turns after the user's last one; all of them where the user said nothing."""
    return tuple(some[_after_last_user(some) :])


def split_at_last_answer(some: Sequence[Turn]) -> tuple[tuple[Turn, ...], str]:
    """Split messages into those before the assistant's last message, and that message; nothing is in both."""
    for at in range(len(some) - 1, -1, -1):
        if some[at].role == "assistant" and some[at].kind == "message" and some[at].text.strip():
            first = at
            # The parts of one message are one answer.
            while first and some[first - 1].kind == "message" and _same_item(some[first - 1], some[at]):
                first -= 1
            return tuple(some[:first]), "\n".join(turn.text for turn in some[first : at + 1])
    return tuple(some), ""


def last_said(some: Iterable[Turn], role: str) -> str:
    """The whole text of the last message of a role, or the empty string."""
    said = [turn for turn in some if turn.role == role and turn.kind == "message"]
    return "\n".join(turn.text for turn in said if turn.item == said[-1].item) if said else ""


def system_prompt(some: Iterable[Turn]) -> str:
    """Return the text of the system and developer messages."""
    return "\n\n".join(turn.text for turn in some if turn.role == "system" and turn.text)


def trial_of_messages(messages: Sequence[Any], tools: Sequence[Any] | None = None) -> Trial:
    """The trial of a transcript: what came before the last answer is its case, the answer its output."""
    some = turns(item_list(messages))
    before, answer = split_at_last_answer(some)
    problem = "" if answer else NO_ANSWER
    calls = tuple(as_chat([turn])[0]["tool_calls"][0] for turn in since_last_user(some) if turn.kind == "call")
    case = Case(
        input=last_said(before, "user"),
        messages=tuple(as_chat(before)),
        tools=tuple(fields for fields in map(_fields, item_list(tools or (), "tools")) if fields is not None),
    )
    return Trial(case, Output(answer, problem=problem, messages=tuple(as_chat(some)), tool_calls=calls))


def turns_of_trial(trial: Trial) -> tuple[Turn, ...]:
    """The transcript a trial holds: its messages where there are any, else context, input and output as turns."""
    case, output = trial.case, trial.output
    if output.messages:
        output_turns = turns(output.messages)
        known = any(turn.role in ("user", "system") for turn in output_turns)
        return output_turns if known else (*_turns_of_case(case), *output_turns)
    said = (Turn("assistant", output.text),) if output.text else ()
    return (*_turns_of_case(case), *called_turns(output), *said)


def called_turns(output: Output) -> tuple[Turn, ...]:
    """The tool calls of an answer as turns."""
    calls = [call for call in output.tool_calls if isinstance(call, Mapping)]
    return turns([{"role": "assistant", "content": None, "tool_calls": calls}]) if calls else ()


def _as_item(turn: Turn) -> dict[str, Json]:
    if turn.kind == "call":
        return {"type": "function_call", "call_id": turn.call_id, "name": turn.tool, "arguments": turn.text}
    if turn.kind == "result":
        return {"type": "function_call_output", "call_id": turn.call_id, "output": turn.text}
    part = "output_text" if turn.role == "assistant" else "input_text"
    kind = turn.kind if turn.kind == "omitted" else "message"
    return {"type": kind, "role": turn.role, "content": [{"type": part, "text": turn.text}]}


def _turns_of_case(case: Case) -> tuple[Turn, ...]:
    given = case.messages or case.fields.get("messages") or case.fields.get("conversation") or ()
    if given and isinstance(given, (list, tuple)):
        return turns(given)
    context = (Turn("system", case.context),) if case.context else ()
    return (*context, Turn("user", case.input)) if case.input else context


def _fields(message: Any) -> dict[str, Any] | None:
    if isinstance(message, Mapping):
        return dict(message)
    # The objects of vendors' clients are pydantic models.
    dump = getattr(message, "model_dump", None)
    dumped = dump() if callable(dump) and not isinstance(message, type) else None
    return dumped if isinstance(dumped, dict) else None


def _turns(fields: Mapping[str, Any], position: int) -> list[Turn]:
    kind = fields.get("type")
    if kind in _CALLS:
        return [_call(fields, fields.get("call_id"), position)]
    if kind in _RESULTS:
        output = fields["output"] if "output" in fields else fields.get("content")
        return [Turn("tool", content_text(output), "result", "", _word(fields.get("call_id")), position)]
    role = _word(fields.get("role"))
    if not role:
        return _without_role(fields, kind, position) if isinstance(kind, str) else []
    role = _ROLES.get(role, role)
    if kind == "omitted":
        return [Turn(role, content_text(fields.get("content")), "omitted", item=position)]
    text = "\n".join(filter(None, [content_text(fields.get("content")), content_text(fields.get("refusal"))]))
    if role == "tool":
        name, call_id = _word(fields.get("name")), _word(fields.get("tool_call_id"))
        return [Turn("tool", text, "result", name, call_id, position)]
    calls = fields.get("tool_calls")
    calls = list(calls) if isinstance(calls, (list, tuple)) else []
    if isinstance(fields.get("function_call"), Mapping):
        calls.append({"function": fields["function_call"]})
    said = [Turn(role, text, item=position)] if text or not calls else []
    return said + [_call_in(call, position) for call in calls if isinstance(call, Mapping)]


def _without_role(fields: Mapping[str, Any], kind: str, position: int) -> list[Turn]:
    """A built-in tool's use, with what it gave where the item says so; anything else is named."""
    tool = kind.removesuffix(_BUILT_IN)
    if not tool or tool == kind:
        return [Turn("assistant", f"[{kind} omitted]", "omitted", item=position)]
    name = _word(fields.get("id"))
    given = next((fields[key] for key in ("arguments", "action", "queries", "code") if fields.get(key)), "")
    call = Turn("assistant", plain_text(given), "call", tool, name, position)
    gave = next((fields[key] for key in ("output", "results", "outputs") if fields.get(key)), None)
    return [call] if gave is None else [call, Turn("tool", content_text(gave), "result", tool, name, position)]


def _call_in(call: Mapping[str, Any], position: int) -> Turn:
    inner = call.get("function") or call.get("custom")
    return _call(inner if isinstance(inner, Mapping) else call, call.get("id"), position)


def _call(fields: Mapping[str, Any], call_id: Any, position: int) -> Turn:
    arguments = fields["arguments"] if "arguments" in fields else fields.get("input")
    text = "" if arguments is None else plain_text(arguments)
    return Turn("assistant", text, "call", _word(fields.get("name")), _word(call_id), position)


def _part_text(part: Any) -> str:
    if isinstance(part, str):
        return part
    fields = _fields(part)
    if fields is None:
        return ""
    for name in ("text", "refusal"):
        text = fields.get(name)
        if isinstance(text, str):
            return text
    kind = fields.get("type")
    if not isinstance(kind, str):
        return plain_text(fields) if fields else ""
    inner = fields.get("file")
    name = _word(fields.get("filename") or (inner.get("filename") if isinstance(inner, Mapping) else ""))
    return f"[{_OMITTED.get(kind, kind)}{' ' + name if name else ''} omitted]"


def _render_turn(turn: Turn) -> str:
    if turn.kind == "call":
        head = f"{turn.role} calls {_one_line(turn.tool)}"
    elif turn.kind == "result":
        head = f"result of {_one_line(turn.tool)}" if turn.tool else "tool result"
    else:
        head = _one_line(turn.role)
    lines = turn.text.splitlines() or [""]
    return "\n".join([f"{head}:", *(f"| {line}" for line in lines)])


def _one_line(name: str) -> str:
    return " ".join(name.split())[:200] or "unnamed"


def _after_last_user(some: Sequence[Turn]) -> int:
    return next((at + 1 for at in range(len(some) - 1, -1, -1) if some[at].role == "user"), 0)


def _same_item(one: Turn, other: Turn) -> bool:
    return (one.role, one.item) == (other.role, other.item)


def _with_tool_name(turn: Turn, tool: str) -> Turn:
    return Turn(turn.role, turn.text, turn.kind, tool, turn.call_id, turn.item)


def _word(value: Any) -> str:
    return value if isinstance(value, str) else ""
