"""Mathematical answers: found in a response, read, and compared exactly if that is possible.

equivalence     `compare`: both texts through the stages below, to a verdict
extract         where a response commits to its answer (prose: sentences, spans, numbers of running text)
latex           text and LaTeX -> tokens (vocabulary: the tables of notation; cursor: a place among tokens)
parse           tokens -> answer: operands (literals, numerals) < expression < lists, sets, intervals, relations
tree            what an answer is once it is read
settle          an answer in its plainest form, plus-minus written out
same            whether two answers are the same: quantities (units), relations, regions (sets of reals)
evaluate        whether two expressions are the same number or function, by arithmetic/: exact, modular, decimals
limits          how much work a comparison may cost
"""

from ringtrue.scoring.maths.equivalence import Verdict, compare, equivalent
from ringtrue.scoring.maths.limits import MAX_TEXT

__all__ = ["MAX_TEXT", "Verdict", "compare", "equivalent"]
