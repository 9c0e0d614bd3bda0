"""Two stand-ins for models: `careful` multiplies before it adds, `hasty` reads from left to right."""

import re


def reply(asked):
    """What the requested model says to the last message."""
    terms = re.findall(r"\d+|[+*]", asked["messages"][-1]["content"])
    if asked["model"] == "careful":
        return f"The answer is {eval(' '.join(terms))}."  # digits, + and * only
    value = int(terms[0])
    for sign, number in zip(terms[1::2], terms[2::2], strict=True):
        value = value + int(number) if sign == "+" else value * int(number)
    return f"The answer is {value}."
