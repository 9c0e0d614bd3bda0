"""Run the hostile programs in a process of its own, perhaps as another user: one JSON line for each.

python run_hostile.py SECRET_FILE PORT [long]
"""

from __future__ import annotations

import json
import os
import sys

from hostile_programs import PROGRAMS

from ringtrue.sandbox import Limits, Sandbox


def main(secret: str, port: str, long: bool) -> None:
    with Sandbox(workers=1) as box:
        print(json.dumps({"isolation": box.isolation()}), flush=True)
        for name, hostile in PROGRAMS.items():
            if hostile.long and not long:
                continue
            source = hostile.source
            for token, value in {"{SECRET}": secret, "{PORT}": port, "{HOSTNAME}": os.uname().nodename}.items():
                source = source.replace(token, value)
            execution = box.run(source, limits=Limits(seconds=3.0, memory_bytes=256 * 2**20))
            clean = box.run("import os; print(os.listdir('.'))").stdout == "[]\n"
            said = {"name": name, "status": execution.status, "escaped": "ESCAPED" in execution.stdout, "clean": clean}
            print(json.dumps({**said, "said": (execution.stdout + execution.stderr)[-500:]}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], "long" in sys.argv)
