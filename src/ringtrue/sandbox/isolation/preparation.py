"""The steps that a worker takes once, with all the rights it has, before it gives them up."""

from __future__ import annotations

import os
import sys
from typing import Any

from ringtrue.sandbox.isolation import kernel, landlock, private_root, seccomp
from ringtrue.sandbox.isolation.directories import empty
from ringtrue.sandbox.isolation.walls import Walls, spare_user

_SWEEP_SECONDS = 60.0


class Refused(Exception):
    """This machine lacks a part the profile is made of; the message says what, and what to do."""

    def __init__(self, needs: str, advice: str = "use a Linux kernel that has it") -> None:
        super().__init__(f"{needs}; {advice}")


class NoNamespaces(Refused):
    """The private root cannot be had; a profile may do without."""


def prepare(config: dict[str, Any]) -> Walls:
    """The walls this machine allows for a profile, everything that needs privileges already done."""
    profile, view = config["profile"], config["view"]
    if config["home"]:
        _leave_a_cleaner(config["home"])
    if profile == "unsafe":
        return Walls("unsafe")
    if not seccomp.available():
        raise Refused("seccomp filters, which this kernel or processor does not offer")
    version = landlock.abi()
    if profile == "program" and not version:
        raise Refused("Landlock, which this kernel does not offer (Linux 5.13 and later, 'landlock' in its lsm= list)")
    walls = Walls(profile, spare_user(), private_root=config["namespaces"], without=config["without"])
    if walls.private_root:
        _isolate(walls, view, int(config["limits"]["disk_bytes"]))
        return walls if profile == "shell" else _with_rules(_with_sight(walls, view), view, private_root.HOME)
    if version < landlock.GUARDS_TRUNCATION:
        raise Refused("namespaces, or Landlock 3 (Linux 6.2): without either, a file it may read could be emptied")
    if walls.user is not None:
        os.chown(config["home"], walls.user, walls.user)
    return _with_rules(_with_sight(walls, view), view, config["home"])


def _leave_a_cleaner(home: str) -> None:
    """Go on in a forked process; this one stays as it is, to remove the directory whatever becomes of the other."""
    inner = os.fork()
    if inner:
        os.waitpid(inner, 0)
        if empty(home, _SWEEP_SECONDS):
            os.rmdir(home)
        os._exit(0)


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
        raise NoNamespaces(
            f"namespaces, which this machine does not let this user have ({error})",
            "allow them to this user (docs/background/sandbox.md says how)",
        ) from error


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


def _with_sight(walls: Walls, view: dict[str, Any]) -> Walls:
    """With the capability to read the interpreter and packages that file modes keep from the user of programs."""
    if _can_read(walls, view):
        return walls
    able = walls._replace(reads=kernel.reading_capability())
    if walls.user is None or not _can_read(able, view):
        raise Refused(
            f"an interpreter and packages every user may read: {sys.base_prefix} or a package is closed to others",
            "use another interpreter, or open its folders for reading (chmod o+rX)",
        )
    return able


def _can_read(walls: Walls, view: dict[str, Any]) -> bool:
    child = os.fork()
    if child:
        return os.waitpid(child, 0)[1] == 0
    try:
        walls.drop_user()
        packages = [path for path, _ in view["readable"] if os.path.dirname(path) in view["import_paths"]]
        for path in (os.__file__, *packages):
            module = os.path.join(path, "__init__.py")
            os.close(os.open(module if os.path.exists(module) else path, os.O_RDONLY))
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
    if walls.reads:
        found.append("one capability, to read the interpreter or packages that only root may read")
    if walls.without:
        found.append(f"no namespaces: {walls.without}")
    return found
