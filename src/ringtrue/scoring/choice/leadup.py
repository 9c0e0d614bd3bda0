"""The meaning of the words before an option: "the answer is B", "I'd go with B", "rather than B"."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from ringtrue.scoring.choice import words as w
from ringtrue.scoring.choice.mentions import Mention
from ringtrue.scoring.choice.stance import (
    DOUBTED,
    HYPOTHETICAL,
    MEDIUM,
    NAMED,
    NEGATED,
    PUT_ASIDE,
    STRONG,
    UNSURE,
    WEAK,
    Stance,
)
from ringtrue.scoring.choice.surroundings import Surroundings

_ANSWER = Stance(STRONG, "answer")
_ANSWER_IS = Stance(STRONG, "answer is")


class _Step(NamedTuple):
    """The place where the walk back from an option over adverbs and articles stopped, and what it met."""

    at: int
    negated: bool
    doubted: bool
    linking: bool
    corrects: bool
    name: str
    comma: bool


def stance_before(mention: Mention, around: Surroundings) -> Stance:
    """The stance that the clause before an option takes towards it."""
    if not around.before.isascii() and (unspaced := _stance_without_spaces(around.before)):
        return unspaced
    tokens = around.left
    step = _walk_back(tokens)
    if step.negated:
        return NEGATED
    found = _opening(mention, around, step) if step.at < 0 else _stance_of_governing_word(tokens, step, mention, around)
    if found.level > DOUBTED and is_denied(tokens):
        return NEGATED
    if found.level > DOUBTED and step.doubted:
        found = UNSURE
    return found._replace(corrects=step.corrects or found.corrects or any(t in w.CORRECTIVES for t in tokens[:4]))


def _stance_without_spaces(before: str) -> Stance | None:
    """The same for scripts that put no spaces between words."""
    ending = before.rstrip(" :([{\"'-—–=\t")
    for name in w.NAMES_UNSPACED:
        ending = ending.removesuffix(name)
    if ending.endswith(w.REJECTIONS_UNSPACED):
        return PUT_ASIDE
    return Stance(STRONG, "answer", "而是" in before) if ending.endswith(w.CUES_UNSPACED) else None


def _walk_back(tokens: list[str]) -> _Step:
    at = len(tokens) - 1
    negated = doubted = linking = corrects = comma = False
    name = ""
    while at >= 0:
        token = tokens[at]
        if token in w.CONNECTIVES:
            linking = True
        elif token in w.CORRECTIVES and not (token == "thought" and at and tokens[at - 1] in ("i", "we")):
            corrects = True
        elif token == ",":
            comma = True
        elif token in w.OPENERS:
            pass
        elif comma:
            break
        elif token in w.FILLERS or (token == "a" and name):
            name = name or (token if token in w.NAMES else "")
        elif token in w.DOUBTS:
            doubted = True
        elif token in ("not", "never", "nicht", "pas"):
            negated = True
        else:
            break
        at -= 1
    return _Step(at, negated, doubted, linking, corrects, name, comma)


def _opening(mention: Mention, around: Surroundings, step: _Step) -> Stance:
    """The option opens its clause, with nothing but fillers before it."""
    if step.doubted:
        return UNSURE
    if around.contrast and (around.closed or mention.bracketed):
        return Stance(MEDIUM, "correction", True)
    if not around.closed:
        return NAMED
    if around.turned and not around.right:
        return Stance(MEDIUM, "conclusion")
    if step.name == "answer":
        return _ANSWER
    if step.corrects or step.linking or (w.ASSURANCES.intersection(around.left) and not around.alone):
        return Stance(MEDIUM, "conclusion", step.corrects)
    return Stance(STRONG, "letter alone") if around.alone and any(map(str.isalpha, around.left)) else NAMED


def _stance_of_governing_word(tokens: list[str], step: _Step, mention: Mention, around: Surroundings) -> Stance:
    """The option hangs on a word before it."""
    token = tokens[step.at]
    if token in w.SEPARATORS:
        return _after_separator(tokens, step, mention, around)
    if token in w.NOT and not step.comma:
        return NEGATED
    # Particles go first: "on" is a copula in other languages.
    if step.at and tokens[step.at - 1] in w.PARTICLES.get(token, ()):
        return _after_verb(tokens, step.at, mention, around, step.name)
    if token == "with" and step.at and tokens[step.at - 1] in w.AGREES and around.closed:
        return NEGATED if w.NEGATORS.intersection(tokens) else Stance(WEAK, "apposition")
    if token in w.COPULAS or token in w.SELF_COPULAS or token in w.NEGATED_COPULAS:
        return _after_copula(tokens, step.at, mention, around, bool(step.name))
    if token.endswith("'s") and token[:-2] in w.ANSWER_NOUNS:
        return _ANSWER
    if token in w.CHOOSES or (step.name == "answer" and token in w.MODALS):
        return _after_verb(tokens, step.at, mention, around, step.name)
    return _after_word(tokens, step, mention, around)


def _after_separator(tokens: list[str], step: _Step, mention: Mention, around: Surroundings) -> Stance:
    at = step.at
    colon = tokens[at] == ":"
    while at >= 0 and (tokens[at] in w.SEPARATORS or tokens[at] in w.OPENERS or tokens[at] in ")]}"):
        at -= 1
    if at < 0:
        return NAMED
    token = tokens[at]
    if is_hypothetical(tokens):
        return HYPOTHETICAL
    if _names_answer(tokens, at, 8) or token in w.HEADINGS or (token == "a" and at == 0):
        return _ANSWER
    if token in w.CORRECTIVES or (token == "that" and at and tokens[at - 1] in ("scratch", "strike", "make")):
        return Stance(MEDIUM, "correction", True)
    if token in w.COPULAS or (colon and around.closed and not around.opens_line):
        return Stance(WEAK, "predicate" if mention.bracketed or step.name else "bare predicate")
    return NAMED


def _names_answer(tokens: list[str], at: int, reach: int) -> bool:
    """Whether the words up to `at` name the answer, and do not list the options."""
    for step in range(at, max(-1, at - reach), -1):
        token = tokens[step]
        if token in w.ANSWER_NOUNS or (token == "statement" and step and tokens[step - 1] in w.QUALITIES):
            return not (step and tokens[step - 1] in w.LISTS)
        if token in w.LISTS:
            # "The correct one of these options is": what is asked for was named before the list.
            earlier = tokens[max(0, at - reach) : step]
            return any(t in w.QUALITIES and n in w.ANSWER_NOUNS for t, n in pairwise(earlier))
    return False


def _after_copula(tokens: list[str], at: int, mention: Mention, around: Surroundings, named: bool) -> Stance:
    if tokens[at] in w.NEGATED_COPULAS:
        return NEGATED
    if tokens[at] == "its" and at and tokens[at - 1] not in w.CLAUSE_ENDS:
        return NAMED
    subject = at - 1
    doubted = False
    while subject >= 0 and tokens[subject] not in w.ANSWER_NOUNS:
        token = tokens[subject]
        if token in w.NOT:
            return NEGATED
        if token in w.DOUBTS:
            doubted = True
        elif token not in w.MODALS and token not in w.FILLERS and token != ",":
            break
        subject -= 1
    if is_hypothetical(tokens):
        return HYPOTHETICAL
    if subject > 0 and tokens[at - 1] == "so" and tokens[at] not in w.SELF_COPULAS:
        # "and so is option C" repeats the verdict on another option.
        return NAMED
    held = around.closed or mention.bracketed or named
    pronoun = tokens[at] in w.SELF_COPULAS or (subject >= 0 and tokens[subject] in w.PRONOUNS)
    if _names_answer(tokens, at, 12):
        found = _ANSWER_IS
    elif pronoun and held:
        found = Stance(STRONG, "predicate")
    elif w.LISTS.intersection(tokens[:at]):
        found = NAMED
    elif mention.bracketed or named:
        found = Stance(WEAK, "predicate")
    elif around.closed and around.ending in (".", "", "\n", "!"):
        found = Stance(WEAK, "bare predicate")
    else:
        found = NAMED
    return UNSURE if doubted and found.level > DOUBTED else found


def _after_verb(tokens: list[str], at: int, mention: Mention, around: Surroundings, name: str) -> Stance:
    adjoined = around.right[:1] and around.right[0] in w.ADJUNCTS
    if not (around.closed or mention.bracketed or name or adjoined):
        return NAMED
    comma = max((step for step in range(at) if tokens[step] == ","), default=-1)
    before = tokens[max(comma + 1, at - 6) : at + 1]
    if w.NEGATORS.intersection(before) or "refuse" in before:
        return NEGATED
    if is_hypothetical(tokens) or w.OTHERS.intersection(before) or "first" in before:
        return HYPOTHETICAL
    if w.MISTAKES.intersection(before):
        return PUT_ASIDE
    if w.DOUBTS.intersection(before):
        return UNSURE
    return Stance(STRONG, "choice")


def _after_word(tokens: list[str], step: _Step, mention: Mention, around: Surroundings) -> Stance:
    """The option follows a word that is neither a copula nor a verb of choosing."""
    token = tokens[step.at]
    previous = tokens[step.at - 1] if step.at else ""
    linked = step.linking or step.corrects
    if linked and around.closed:
        return Stance(MEDIUM, "conclusion")
    if not step.comma and (token in w.REJECTING or previous in w.REJECTING_PAIRS.get(token, ())):
        return PUT_ASIDE
    if token == "from" and w.CHANGES.intersection(tokens):
        return Stance(STRONG, "change", True)
    if step.comma and token == "that" and previous in ("scratch", "strike", "forget"):
        return Stance(MEDIUM, "correction", True)
    if token in w.ANSWER_NOUNS and around.closed and not step.comma and step.at < 3:
        return _ANSWER
    if token == "to" and previous in w.ANSWER_NOUNS and w.CHANGES.intersection(tokens):
        return Stance(STRONG, "change", True)
    if token == "to" and previous in w.ANSWER_NOUNS and previous not in ("answer", "solution", "key"):
        return _ANSWER
    if is_hypothetical(tokens) or not around.closed:
        return HYPOTHETICAL
    if step.name == "answer" or (token in w.POINTS and (mention.bracketed or step.name)):
        return Stance(WEAK, "apposition")
    if token in ("or", "as", "of") and (mention.bracketed or step.name):
        return Stance(WEAK, "apposition")
    if step.comma and not around.right:
        return Stance(WEAK, "bare apposition")
    return NAMED


def is_hypothetical(tokens: list[str]) -> bool:
    """Whether a clause speaks of a case, of other people, or of an opinion given up."""
    return any(_sets_apart(tokens, at, token) for at, token in enumerate(tokens))


def _sets_apart(tokens: list[str], at: int, token: str) -> bool:
    if token in w.SUPERSEDED:
        return True
    previous = tokens[at - 1] if at else ""
    following = tokens[at + 1] if at + 1 < len(tokens) else ""
    if token == "if" and "then" in tokens[at:] and "would" not in tokens:
        return False
    if token in w.UNDECIDED:
        return following not in w.FORCED and (token != "had" or at == 0)
    if token == "first":
        return previous == "at"
    if token == "thought":
        return previous in ("i", "we", "first", "initial")
    if token in w.OTHERS or (token in ("you", "one") and following in ("may", "might")):
        return bool(w.OPINIONS.intersection(tokens[at + 1 : at + 4]))
    return False


def is_denied(tokens: list[str]) -> bool:
    """Whether a denied opinion governs the clause: "I don't think", "it is not true that", "no way it's"."""
    return any(_denies(tokens, at, token) for at, token in enumerate(tokens))


def _denies(tokens: list[str], at: int, token: str) -> bool:
    rest = tokens[at + 1 :]
    if w.PAUSES.intersection(rest):
        return False
    if token in w.DENIALS:
        governs = not rest or rest[0] in w.COMPLEMENTS or rest[:2] == ["to", "be"]
        return governs and (at == 0 or tokens[at - 1] not in w.NO_DENIALS)
    if not rest:
        return False
    if rest[0] in w.DENYING_PAIRS.get(token, ()):
        return True
    stated = rest[0] in w.SURMISES or ("that" in rest[:3] and bool(w.CERTAINTIES.intersection(rest[:3])))
    return token in w.NEGATORS and stated
