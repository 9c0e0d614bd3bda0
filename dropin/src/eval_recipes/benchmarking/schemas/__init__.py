"""What a benchmark is defined by, what its jobs take and give, and what its results say.

Names and keys are eval-recipes'. Where nothing was measured a number is None, never 0: a trial whose job failed has no
score, and a task without a valid trial has no mean.
"""

from eval_recipes.benchmarking.schemas.definitions import *  # noqa: F403
from eval_recipes.benchmarking.schemas.jobs import *  # noqa: F403
from eval_recipes.benchmarking.schemas.results import *  # noqa: F403
