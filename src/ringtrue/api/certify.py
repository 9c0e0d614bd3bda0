"""Agreement with the official scorers, measured on this machine with the golden files that come with the package."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ringtrue.api.judge_bench import certify_judge as certify_judge
from ringtrue.errors import InputError
from ringtrue.jsontext import json_text, parse_json

TOLERANCE = 1e-9

Golden = Mapping[str, Any]
Checks = Iterator[bool]


@dataclass(frozen=True, slots=True)
class Agreement:
    """The number of checks of one golden file that agree."""

    family: str
    reference: str
    rows: int
    checks: int
    agreed: int


def certify() -> Iterator[Agreement]:
    """Each golden file compared with what ringtrue computes here; ambiguous and undetermined verdicts are left out."""
    home = golden_folder()
    for family, checks in FAMILIES.items():
        header, rows = _read(home / f"{family}.jsonl")
        verdicts = [verdict for row in rows if not row.get("ambiguous") for verdict in checks(row)]
        yield Agreement(family, header["tool"], len(rows), len(verdicts), sum(verdicts))


def golden_folder() -> Path:
    """The folder of the golden files: in the package, or, in a checkout, beside the tests that read them."""
    package = Path(__file__).parent.parent
    for folder in (package / "golden", package.parent.parent / "tests" / "golden"):
        if folder.is_dir():
            return folder
    raise InputError("the golden files are not there; install ringtrue from its wheel or a checkout")


def _read(path: Path) -> tuple[Golden, list[Golden]]:
    with path.open("rb") as lines:
        return parse_json(next(lines)), [parse_json(line) for line in lines]


def _near(one: float, other: float) -> bool:
    return abs(one - other) <= TOLERANCE


def _squad(row: Golden) -> Checks:
    from ringtrue.scoring.overlap.squad import exact_match, f1_score

    said, references = row["input"]["prediction"], row["input"]["references"]
    yield _near(max(f1_score(said, one) for one in references), row["expected"]["f1"])
    yield max(exact_match(said, one) for one in references) == float(row["expected"]["exact_match"])


def _bleu(row: Golden) -> Checks:
    from ringtrue.scoring.overlap.bleu import sentence_bleu
    from ringtrue.scoring.overlap.chrf import sentence_chrf

    pair = (row["input"]["hypothesis"], row["input"]["references"])
    settings: dict[str, dict[str, Any]] = {
        "": {},
        "_no_effective_order": {"effective_order": False},
        "_lc": {"lowercase": True},
        "_smooth_none": {"smooth": "none"},
        "_smooth_floor": {"smooth": "floor"},
        "_smooth_addk": {"smooth": "add-k"},
        "_tok_intl": {"tokenize": "intl"},
        "_tok_char": {"tokenize": "char"},
        "_tok_none": {"tokenize": "none"},
    }
    for suffix, options in settings.items():
        yield _near(sentence_bleu(*pair, **options), row["expected"][f"sacrebleu_sentence{suffix}"] / 100)
    yield _near(sentence_chrf(*pair), row["expected"]["chrf"] / 100)
    yield _near(sentence_chrf(*pair, word_order=2), row["expected"]["chrf_pp"] / 100)


def _rouge(row: Golden) -> Checks:
    from ringtrue.scoring.overlap.rouge import rouge

    for stem in (False, True):
        ours = rouge(row["input"]["hypothesis"], row["input"]["reference"], stem=stem)
        for kind, wanted in row["expected"]["stem" if stem else "nostem"].items():
            numbers = (wanted["precision"], wanted["recall"], wanted["fmeasure"])
            yield all(map(_near, ours[kind], numbers))


def _maths(row: Golden) -> Checks:
    from ringtrue.scoring.maths import equivalent

    yield equivalent(row["input"]["gold"], row["input"]["candidate"]) == row["expected"]["equal"]


def _choice(row: Golden) -> Checks:
    from ringtrue.scoring.choice import extract_letter

    given = row["input"]
    yield extract_letter(given["response"], given["choices"], labels=given["labels"]) == row["expected"]["letter"]


def _ifeval(row: Golden) -> Checks:
    from ringtrue.evaluators.ifeval import IFEval
    from ringtrue.records import Case, Output, Trial

    score = IFEval().measure(Trial(Case(fields=row["input"]), Output(row["input"]["response"] or "")))
    for mode in ("strict", "loose"):
        ours = score.metadata.get(mode) or [None] * len(row["expected"][mode])
        for mine, official in zip(ours, row["expected"][mode], strict=True):
            if official is not None:  # None: the official checker rolls dice here
                yield mine == official


def _json_schema(row: Golden) -> Checks:
    from ringtrue.evaluators.json_schema import JSONSchemaEval

    _, remotes = _read(golden_folder() / "json_schema_remotes.jsonl")
    documents = {entry["uri"]: entry["document"] for entry in remotes}
    check = JSONSchemaEval(row["input"]["schema"], draft=row["draft"], remotes=documents)
    text = json_text(row["input"]["instance"])
    yield check.evaluate({}, text).passed == row["expected"]["valid"]


def _pass_at_k(row: Golden) -> Checks:
    from ringtrue.stats.intervals import pass_at_k

    yield _near(pass_at_k(**row["input"]), row["expected"]["pass_at_k"])


FAMILIES: dict[str, Callable[[Golden], Checks]] = {
    "qa_squad": _squad,
    "bleu": _bleu,
    "rouge": _rouge,
    "ifeval": _ifeval,
    "ifeval_perturbed": _ifeval,
    "math_equivalence": _maths,
    "mcq_extraction": _choice,
    "json_schema": _json_schema,
    "pass_at_k": _pass_at_k,
}
