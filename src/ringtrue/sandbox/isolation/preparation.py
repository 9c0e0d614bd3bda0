"""What a worker does once, with all the rights it has, before it gives them up."""

from __future__ import annotations

import os
import sys
from typing import Any

from ringtrue.sandbox.isolation import kernel, landlock, private_root, seccomp
from ringtrue.sandbox.isolation.walls import Walls, spare_user


class Refused(Exception):
    """This machine lacks a part the profile is made of."""


class NoNamespaces(Refused):
    """The private root cannot be had; a profile may do without."""


def prepared(config: dict[str, Any]) -> Walls:
    """The walls this machine allows for a profile, everything that needs privileges already done."""
    profile, view = config["profile"], config["view"]
    if profile == "unsafe":
        return Walls("unsafe")
    if not seccomp.available():
        raise Refused("seccomp filters, which this kernel or processor does not offer")
    version = landlock.abi()
    if profile == "program" and not version:
        raise Refused("Landlock, which this kernel does not offer (Linux 5.13 and later, 'landlock' in its lsm= list)")
    walls = Walls(profile, spare_user(), private_root=config["namespaces"])
    if walls.private_root:
        _isolate(walls, view, int(config["limits"]["disk_bytes"]))
        return walls if profile == "shell" else _with_rules(walls, view, private_root.HOME)
    if version < landlock.GUARDS_TRUNCATION:
        raise Refused("namespaces, or Landlock 3 (Linux 6.2): without either, a file it may read could be emptied")
    if walls.user is not None:
        os.chown(config["home"], walls.user, walls.user)
    walls = _with_rules(walls, view, config["home"])
    if not _can_start(walls):
        raise Refused(f"an interpreter every user may read: {sys.base_prefix} is closed to all but its owner")
    return walls


def _isolate(walls: Walls, view: dict[str, Any], disk_bytes: int) -> None:
    try:
        private_root.enter_namespaces()
        inner = os.fork()  # the first process of a new process namespace: when it ends, everything inside ends
        if inner:
            os.waitpid(inner, 0)
            os._exit(0)
        kernel.die_with_parent(kernel.SIGKILL)
        if walls.profile == "program":
            private_root.build(view)
            private_root.close(disk_bytes, walls.user)
    except OSError as error:
        raise NoNamespaces(f"namespaces, which this machine does not let this user have ({error})") from error


def _with_rules(walls: Walls, view: dict[str, Any], home: str) -> Walls:
    shown = [path for path, _ in view["readable"]]
    readable = [part for path in shown for part in _beside(path, view["hidden"])]
    # Importing looks through the names in a directory before it reads a file there.
    listed = [*shown, *view["import_paths"]]
    return walls._replace(
        rules=landlock.ruleset(readable, [home], private_root.DEVICES, listed), landlock=landlock.abi()
    )


def _beside(path: str, hidden: list[str]) -> list[str]:
    """A path, or what lies directly below it without the hidden part."""
    if not any(os.path.dirname(item) == path for item in hidden):
        return [path]
    return [full for name in os.listdir(path) if (full := os.path.join(path, name)) not in hidden]


def _can_start(walls: Walls) -> bool:
    child = os.fork()
    if child:
        return os.waitpid(child, 0)[1] == 0
    try:
        walls.drop_user()
        os.close(os.open(os.__file__, os.O_RDONLY))
    except OSError:
        os._exit(1)
    os._exit(0)


def layers(walls: Walls) -> list[str]:
    """The layers in words."""
    if walls.profile == "unsafe":
        return []
    found = ["seccomp", "rlimits"]
    if walls.profile == "program":
        found.insert(0, f"landlock {walls.landlock}")
    if walls.private_root:
        found.append("private root, no network, own processes (namespaces)")
    found.append("user of its own" if walls.user is not None else "no capabilities")
    return found
