"""How a container is started: the keywords of Docker's SDK as options of an engine's command line."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from ringtrue.errors import ConfigurationError

_PLAIN = {
    "cpu_shares": "cpu-shares",
    "cpuset_cpus": "cpuset-cpus",
    "entrypoint": "entrypoint",
    "hostname": "hostname",
    "mem_limit": "memory",
    "memswap_limit": "memory-swap",
    "name": "name",
    "network": "network",
    "network_mode": "network",
    "pids_limit": "pids-limit",
    "platform": "platform",
    "shm_size": "shm-size",
    "user": "user",
    "working_dir": "workdir",
}
_LISTS = {"cap_drop": "cap-drop", "dns": "dns", "labels": "label", "tmpfs": "tmpfs", "extra_hosts": "add-host"}
_SIGNS = {"extra_hosts": ":", "tmpfs": ":"}
_ALWAYS = ("detach", "init", "stdin_open", "tty")
_APART = ("command", "environment")
KEYWORDS = sorted([*_PLAIN, *_LISTS, *_ALWAYS, *_APART, "nano_cpus", "read_only", "volumes"])


def options(keywords: Mapping[str, Any]) -> list[str]:
    """The options these keywords stand for; ConfigurationError for one that is not known or gives rights."""
    told: list[str] = []
    for name, value in keywords.items():
        if name in _PLAIN:
            told.append(f"--{_PLAIN[name]}={shlex.join(value) if isinstance(value, list) else value}")
        elif name in _LISTS:
            told += [f"--{_LISTS[name]}={one}" for one in _items(value, _SIGNS.get(name, "="))]
        elif name == "nano_cpus":
            told.append(f"--cpus={value / 1e9:g}")
        elif name == "read_only":
            told += ["--read-only"] if value else []
        elif name == "volumes":
            told += [f"--volume={one}" for one in _volumes(value)]
        elif name not in _APART and not (name in _ALWAYS and value):
            raise ConfigurationError(
                f"a container cannot be started with {name}={value!r}; there are {', '.join(KEYWORDS)}",
                parameter=name,
                value=value,
            )
    return told


def words(command: str | Sequence[str]) -> list[str]:
    """A command as a list; a text is split as a shell would."""
    return shlex.split(command) if isinstance(command, str) else list(command)


def variables(environment: Mapping[str, str] | Sequence[str] | None) -> dict[str, str]:
    """An environment given as a mapping or as `NAME=value` texts."""
    if environment is None or isinstance(environment, Mapping):
        return dict(environment or {})
    return dict(one.partition("=")[::2] for one in environment)


def _items(value: Any, sign: str) -> list[str]:
    if isinstance(value, Mapping):
        return [f"{name}{sign}{one}" if one else str(name) for name, one in value.items()]
    return list(value)


def _volumes(value: Any) -> list[str]:
    if isinstance(value, Mapping):
        return [f"{host}:{mount['bind']}:{mount.get('mode', 'rw')}" for host, mount in value.items()]
    return list(value)
