"""`ringtrue doctor`: which isolation untrusted code gets on this machine, proven by trying to escape from it."""

from __future__ import annotations

import click

from ringtrue.cli import GATE_FAILED, OK
from ringtrue.reports.table import printable
from ringtrue.sandbox.handle import Unavailable
from ringtrue.sandbox.pool import Profile, Sandbox
from ringtrue.sandbox.proof import Attempt, prove

_PROFILES: tuple[Profile, ...] = ("program", "shell")


@click.command("doctor", short_help="Say which isolation untrusted code gets here, and prove it.")
def command() -> int:
    """Say which isolation untrusted code gets on this machine, and prove it by trying to escape.

    Exits with 1 if something escaped or a profile is missing.
    """
    with Sandbox(workers=1) as sandbox:
        click.echo("sandbox")
        for profile in _PROFILES:
            click.echo(f"  {profile:<9}{_isolation(sandbox, profile)}")
        attempts = prove(sandbox)
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
