"""`ringtrue simulate`: simulated users talk to a system; their conversations go to a file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click

from ringtrue.authoring.author import Author, CostEstimate, keeping
from ringtrue.authoring.make_cases import ask_author
from ringtrue.authoring.personas import Persona, people, persona_of, read_people
from ringtrue.authoring.simulation import MAX_TURNS, UNFINISHED, Scene, require_people
from ringtrue.authoring.talk_file import TalkFile
from ringtrue.cli import INTERRUPTED, NOTHING_MEASURED, OK
from ringtrue.cli.shared.author_options import (
    announce_cost,
    author_options,
    named_author,
    say_cost,
    spent,
    text_of,
)
from ringtrue.cli.shared.command import OnceCommand, say
from ringtrue.errors import ConfigurationError
from ringtrue.jsontext import json_text
from ringtrue.records import Json
from ringtrue.reports.number import count as counted
from ringtrue.sync import run_sync
from ringtrue.systems.spec import KINDS, described_system, system_table

Announce = Callable[[CostEstimate], bool]
"""Says what is about to be asked; whether to ask it."""
WARNING = "these users are simulated: their results say little about real users"


@click.command("simulate", cls=OnceCommand)
@click.option("--system", "-s", required=True, metavar="SPEC", help=f"System to talk to: {KINDS}.")
@click.option(
    "--model",
    "-m",
    default="gpt-4",
    show_default=True,
    metavar="NAME",
    help="Model to request, if the system is an endpoint.",
)
@click.option("--personas", metavar="FILE", help="JSONL file of users: name, profile, goal, success_criteria, traits.")
@click.option("--product", metavar="FILE", help="Text that describes a product; users are generated for it.")
@click.option("-n", "--people", "count", type=click.IntRange(1, 1_000), default=5, show_default=True, metavar="N",
              help="Number of users to generate.")  # fmt: skip
@click.option(
    "--max-turns",
    type=click.IntRange(1, 1_000),
    metavar="N",
    default=MAX_TURNS,
    show_default=True,
    help="Turns after which a user gives up.",
)
@click.option("-o", "--output", required=True, metavar="FILE", help="JSONL file for the conversations.")
@click.option("--fresh", is_flag=True, help="Overwrite the file instead of continuing it.")
@author_options
def command(
    system: str,
    model: str,
    personas: str | None,
    product: str | None,
    count: int,
    max_turns: int,
    output: str,
    fresh: bool,
    dry_run: bool,
    as_json: bool,
    store: str,
    **given: Any,
) -> int:
    """Simulate users who talk to a system until they reach their goal or give up; a model plays and judges them.

    Each conversation is written when it ends; run the same command again to resume. `ringtrue score FILE -e llm_judge
    --judge-url URL` judges the conversations.

    \b
    ringtrue simulate -s mymodule:answer --personas people.jsonl -o talks.jsonl
    ringtrue simulate -s http://localhost:8000 --product product.md -n 8 --max-cost 2 -o talks.jsonl
    """
    if bool(personas) == bool(product):
        raise ConfigurationError(
            "name the users: --personas FILE, or --product FILE to generate them from a text", parameter="personas"
        )
    asked = described_system({**system_table(system), "model": model}, Path(), _no_rows)
    author = named_author(**given)
    scene = Scene(asked, author, max_turns, given["seed"])
    announce = partial(announce_cost, author, dry=dry_run, as_json=as_json)
    try:
        known = read_people(personas) if personas else _made_up(str(product), count, scene, store, announce)
        if known is None:
            return OK
        require_people(known)
        file = TalkFile(output, scene, known, fresh=fresh)
        if file.kept:
            say(f"{counted(len(file.kept), 'conversation')} of {output} kept")
        if not announce(scene.estimate(file.personas)):
            return OK
        file.begin()
        rows = [*file.kept.values(), *run_sync(_conversation_rows(scene, file, store))]
    except KeyboardInterrupt:
        say(f"interrupted; what has ended is in {output}, and the same command continues")
        return INTERRUPTED
    return _summed_up(rows, author, output, as_json)


def _made_up(product: str, count: int, scene: Scene, store: str, announce: Announce) -> list[Persona] | None:
    """The people that the author makes up for a product; None if no author is asked."""
    text = text_of(Path(product))
    if not text.strip():
        raise ConfigurationError(f"{product!r} says nothing about the product: it is empty", parameter="product")
    author, some = scene.author, [people(text, count, scene.seed)]
    if not announce(author.estimate(some)):
        return None
    (items,) = ask_author(some, author, store)
    return [persona for persona in map(persona_of, items) if persona is not None]


async def _conversation_rows(scene: Scene, file: TalkFile, store: str) -> list[dict[str, Json]]:
    rows = []
    async with keeping(scene.author, store):
        async for place, one in scene.conversations(file.personas):
            rows.append(file.add(place, one))
            why = f" ({one.problem})" if one.problem else ""
            achieved = {True: "yes", False: "no", None: "not known"}[one.achieved]
            say(f"{file.names[place]}: {counted(one.turns, 'turn')}, {one.ending}{why}, goal achieved: {achieved}")
    return rows


def _summed_up(rows: Sequence[dict[str, Json]], author: Author, output: str, as_json: bool) -> int:
    judged = [row["goal_achieved"] for row in rows if row["goal_achieved"] is not None]
    broken = sum(row["ending"] in UNFINISHED for row in rows)
    say_cost(author)
    if as_json:
        goals = {"achieved": sum(judged), "judged": len(judged)}
        counts = {"conversations": len(rows), "broken": broken, "goals": goals}
        click.echo(json_text({**counts, **spent(author), "output": output}, indent=True))
    say(f"goals: {sum(judged)} of {len(judged)} achieved, {len(rows) - len(judged)} not judged; {WARNING}")
    say(f"{counted(len(rows), 'conversation')} in {output}; to judge: ringtrue score {output} -e llm_judge")
    if broken:
        say(f"{broken:,} of them broke off; run the same command to repeat those")
    return NOTHING_MEASURED if broken == len(rows) else OK


def _no_rows(path: Path) -> list[Any]:
    raise ConfigurationError(
        f"stored answers ({path}) cannot hold a conversation; name another system", parameter="system"
    )
