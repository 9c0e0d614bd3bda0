"""`ringtrue doctor`: which isolation untrusted code gets on this machine, proven by trying to escape from it."""

from __future__ import annotations

from dataclasses import asdict

import click

from ringtrue.cli import GATE_FAILED, OK
from ringtrue.cli.shared.command import OnceCommand
from ringtrue.cli.shared.options import json_option
from ringtrue.jsontext import json_text
from ringtrue.safetext import printable
from ringtrue.sandbox.pool.handle import Unavailable
from ringtrue.sandbox.pool.sandbox import Profile, Sandbox
from ringtrue.sandbox.proof import Attempt, prove

_PROFILES: tuple[Profile, ...] = ("program", "shell")


@click.command("doctor", cls=OnceCommand, short_help="Say which isolation untrusted code gets here, and prove it.")
@json_option
def command(as_json: bool) -> int:
    """Say which isolation untrusted code gets on this machine, and prove it by trying to escape.

    Exits with 1 if something escaped or a profile is missing.
    """
    with Sandbox(workers=1) as sandbox:
        isolation = {profile: _isolation(sandbox, profile) for profile in _PROFILES}
        attempts = prove(sandbox)
    if as_json:
        click.echo(
            json_text({"isolation": isolation, "attempts": [asdict(attempt) for attempt in attempts]}, indent=True)
        )
    else:
        click.echo("sandbox")
        for profile, words in isolation.items():
            click.echo(f"  {profile:<9}{words}")
        for attempt in attempts:
            click.echo(printable(f"  {attempt.outcome:<8} {attempt.profile:<8} {attempt.name}: {attempt.detail}"))
        click.echo(f"  {_summary(attempts)}")
    return OK if all(attempt.outcome == "held" for attempt in attempts) else GATE_FAILED


def _isolation(sandbox: Sandbox, profile: Profile) -> str:
    try:
        return sandbox.isolation(profile).partition(": ")[2]
    except Unavailable as error:
        return printable(f"missing: {error}")


def _summary(attempts: list[Attempt]) -> str:
    held = sum(attempt.outcome == "held" for attempt in attempts)
    return f"{held} of {len(attempts)} attempts to escape were held"
