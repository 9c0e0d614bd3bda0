"""`NodeSet`: the nodes a reply lists in the end against those of the graph, as GraphWalks scores."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ringtrue.evaluators.check import Check
from ringtrue.records import Score, Trial

_LISTED = re.compile(r"Final Answer:\s*\[(.*)\]")


@dataclass(frozen=True)
class NodeSet(Check):
    """F1 of the nodes in the last line's "Final Answer: [...]"; `lenient_node_f1` takes the last such line there is."""

    default_name = "node_set"
    parts = ("node_f1", "lenient_node_f1")
    needs = "`answer_nodes`, the nodes that are right"
    formula = "F1 of two sets; two empty sets are 1"
    matches = "openai/graphwalks as lm-evaluation-harness mends its code; there two empty sets are 0"

    threshold: float = 1.0

    def grade(self, trial: Trial) -> Score:
        """F1 of the nodes listed in the last line, and in the last line that lists any."""
        given = trial.case.fields.get("answer_nodes")
        if not isinstance(given, (list, tuple)):
            return Score.skipped("there are no answer nodes to compare with")
        right = {str(node) for node in given}
        lines = trial.output.text.rstrip("\n").split("\n")
        listed = [nodes for line in lines if (nodes := _nodes(line)) is not None]
        parts = {
            "node_f1": _f1(_nodes(lines[-1]), right),
            "lenient_node_f1": _f1(listed[-1] if listed else None, right),
        }
        reason = "" if listed else 'no line holds "Final Answer: [...]"'
        return self.verdict(parts["node_f1"], reason or f"F1 is {parts['node_f1']:.3f}", parts)


def _nodes(line: str) -> set[str] | None:
    found = _LISTED.search(line)
    return {node.strip().strip("'\"") for node in found[1].split(",") if node.strip()} if found else None


def _f1(said: set[str] | None, right: set[str]) -> float:
    if said is None:
        return 0.0
    if not said and not right:
        return 1.0
    return 2 * len(said & right) / (len(said) + len(right))
