"""A stand-in for a judge of tools: `weather` is needed where the user asks about weather. A real one is a model."""

import re


def reply(asked):
    """How probably each of the two tools is needed; the conversation is in the last message."""
    conversation = re.split(r"\[\[\[conversation", asked["messages"][-1]["content"])[-1]
    needed = {"weather": 95 if "weather in" in conversation else 2, "search": 3}
    entries = [{"tool": at, "reasoning": name, "probability": needed[name]} for at, name in enumerate(needed, 1)]
    return {"tool_evaluations": entries}
