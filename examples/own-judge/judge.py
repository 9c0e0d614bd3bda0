"""A judge of one's own: any function of the prompt that returns text. This one knows one sign of politeness."""

import json
import re

from ringtrue import calibrate
from ringtrue.evaluators import QuestionJudge


def judge(prompt):
    """The verdict as JSON, as the prompt asks for it; a call to your own model goes here."""
    response = re.search(r"\[\[\[response \w+\]\]\](.*?)\[\[\[end of", str(prompt), re.S)
    token = re.search(r'Put "([0-9a-f]+)" into the field nonce', str(prompt))
    polite = response is not None and re.search("please|thank", response[1], re.I)
    return json.dumps({"answer": "yes" if polite else "no", "nonce": token[1] if token else ""})


if __name__ == "__main__":
    polite = QuestionJudge(questions=["Is the response polite?"], model=judge)
    found = calibrate("labelled.csv", [polite], label="human_label").evaluators["question_judge"]
    agreement = found.metrics["agreement"]
    low, high = agreement.interval
    print(f"agreement with people: {agreement.value:.0%} of {agreement.n} rows, 95 % interval {low:.0%} to {high:.0%}")
    print(*found.doubts, sep="\n")
