"""Whether calls are the expected ones, as the Berkeley Function-Calling Leaderboard decides it for Python."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ringtrue.records import Json
from ringtrue.safetext import short_repr
from ringtrue.scoring.tool_calls.read_calls import ToolCall

OPTIONAL = ""
"""Among the accepted values of an argument, it says that the argument may be left out."""

Accepted = Mapping[str, Sequence[Json]]
"""Argument -> accepted values; inside a value that is an object, each key again has a list of accepted values."""

_TYPES: dict[str, type] = {
    "string": str,
    "integer": int,
    "float": float,
    "number": float,
    "boolean": bool,
    "array": list,
    "tuple": list,
    "dict": dict,
    "object": dict,
}
_IGNORED = str.maketrans({**dict.fromkeys(" ,./-_*^"), "'": '"'})


def mismatch(said: Sequence[ToolCall], expected: Sequence[Mapping[str, Accepted]], tools: Sequence[Json] = ()) -> str:
    """Return why the calls are not the expected ones, in any order; empty if they are.

    `expected` has one object per call, function -> accepted arguments. `tools` describe the functions: their required
    arguments and types are asked for.
    """
    if len(said) != len(expected):
        return f"{_calls(len(said))} made; {_calls(len(expected))} expected"
    described = {_name(str(tool.get("name"))): tool for tool in tools if isinstance(tool, Mapping)}
    wanted = [next(iter(item.items())) for item in expected]
    wrong = [[_differs(call, name, accepted, described.get(_name(name))) for call in said] for name, accepted in wanted]
    partner: dict[int, int] = {}
    for place, (name, _) in enumerate(wanted):
        if not _find_partner(place, wrong, partner, set()):
            reasons = [reason for reason in wrong[place] if reason]
            return reasons[0] if len(said) == 1 else f"no call is the expected one of {name}: {'; '.join(reasons[:3])}"
    return ""


def _find_partner(place: int, wrong: Sequence[Sequence[str]], partner: dict[int, int], tried: set[int]) -> bool:
    """Give an expected call a partner among those made, moving others on where that frees one."""
    for other, reason in enumerate(wrong[place]):
        if not reason and other not in tried:
            tried.add(other)
            if other not in partner or _find_partner(partner[other], wrong, partner, tried):
                partner[other] = place
                return True
    return False


def _differs(call: ToolCall, name: str, accepted: Accepted, tool: Mapping[str, Json] | None) -> str:
    if _name(call.name) != _name(name):
        return f"{call.name!r} is called, not {name!r}"
    declared = tool.get("parameters") if tool else None
    parameters = declared if isinstance(declared, Mapping) else {}
    listed = parameters.get("properties")
    properties = listed if isinstance(listed, Mapping) else {}
    needed = parameters.get("required")
    for required in needed if isinstance(needed, list) else ():
        if isinstance(required, str) and required not in call.arguments:
            return f"the required argument {required!r} is missing"
    for argument, value in call.arguments.items():
        if argument not in accepted or (properties and argument not in properties):
            return f"the argument {argument!r} is not expected"
        detail = properties.get(argument)
        kind = detail if isinstance(detail, Mapping) else {}
        if not _is_a(value, kind, accepted[argument]):
            return f"the argument {argument!r} is {type(value).__name__}, not {kind.get('type')}"
        if not any(_accepts(value, one) for one in accepted[argument]):
            return f"the argument {argument!r} is {short_repr(value)}"
    missing = next((key for key in accepted if key not in call.arguments and OPTIONAL not in accepted[key]), None)
    return "" if missing is None else f"the argument {missing!r} is missing"


def _is_a(value: Json, kind: Mapping[str, Json], accepted: Sequence[Json]) -> bool:
    """Whether a value has its declared type, or that of an accepted value (a variable may be where a number may)."""
    wanted = _TYPES.get(str(kind.get("type")))
    if wanted is None or type(value) is wanted or (wanted is float and type(value) is int):
        items = kind.get("items")
        inner = _TYPES.get(str(items.get("type"))) if isinstance(items, Mapping) else None
        if wanted is not list or inner is None or not isinstance(value, list):
            return True
        examples = {type(item) for one in accepted if isinstance(one, list) for item in one}
        return all(type(item) is inner or type(item) in examples for item in value)
    return any(one != OPTIONAL and type(one) is type(value) for one in accepted)


def _accepts(value: Json, wanted: Json) -> bool:
    if isinstance(value, str) and isinstance(wanted, str):
        return _plain(value) == _plain(wanted)
    if value == [] and wanted == OPTIONAL:
        return True  # the authors' checker takes an empty list for an argument left out
    if isinstance(value, list) and isinstance(wanted, (list, tuple)):
        return len(value) == len(wanted) and all(map(_accepts, value, wanted))
    if isinstance(value, Mapping) and isinstance(wanted, Mapping):
        known = all(key in wanted and _any(item, wanted[key]) for key, item in value.items())
        return known and all(key in value or _may_miss(options) for key, options in wanted.items())
    return isinstance(value, bool) == isinstance(wanted, bool) and type(value) is not list and bool(value == wanted)


def _any(value: Json, options: Json) -> bool:
    return any(_accepts(value, one) for one in options) if isinstance(options, list) else _accepts(value, options)


def _may_miss(options: Json) -> bool:
    return isinstance(options, list) and OPTIONAL in options


def _plain(text: str) -> str:
    return text.translate(_IGNORED).lower()


def _name(name: str) -> str:
    # Endpoints refuse dots in names, so that models are given, and call, the name with underscores.
    return name.replace(".", "_")


def _calls(count: int) -> str:
    return {0: "no call is", 1: "one call is"}.get(count, f"{count} calls are")
