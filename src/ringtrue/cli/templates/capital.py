"""The system of capital.suite.toml: a function of the question."""

from __future__ import annotations

CAPITALS = {"France": "Paris", "Japan": "Tokyo"}


def answer(question: str) -> str:
    """The capital of the country a question names, or the admission that it is not known."""
    for country, capital in CAPITALS.items():
        if country in question:
            return f"The capital of {country} is {capital}."
    return "I do not know that country."
