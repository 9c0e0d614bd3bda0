"""Mathematical answers: found in a response, read, and compared exactly where that is possible."""

from ringtrue.scoring.maths.compare import Verdict, compare, equivalent
from ringtrue.scoring.maths.limits import MAX_TEXT

__all__ = ["MAX_TEXT", "Verdict", "compare", "equivalent"]
