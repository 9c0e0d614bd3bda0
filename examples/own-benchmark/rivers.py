"""A benchmark in one file: its rows, its question, and its own metric."""

from ringtrue.datasets import Benchmark

SEAS = {"Po": "Adriatic Sea", "Rhine": "North Sea", "Danube": "Black Sea", "Nile": "Mediterranean Sea"}


class SameSea:
    """1 if the response names the sea, with or without the word Sea."""

    name = "same_sea"

    def score(self, original, processed):
        return {"same_sea": float(original["answer"].removesuffix(" Sea") in processed["response"])}


def load(source):
    for river, sea in SEAS.items():
        yield {"id": river, "question": f"Into which sea does the {river} flow?", "answer": sea}


RIVERS = Benchmark(
    name="rivers",
    task="geography",
    path="",
    split="test",
    fields={},
    load=load,
    evaluators=(SameSea(),),
    metric="same_sea",
    licence="CC0",
    citation="this file",
    homepage="https://example.org/rivers",
    sources=("this file: rows",),
)
