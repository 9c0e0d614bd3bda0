"""IFEval: whether a response follows instructions that can be checked by a program.

arguments       an instruction's entry in `kwargs`, read without trust
instructions    the 25 official types -> rule; checked by length, keywords (expression), format, content, characters
verdicts        every instruction of a prompt, strictly and loosely (loose: eight variants of the response)
checker_rules   the 19 checks of `IFEvalChecker`
"""

from ringtrue.scoring.ifeval.arguments import Arguments, InstructionError, argument_list, instruction_ids
from ringtrue.scoring.ifeval.checker_rules import CHECKER_RULES
from ringtrue.scoring.ifeval.instructions import INSTRUCTIONS
from ringtrue.scoring.ifeval.verdicts import Verdicts, check_response

__all__ = [
    "CHECKER_RULES",
    "INSTRUCTIONS",
    "Arguments",
    "InstructionError",
    "Verdicts",
    "argument_list",
    "check_response",
    "instruction_ids",
]
