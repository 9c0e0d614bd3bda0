"""The sources of the catalogue's facts.

A source is a place, a colon and the facts it states: `huggingface.co/datasets/…`, `github.com/owner/name@commit/path`,
`package version on PyPI, path` or `arXiv:number, section`, then any of `FACTS`. A fact that no such place states is
None, or `unknown`; of a licence `none stated` where the place that should name it does not.
"""

FACTS = ("revision", "size", "schema", "licence", "files", "configurations", "rules", "examples")

HUB = "huggingface.co/datasets"
CARDS = "github.com/huggingface/datasets@040102f100964a33fd334e2695f1c493fa6b92db/datasets"
"""The dataset cards of the hub, as its own repository kept them."""

CONTEXT_BENCH = "github.com/npow/context-bench@80bf8802e584fe3b84a58f5b924552d0aaf2ec1e/src/context_bench/datasets"
TFDS = "github.com/tensorflow/datasets@2e496976d7d45550508395fb2f35cf958c8a3414/docs/catalog"
INSPECT = "inspect-evals 0.26.0 on PyPI, inspect_evals"
LM_EVAL = "lm-eval 0.4.13 on PyPI, lm_eval/tasks"
EVALSCOPE = "evalscope 1.14.1 on PyPI, evalscope/benchmarks"
UNITXT = "unitxt 1.26.10 on PyPI, unitxt/catalog/cards"
LIGHTEVAL = "lighteval 0.13.0 on PyPI, lighteval/tasks/tasks"
