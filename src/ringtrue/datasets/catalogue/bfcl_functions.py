"""The functions of a BFCL conversation as a model sees them: tools of a request, or its authors' prompt."""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from json import dumps

from ringtrue.records import Json
from ringtrue.scoring.tool_calls.bfcl_services import bfcl_module


def system_prompt(functions: Sequence[Json]) -> str:
    """The authors' default: plain text, calls in Python syntax, functions described as JSON."""
    words = bfcl_module("constants.default_prompts")
    style = words.PROMPT_STYLE_TEMPLATES["classic"]
    form = {"output_format": words.OUTPUT_FORMAT_MAPPING["python"], "param_types": words.PARAM_TYPE_MAPPING["python"]}
    prompt = words.PROMPT_TEMPLATE_MAPPING["plaintext"].format(
        persona=style["persona"],
        task=style["task"],
        tool_call_format=style["tool_call_no_tag"].format(**form),
        multiturn_behavior=style["multiturn_behavior"],
        available_tools=style["available_tools"].format(format="json", functions=dumps(functions, indent=4)),
    )
    return str(prompt)


def offered_tools(functions: Sequence[Json]) -> list[Json]:
    """Functions as an endpoint is given them, their types in the words of JSON Schema."""
    types = bfcl_module("constants.type_mappings").GORILLA_TO_OPENAPI
    found = deepcopy(list(functions))
    for function in found:
        function["parameters"]["type"] = "object"
        _rename_types(function["parameters"]["properties"], types)
    return [{"type": "function", "function": function} for function in found]


def _rename_types(properties: Mapping[str, Json], types: Mapping[str, str]) -> None:
    for item in properties.values():
        if item["type"] == "float":
            item |= {"format": "float", "description": f"{item['description']} This is a float type value."}
        item["type"] = types.get(item["type"], "string")
        _rename_types(item.get("properties", {}), types)
        if "items" in item:
            item["items"]["type"] = types[item["items"]["type"]]
