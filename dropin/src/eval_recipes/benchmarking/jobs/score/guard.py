"""Keeps the work under test out of the imports of the script that tests it.

It is copied into the container as `sitecustomize`, which every Python there reads first. Python looks for a script's
imports beside the script, and beside the test lies the agent's work: a `json.py` there could write the score. So the
interpreter of the test starts anew without that folder, and finds it behind everything else, for the files that belong
to the test. Other interpreters, those of the work among them, are left as they are.
"""

import os
import sys

_SCRIPT = "/project/test.py"

if sys.version_info >= (3, 11) and sys.executable and os.path.abspath(sys.argv[0]) == _SCRIPT:
    if not sys.flags.safe_path:
        os.execv(sys.executable, [sys.executable, "-P", *sys.orig_argv[1:]])
    sys.path.append(os.path.dirname(_SCRIPT))
