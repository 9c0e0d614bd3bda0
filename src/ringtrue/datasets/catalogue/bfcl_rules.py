"""BFCL's categories, and how each is scored."""

from ringtrue.datasets.catalogue.benchmark import ScoringRule

TOGETHER = ("simple", "simple_python", "multiple", "parallel", "parallel_multiple", "irrelevance")
LIVE = ("live_simple", "live_multiple", "live_parallel", "live_parallel_multiple", "live_irrelevance", "live_relevance")
FOREIGN = ("simple_java", "simple_javascript")
CATEGORIES = ("multi_turn_base", "multi_turn_miss_func", "multi_turn_miss_param", "multi_turn_long_context")
PROMPTED = "_prompt"
"""After a category's name: the functions are described in the prompt, and calls are read from the reply."""
CONVERSATIONS = (*CATEGORIES, *(f"{name}{PROMPTED}" for name in CATEGORIES))
CONFIGS = ("all", *TOGETHER, *LIVE, *FOREIGN, *CONVERSATIONS)

MATCHED = ("answer_quality", "tool_call_match")
LOOSE = (
    "A tuple is taken for a list, which the authors' checker refuses; of calls that fit several expected ones it takes "
    "the first, where we find the partners that fit all."
)
POOLED = f"Every request counts alike, where the authors average over categories. {LOOSE}"
SPOKEN = f"Calls are asked for and read in Python's syntax; the authors ask for Java's or JavaScript's. {LOOSE}"
RULES = {
    "all": ScoringRule(MATCHED, "tool_call_match", POOLED),
    "live_relevance": ScoringRule(("answer_quality", "tool_call_made"), "tool_call_made"),
    **dict.fromkeys(FOREIGN, ScoringRule(MATCHED, "tool_call_match", SPOKEN)),
    **dict.fromkeys(CONVERSATIONS, ScoringRule(("answer_quality", "conversation_calls"), "conversation_calls")),
}
"""Category -> how it is scored, for those that the entry does not speak for."""

NOT_HERE = "it needs live services, or 26 forms of prompt; the authors' package bfcl-eval runs it"
ABSENT = dict.fromkeys(("memory", "web_search", "format_sensitivity"), NOT_HERE)
