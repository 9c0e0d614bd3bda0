"""Where the catalogue's facts are stated."""

CARDS = "github.com/huggingface/datasets@040102f100964a33fd334e2695f1c493fa6b92db/datasets"
"""The dataset cards and schemas of the hub, as its own repository kept them."""

INSPECT = "inspect-evals 0.26.0 on PyPI, inspect_evals"
LM_EVAL = "lm-eval 0.4.13 on PyPI, lm_eval/tasks"
EVALSCOPE = "evalscope 1.14.1 on PyPI, evalscope/benchmarks/_meta"
HUB = "huggingface.co/datasets"
