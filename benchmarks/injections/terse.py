"""The model of the benchmark: an endpoint as it is, or the embedded model with bounds that let it end its sentences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ringtrue.models.model import Model
from ringtrue.models.reply import Reply
from ringtrue.models.request import Request
from ringtrue.records import Json

LONGEST_TEXT, MOST_ITEMS = 60, 2
BOUNDS = f"texts {LONGEST_TEXT}, lists {MOST_ITEMS}"


class Terse:
    """A model whose texts and lists are bounded by the schema: a small one repeats itself until it is cut off."""

    def __init__(self, model: Model) -> None:
        self.model = model

    async def ask(self, request: Request) -> Reply:
        """The reply to the request with a tighter schema."""
        form = request.parameters.get("response_format", {})
        if "json_schema" not in form:
            return await self.model.ask(request)
        schema = {**form["json_schema"], "schema": bounded(form["json_schema"]["schema"])}
        tighter = {**request.parameters, "response_format": {**form, "json_schema": schema}}
        return await self.model.ask(replace(request, parameters=tighter))


def bounded(schema: Json) -> Json:
    """A schema whose texts, lists and numbers have an end; what has one keeps it.

    The embedded engine heeds the range of whole numbers and of choices, not that of fractions.
    """
    if isinstance(schema, list):
        return [bounded(item) for item in schema]
    if not isinstance(schema, Mapping):
        return schema
    inner = {name: bounded(item) for name, item in schema.items()}
    kind = inner.get("type")
    if kind == "string" and "enum" not in inner:
        return {"maxLength": LONGEST_TEXT, **inner}
    if kind == "number" and inner.get("maximum") == 1:
        return {"enum": [tenths / 10 for tenths in range(11)]}
    if kind == "number" and "maximum" in inner:
        return {**inner, "type": "integer"}
    return {"maxItems": MOST_ITEMS, **inner} if kind == "array" else inner
