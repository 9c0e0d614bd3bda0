"""`python docs/generate`: writes the pages that are made from the code into docs/reference."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
from generate.pages import PAGES, REFERENCE

for name, make in PAGES.items():
    (REFERENCE / name).write_text(make(), "utf-8")
