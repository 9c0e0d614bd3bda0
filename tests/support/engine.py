"""A stand-in for a container engine: it takes the same arguments and runs the command right here, without a container.

It shows that arguments, streams and verdicts are wired as a real engine needs them; it isolates nothing.
"""

from __future__ import annotations

import os
import signal
import sys
import tempfile


def main(arguments: list[str]) -> int:
    action, *rest = arguments
    names = os.environ["ENGINE_NAMES"]
    if action == "version":
        return 0
    if action == "kill":
        with open(os.path.join(names, rest[0])) as file:
            os.kill(int(file.read()), signal.SIGKILL)
        return 0
    assert action == "run", arguments
    options = [item for item in rest if item.startswith("--")]
    image, *command = rest[len(options) :]
    given = dict(item[2:].partition("=")[::2] for item in options)
    for needed in ("rm", "interactive", "read-only", "network", "cap-drop", "user", "memory", "pids-limit", "tmpfs"):
        assert needed in given, f"the sandbox forgot --{needed}"
    assert given["network"] == "none"
    assert image.endswith("-slim")
    with open(os.path.join(names, given["name"]), "w") as file:
        file.write(str(os.getpid()))
    harness = next(item for item in options if "target=/harness" in item).partition("source=")[2].partition(",")[0]
    package = os.path.dirname(os.path.dirname(harness))
    os.chdir(tempfile.mkdtemp(dir=names))
    return os.execv(sys.executable, [sys.executable, *(item.replace("/harness", package) for item in command[1:])])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
