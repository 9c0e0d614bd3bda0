"""IFEval: whether a response follows instructions that can be checked by a program."""

from ringtrue.scoring.ifeval.arguments import Arguments as Arguments
from ringtrue.scoring.ifeval.arguments import InstructionError as InstructionError
from ringtrue.scoring.ifeval.arguments import argument_list as argument_list
from ringtrue.scoring.ifeval.arguments import instruction_ids as instruction_ids
from ringtrue.scoring.ifeval.documented import DOCUMENTED as DOCUMENTED
from ringtrue.scoring.ifeval.table import INSTRUCTIONS as INSTRUCTIONS
from ringtrue.scoring.ifeval.verdicts import Verdicts as Verdicts
from ringtrue.scoring.ifeval.verdicts import check_response as check_response
