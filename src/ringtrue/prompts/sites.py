"""`prompts_of`: the prompts that a call of a model's library hands over, as far as the source tells."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from ringtrue.prompts.names import literal

_ENDINGS = {
    ("messages", "create"): "anthropic",
    ("chat", "completions", "create"): "openai",
    ("litellm", "completion"): "litellm",
    ("litellm", "acompletion"): "litellm",
}
"""How the name of a called function ends -> whose it is."""

_LITELLM = ("completion", "acompletion")


class Prompt(NamedTuple):
    """Whose words a prompt is, its place in `messages`, and what stands for it in a call; None: `**arguments` does."""

    role: str
    position: int
    node: ast.expr | None


def may_send(source: str) -> bool:
    """Whether a source can hold such a call: it has a function's name, or letters beyond ASCII, which may mean one."""
    return not source.isascii() or any(ending[-1] in source for ending in _ENDINGS)


def imported_from_litellm(nodes: Iterable[ast.AST]) -> dict[str, str]:
    """The names under which a file of these nodes imports the functions of litellm."""
    imports = [node for node in nodes if isinstance(node, ast.ImportFrom)]
    names = [alias for node in imports if node.module == "litellm" and not node.level for alias in node.names]
    return {alias.asname or alias.name: alias.name for alias in names if alias.name in _LITELLM}


def library(call: ast.Call, imported: Mapping[str, str]) -> tuple[str, str] | None:
    """The library that a call asks, and the function it calls; None for any other call."""
    if isinstance(call.func, ast.Name):
        name = imported.get(call.func.id)
        return None if name is None else ("litellm", name)
    path = _path(call.func)
    for ending, sdk in _ENDINGS.items():
        if path[-len(ending) :] == ending:
            return sdk, ending[-1] if sdk == "litellm" else ".".join(ending)
    return None


def prompts_of(call: ast.Call) -> Iterator[Prompt]:
    """The prompts of a call; one of the role `messages` stands for those that only the running program knows."""
    given = {keyword.arg: keyword.value for keyword in call.keywords}
    found = [Prompt("system", -1, given["system"])] if "system" in given else []
    messages = given.get("messages")
    if messages is not None:
        elements = messages.elts if isinstance(messages, ast.List) else None
        told = [prompt for place, item in enumerate(elements or ()) if (prompt := _message(item, place))]
        found += told if told or elements == [] else [Prompt("messages", -1, messages)]
    if not found and messages is None and None in given:
        found.append(Prompt("messages", -1, None))
    yield from found


def _message(item: ast.expr, place: int) -> Prompt | None:
    if not isinstance(item, ast.Dict):
        return None
    fields = {literal(key): value for key, value in zip(item.keys, item.values, strict=True) if key is not None}
    role = literal(fields["role"]) if "role" in fields else None
    return Prompt(role, place, fields["content"]) if role is not None and "content" in fields else None


def _path(node: ast.expr) -> tuple[str, ...]:
    """The last three names of `a.b().c.d`."""
    found: list[str] = []
    while len(found) < 3:
        if isinstance(node, ast.Attribute):
            found.append(node.attr)
            node = node.value
        elif isinstance(node, ast.Call):
            node = node.func
        else:
            found += [node.id] if isinstance(node, ast.Name) else []
            break
    return tuple(reversed(found))
