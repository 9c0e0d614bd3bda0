"""A variant is scored only where somebody else knows its answer; a place in media is there, or it is no place."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from multivon_eval import CaseManifest, EvalCase, MediaArtifact
from multivon_eval.grounding import annotation, grounded_result, validate_annotation
from multivon_eval.robustness import OracleVerdict, VariantValidation, validate_variant
from ringtrue.reports.canonical import sealed
from ringtrue.reports.sealed_record import SealedRecord

BASE = EvalCase("A ticket costs 12 euros. Two tickets?", "24", case_id="base", source_id="prices")
TWIN = EvalCase("A ticket costs 13 euros. Two tickets?", case_id="twin", source_id="prices")
SEEN = OracleVerdict(True, "both were computed", "24", "26", {"by": "arithmetic/v1"})


def validated(verdict: Any = SEEN, relation: str = "counterfactual", **changes: Any) -> VariantValidation:
    candidate = replace(TWIN, **changes)
    return validate_variant(
        BASE, candidate, relation=relation, contract="prices/v1", validator=lambda base, twin: verdict
    )


def test_a_valid_variant_becomes_a_case_with_its_own_answer() -> None:
    twin = replace(TWIN, metadata={"generation": {"kind": "mutation"}}, reference_output="24")
    found = validate_variant(BASE, twin, relation="counterfactual", contract="c", validator=lambda a, b: SEEN)
    assert found.status == "valid"
    manifest = found.manifest("prices", split="held_out")
    assert [case.expected_output for case in manifest.split("held_out")] == ["24", "26"]
    made = manifest.cases[1]
    assert (made.reference_output, made.metadata["generation"]["oracle_status"]) == (None, "validated")
    assert made.metadata["multivon_robustness"]["parent_case_id"] == "base"
    assert CaseManifest.from_dict(manifest.manifest).digest == manifest.digest
    assert VariantValidation.from_dict(found.data).digest == found.digest


@pytest.mark.parametrize(
    ("verdict", "relation", "changes", "issue"),
    [
        (replace(SEEN, evidence={}), "counterfactual", {}, "no evidence"),
        (replace(SEEN, variant_expected=None), "counterfactual", {}, "both answers"),
        (replace(SEEN, base_expected="25"), "counterfactual", {}, "the base expects"),
        (SEEN, "counterfactual", {"expected_output": "24"}, "Candidate label"),
        (SEEN, "invariant", {}, "invariant"),
        (replace(SEEN, variant_expected="24"), "counterfactual", {}, "counterfactual"),
        (replace(SEEN, valid=False), "counterfactual", {}, ""),
    ],
)
def test_a_verdict_that_does_not_hold_together_makes_nothing_valid(
    verdict: OracleVerdict, relation: str, changes: dict[str, Any], issue: str
) -> None:
    found = validated(verdict, relation, **changes)
    assert found.status == "invalid"
    assert issue in "".join(found.data["issues"])
    with pytest.raises(ValueError, match="Only valid"):
        found.manifest("none")


@pytest.mark.parametrize(
    "verdict",
    [replace(SEEN, valid=None), replace(SEEN, valid="yes"), replace(SEEN, reason=" "), {}, None,
     replace(SEEN, evidence={"n": float("nan")}), replace(SEEN, evidence=[])],
    ids=range(7),
)  # fmt: skip
def test_what_is_no_verdict_leaves_it_open(verdict: Any) -> None:
    assert validated(verdict).status == "unknown"


def test_a_validator_that_breaks_or_meddles_leaves_it_open() -> None:
    def meddles(base: EvalCase, twin: EvalCase) -> OracleVerdict:
        twin.metadata["seen"] = True
        return SEEN

    def breaks(base: EvalCase, twin: EvalCase) -> OracleVerdict:
        raise OSError("offline")

    for validator, kind in ((meddles, "ValueError"), (breaks, "OSError")):
        found = validate_variant(BASE, TWIN, relation="invariant", contract="c", validator=validator)
        assert (found.status, found.data["error_type"]) == ("unknown", kind)
        assert found.data["candidate"]["metadata"] == {}


@pytest.mark.parametrize(
    ("changes", "settings"),
    [({"case_id": "base"}, {}), ({"case_id": None}, {}), ({"source_id": "x"}, {}), ({"source_id": None}, {}),
     ({}, {"relation": "equal"}), ({}, {"contract": " "})],
    ids=range(6),
)  # fmt: skip
def test_cases_are_told_apart_and_belong_together(changes: dict[str, Any], settings: dict[str, Any]) -> None:
    given = {"relation": "invariant", "contract": "c", **settings}
    with pytest.raises(ValueError, match=r"distinct explicit|relation|contract"):
        validate_variant(BASE, replace(TWIN, **changes), validator=lambda a, b: SEEN, **given)


def test_a_base_without_an_answer_is_a_mistake() -> None:
    with pytest.raises(TypeError, match="expected_output"):
        validate_variant(
            replace(BASE, expected_output=None), TWIN, relation="invariant", contract="c", validator=lambda a, b: SEEN
        )


class Named(SealedRecord):
    """A record with a name."""

    schema = "test/v1"

    def require(self, data: dict[str, Any]) -> None:
        assert isinstance(data["name"].upper(), str)


def test_a_record_says_what_it_said_or_is_none() -> None:
    found = Named.of({"name": "a"})
    found.data["name"] = "b"
    assert found.to_dict()["name"] == "a"
    for changed in ({**found.data, "name": "b"}, sealed({"schema": "test/v2", "name": "a"}), [], {}):
        with pytest.raises(ValueError, match="schema"):
            Named(json.dumps(changed))
    with pytest.raises(ValueError, match="missing or of the wrong kind"):
        Named.of({"name": 7})


def artifact(media_type: str, **properties: Any) -> MediaArtifact:
    plain = {
        "schema": "multivon.media/v1", "sha256": "0" * 64, "size_bytes": 1, "media_type": media_type,
        "properties": properties, "probe": {}, "provenance": {},
    }  # fmt: skip
    return MediaArtifact.from_dict(sealed(plain))


PICTURE = artifact("image/png", width=64, height=48, orientation=1)
SOUND = artifact("audio/wav", duration_seconds=1.5)
PAGE = artifact("application/pdf")


def test_places_in_media() -> None:
    found = [
        annotation(PICTURE, "a door", region=(0, 0, 64, 48)),
        annotation(SOUND, "a bell", time=(0.25, 1.5)),
        annotation(PAGE, "a contract"),
    ]
    places = [one["target"].get("selector", {}).get("value") for one in found]
    assert places == ["xywh=pixel:0,0,64,48", "t=npt:0.25,1.5", None]
    known = [PICTURE, SOUND, PAGE]
    assert [validate_annotation(json.loads(json.dumps(one)), known) for one in found] == known
    result = grounded_result("seen", True, "a door is there", annotations=found, artifacts=known)
    assert (result.passed, result.status, len(result.metadata["annotations"])) == (True, "scored", 3)
    assert grounded_result("seen", None, "nobody looked", annotations=[], artifacts=[]).status == "skipped"


@pytest.mark.parametrize(
    ("media", "place"),
    [
        (PICTURE, {"region": (1, 0, 64, 48)}),
        (PICTURE, {"region": (0, 0, 0, 48)}),
        (PICTURE, {"region": (0, 0, 1.0, 1)}),
        (PICTURE, {"region": (-1, 0, 1, 1)}),
        (PICTURE, {"region": (0, 0, 1)}),
        (PICTURE, {"time": (0, 1)}),
        (artifact("image/png"), {"region": (0, 0, 1, 1)}),
        (artifact("image/png", width=9, height=9, orientation=6), {"region": (0, 0, 1, 1)}),
        (SOUND, {"time": (0, 2)}),
        (SOUND, {"time": (1, 1)}),
        (SOUND, {"time": (0, float("inf"))}),
        (SOUND, {"region": (0, 0, 1, 1)}),
        (artifact("audio/wav"), {"time": (0, 1)}),
    ],
    ids=range(13),
)
def test_a_place_that_is_not_there_is_refused(media: MediaArtifact, place: Any) -> None:
    with pytest.raises(ValueError, match=r"region|time"):
        annotation(media, "something", **place)


@pytest.mark.parametrize(
    "change",
    [{"motivation": "liking"}, {"more": 1}, {"body": {}}, {"body": []}, {"target": None}, {"@context": "http://x"},
     {"target": {"type": "SpecificResource", "source": PICTURE.id, "selector": "xywh=0"}},
     {"target": {"type": "SpecificResource", "source": ["x"]}},
     {"target": {"type": "SpecificResource", "source": "x"}}],
    ids=range(9),
)  # fmt: skip
def test_another_shape_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"annotation"):
        validate_annotation({**annotation(PICTURE, "a door"), **change}, [PICTURE])


@given(st.text("xywht=pixel:npt0123456789.,&\u0663", max_size=40))
def test_any_selector_is_a_place_or_a_value_error(text: str) -> None:
    whole = annotation(PICTURE, "a door", region=(0, 0, 1, 1))
    whole["target"]["selector"]["value"] = text
    try:
        assert validate_annotation(whole, [PICTURE]) is PICTURE
    except ValueError:
        assert text != "xywh=pixel:0,0,1,1"


@pytest.mark.parametrize(
    ("passed", "reason", "annotations"),
    [("yes", "r", []), (True, "r", []), (True, " ", [annotation(PICTURE, "a")]), (None, "r", ()), (True, "r", [{}])],
    ids=range(5),
)
def test_a_verdict_rests_on_places(passed: Any, reason: str, annotations: Any) -> None:
    with pytest.raises(ValueError, match=r"passed|annotation|reason"):
        grounded_result("seen", passed, reason, annotations=annotations, artifacts=[PICTURE])
