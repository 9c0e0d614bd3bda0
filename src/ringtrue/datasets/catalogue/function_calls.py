"""The wording in which functions are shown to a model, and in which it writes calls."""

from collections.abc import Mapping, Sequence

from ringtrue.jsontext import json_text
from ringtrue.records import Json
from ringtrue.scoring.tool_calls.call_match import OPTIONAL

FORM = (
    "Answer the request by calling these functions. Reply with a list of calls in Python syntax alone, every argument "
    'by its name, such as [first(a=1), second(b="x")]; reply with [] if no function fits the request.'
)


def function_question(request: str, functions: Sequence[Json]) -> str:
    """A request with the functions it may be answered with."""
    shown = json_text(functions, indent=True)
    return f"{FORM}\n\nFunctions:\n{shown}\n\nRequest:\n{request}"


def written_calls(calls: Sequence[Mapping[str, Mapping[str, Sequence[Json]]]]) -> str:
    """Expected calls as a model is asked to write them, with the first accepted value of every argument."""
    return "[" + ", ".join(_call(name, accepted) for call in calls for name, accepted in call.items()) + "]"


def accepted_values(value: Json) -> Json:
    """A value as accepted values hold it: inside an object, every key has a list of them."""
    if isinstance(value, Mapping):
        return {key: [accepted_values(item)] for key, item in value.items()}
    return [accepted_values(item) for item in value] if isinstance(value, list) else value


def _call(name: str, arguments: Mapping[str, Sequence[Json]]) -> str:
    given = {key: [item for item in values if item != OPTIONAL] for key, values in arguments.items()}
    needed = {key: values[0] for key, values in given.items() if values}
    return f"{name}({', '.join(f'{key}={_plain(item)!r}' for key, item in needed.items())})"


def _plain(value: Json) -> Json:
    if isinstance(value, Mapping):
        return {key: _plain(items[0]) if isinstance(items, list) and items else items for key, items in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list) else value
