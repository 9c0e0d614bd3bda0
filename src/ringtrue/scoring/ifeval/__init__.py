"""IFEval: whether a response follows instructions that can be checked by a program."""

from ringtrue.scoring.ifeval.arguments import Arguments, InstructionError, argument_list, instruction_ids
from ringtrue.scoring.ifeval.documented import DOCUMENTED
from ringtrue.scoring.ifeval.table import INSTRUCTIONS
from ringtrue.scoring.ifeval.verdicts import Verdicts, check_response

__all__ = [
    "DOCUMENTED",
    "INSTRUCTIONS",
    "Arguments",
    "InstructionError",
    "Verdicts",
    "argument_list",
    "check_response",
    "instruction_ids",
]
