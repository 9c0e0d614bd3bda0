"""The checks of `ringtrue doctor` except the sandbox: versions, keys, endpoint, extras, store, hub, local model."""

from __future__ import annotations

import os
import platform
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import requires
from typing import Literal

from ringtrue.cli.shared.environment import KEYS
from ringtrue.errors import RingtrueError
from ringtrue.models.local.weights import installed_version
from ringtrue.reports.number import count as counted

_REQUIREMENT = re.compile(r"(?P<name>[\w.-]+).*\bextra\s*==\s*['\"](?P<extra>[\w-]+)['\"]")
HUB_SECONDS = 5.0
ENDPOINT_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class PartHealth:
    """One part of the installation: it works, it is not there (which may be fine), or it is broken."""

    part: str
    status: Literal["ok", "missing", "failed"]
    detail: str


def check_versions() -> PartHealth:
    """Python, ringtrue and the system."""
    from ringtrue._version import __version__

    words = f"ringtrue {__version__}, Python {platform.python_version()}, {platform.system()} {platform.machine()}"
    return PartHealth("version", "ok", words)


def check_keys() -> Iterator[PartHealth]:
    """Say which keys are set, without showing them, and check the table of prices."""
    from ringtrue.models.client.prices import VARIABLE, Prices

    for name in KEYS:
        is_set = bool(os.environ.get(name))
        yield PartHealth("key", "ok" if is_set else "missing", f"{name} is {'set' if is_set else 'not set'}")
    if path := os.environ.get(VARIABLE):
        try:
            Prices.load(path)
        except RingtrueError as error:
            yield PartHealth("prices", "failed", f"{VARIABLE}: {error}")
        else:
            yield PartHealth("prices", "ok", f"{VARIABLE} is {path}")


async def check_endpoint(url: str | None, model: str | None) -> PartHealth:
    """Ask an endpoint one question, if there is one to ask."""
    from ringtrue.models.client.endpoint import Endpoint

    if url is None:
        return PartHealth("endpoint", "missing", "not tried: ringtrue doctor --proxy URL -m MODEL asks it one question")
    started = time.monotonic()
    try:
        endpoint = Endpoint.from_env(url, max_retries=0, timeout_seconds=ENDPOINT_SECONDS)
        try:
            reply = await endpoint.ask(
                endpoint.request(model or "default", [{"role": "user", "content": "Answer with the word ready."}])
            )
        finally:
            await endpoint.close()
    except RingtrueError as error:
        return PartHealth("endpoint", "failed", str(error))
    usage = "reports tokens" if reply.input_tokens is not None else "reports no token counts: costs stay unknown"
    words = f"{url} answered in {time.monotonic() - started:.2f} s as {reply.model or model or 'an unnamed model'}"
    return PartHealth("endpoint", "ok", f"{words}; {usage}")


def check_extras() -> Iterator[PartHealth]:
    """Say which extras are installed."""
    extras: dict[str, list[str]] = {}
    for line in requires("ringtrue") or []:
        if match := _REQUIREMENT.match(line):
            extras.setdefault(match["extra"], []).append(match["name"])
    for extra, names in sorted(extras.items()):
        versions = {name: installed_version(name) for name in names}
        absent = [name for name, found in versions.items() if found is None]
        if absent:
            detail = f"{extra}: pip install 'ringtrue[{extra}]' adds {', '.join(absent)}"
            yield PartHealth("extra", "missing", detail)
        else:
            yield PartHealth(
                "extra", "ok", f"{extra}: {', '.join(f'{name} {found}' for name, found in versions.items())}"
            )


def check_store(url: str) -> PartHealth:
    """Open the store if it exists; a missing one is not created."""
    from ringtrue.store.address import kept_at, without_password
    from ringtrue.store.database import existing

    shown = without_password(url)
    if not kept_at(url):
        return PartHealth("store", "missing", f"{shown}: not there yet; the first 'ringtrue run' creates it")
    try:
        with existing(url) as database:
            count = len(database.runs())
    except RingtrueError as error:
        return PartHealth("store", "failed", str(error))
    return PartHealth("store", "ok", f"{shown}: {counted(count, 'run')}")


def check_hub() -> PartHealth:
    """Check where benchmarks are read: from a folder, from the hub's cache, or from the hub itself."""
    from ringtrue.datasets.hub.origin import Origin

    origin = Origin.from_env()
    if origin.data_dir is not None:
        there = os.path.isdir(os.path.expanduser(origin.data_dir))
        words = f"datasets are read from {str(origin.data_dir)!r}" + ("" if there else ", which is not there")
        return PartHealth("hub", "ok" if there else "failed", words)
    if installed_version("huggingface-hub") is None:
        return PartHealth("hub", "missing", "pip install 'ringtrue[hub]' reads benchmarks; samples work without it")
    if origin.offline:
        return PartHealth("hub", "ok", f"offline: datasets are read from the cache {str(origin.cache)!r}")
    return _reach_hub()


def _reach_hub() -> PartHealth:
    from urllib.error import HTTPError
    from urllib.request import Request, urlopen

    from huggingface_hub.constants import ENDPOINT

    try:
        urlopen(Request(ENDPOINT, method="HEAD"), timeout=HUB_SECONDS).close()
    except HTTPError:
        pass  # it answers, if only to refuse this request
    except (OSError, ValueError) as error:
        words = f"{ENDPOINT} cannot be reached: {getattr(error, 'reason', error)}; samples work offline: gsm8k@sample"
        return PartHealth("hub", "missing", words)
    return PartHealth("hub", "ok", f"{ENDPOINT} answers")


def check_local_model() -> PartHealth:
    """Check that the embedded model is installed and complete."""
    from ringtrue.models.local import weights

    try:
        weights.verify()
    except RingtrueError as error:
        absent = weights.embedded_path() is None
        return PartHealth("local", "missing" if absent else "failed", str(error))
    return PartHealth("local", "ok", f"{weights.NAME} is ready")
