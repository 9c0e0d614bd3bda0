"""`ringtrue doctor`: what works on this machine, and what the sandbox holds, proven by trying to escape from it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

import click

from ringtrue.cli import GATE_FAILED, OK
from ringtrue.cli.shared import health
from ringtrue.cli.shared.command import OnceCommand
from ringtrue.cli.shared.options import json_option, store_option
from ringtrue.jsontext import json_text
from ringtrue.safetext import printable
from ringtrue.sandbox.pool.handle import Unavailable
from ringtrue.sandbox.pool.sandbox import Profile, Sandbox
from ringtrue.sandbox.proof import Attempt, prove
from ringtrue.sync import run_sync

_PROFILES: tuple[Profile, ...] = ("program", "shell")


@click.command("doctor", cls=OnceCommand)
@click.option("--proxy", metavar="URL", help="Ask this OpenAI-compatible endpoint one question.")
@click.option("--model", "-m", metavar="NAME", help="The model to ask it for.")
@store_option
@json_option
def command(proxy: str | None, model: str | None, store: str, as_json: bool) -> int:
    """Check keys, endpoint, extras, store, hub and local model, and try to escape from the sandbox.

    Exits with 1 if a part is broken, if a program escaped, or if a profile of the sandbox is missing. A missing part
    is not an error.

    \b
    ringtrue doctor
    ringtrue doctor --proxy http://localhost:8000 -m my-model
    """
    findings = []
    for finding in _findings(proxy, model, store):
        findings.append(finding)
        if not as_json:  # at once: a part that is slow to answer comes after those that are known
            click.echo(printable(f"{finding.status:<8} {finding.part:<9} {finding.detail}"))
    with Sandbox(workers=1) as sandbox:
        isolation = {profile: _isolation(sandbox, profile) for profile in _PROFILES}
        attempts = prove(sandbox)
    if as_json:
        facts = {
            "parts": [asdict(finding) for finding in findings],
            "isolation": isolation,
            "attempts": [asdict(attempt) for attempt in attempts],
        }
        click.echo(json_text(facts, indent=True))
    else:
        _print_sandbox(isolation, attempts)
    broken = any(finding.status == "failed" for finding in findings)
    return OK if not broken and all(attempt.outcome == "held" for attempt in attempts) else GATE_FAILED


def _findings(proxy: str | None, model: str | None, store: str) -> Iterator[health.PartHealth]:
    yield health.check_versions()
    yield from health.check_keys()
    yield run_sync(health.check_endpoint(proxy, model))
    yield from health.check_extras()
    yield health.check_store(store)
    yield health.check_hub()
    yield health.check_local_model()


def _print_sandbox(isolation: dict[Profile, str], attempts: list[Attempt]) -> None:
    held = sum(attempt.outcome == "held" for attempt in attempts)
    status = "ok" if held == len(attempts) else "failed"
    click.echo(f"{status:<8} sandbox   {held} of {len(attempts)} attempts to escape were held")
    for profile, words in isolation.items():
        click.echo(f"  {profile:<9}{words}")
    for attempt in attempts:
        click.echo(printable(f"  {attempt.outcome:<8} {attempt.profile:<8} {attempt.name}: {attempt.detail}"))


def _isolation(sandbox: Sandbox, profile: Profile) -> str:
    try:
        return sandbox.isolation(profile).partition(": ")[2]
    except Unavailable as error:
        return printable(f"missing: {error}")
