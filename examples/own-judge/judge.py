"""A judge of one's own: any function of the prompt that returns text. This one knows one sign of politeness."""

import json
import re

from ringtrue import calibrate
from ringtrue.evaluators import CheckCriteriaEvaluator


def judge(prompt):
    """The verdict as JSON, as the prompt asks for it; a call to your own model goes here."""
    answer = re.search(r"\[\[\[answer \w+\]\]\](.*?)\[\[\[end of", str(prompt), re.S)
    token = re.search(r'Put "([0-9a-f]+)" into the field nonce', str(prompt))
    polite = answer is not None and re.search("please|thank", answer[1], re.I) is not None
    verdict = {"reasoning": "", "met": "yes" if polite else "no", "probability": float(polite)}
    return json.dumps({**verdict, "nonce": token[1] if token else ""})


if __name__ == "__main__":
    polite = CheckCriteriaEvaluator(criteria=["The answer is polite"], model=judge)
    found = calibrate("labelled.csv", [polite], label="human_label").evaluators["check_criteria"]
    agreement = found.metrics["agreement"]
    low, high = agreement.interval
    print(f"agreement with people: {agreement.value:.0%} of {agreement.n} rows, 95 % interval {low:.0%} to {high:.0%}")
    print(*found.doubts, sep="\n")
