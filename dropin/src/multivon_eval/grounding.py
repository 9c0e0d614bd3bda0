"""Where in a picture, a sound or a document something is to be seen: W3C Web Annotations of bound media."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from ringtrue.reports.canonical import plain_copy

from multivon_eval.case_result import EvalResult
from multivon_eval.media import MediaArtifact
from ringtrue.evaluators.check import is_number
from ringtrue.evaluators.judged.config import require_text

__all__ = ["annotation", "grounded_result", "validate_annotation"]

CONTEXT = "http://www.w3.org/ns/anno.jsonld"
MEDIA_FRAGMENTS = "http://www.w3.org/TR/media-frags/"
_REGION = re.compile(r"pixel:([0-9]{1,9}),([0-9]{1,9}),([0-9]{1,9}),([0-9]{1,9})")
_SPAN = re.compile(r"npt:([0-9]{1,9}(?:\.[0-9]{1,20})?),([0-9]{1,9}(?:\.[0-9]{1,20})?)")


def annotation(
    artifact: MediaArtifact,
    claim: str,
    *,
    region: tuple[int, int, int, int] | None = None,
    time: tuple[float, float] | None = None,
) -> dict[str, Any]:
    """A claim about media, or about a region (x, y, width, height in pixels) or a time (seconds) of them.

    That the place is there is checked; whether the claim is true is not.
    """
    parts = []
    if time is not None:
        if len(time) != 2 or not all(map(is_number, time)):
            raise ValueError(f"time is a beginning and an end in seconds; got {time!r}")
        parts.append("t=npt:" + ",".join(f"{Decimal(str(second)):f}" for second in time))
    if region is not None:
        if len(region) != 4 or any(type(number) is not int for number in region):
            raise ValueError(f"region is x, y, width and height in whole pixels; got {region!r}")
        parts.append("xywh=pixel:" + ",".join(map(str, region)))
    selector = {"type": "FragmentSelector", "conformsTo": MEDIA_FRAGMENTS, "value": "&".join(parts)}
    found = {
        "@context": CONTEXT,
        "type": "Annotation",
        "motivation": "assessing",
        "body": {"type": "TextualBody", "value": claim, "format": "text/plain"},
        "target": {"type": "SpecificResource", "source": artifact.id, **({"selector": selector} if parts else {})},
    }
    validate_annotation(found, [artifact])
    return found


def validate_annotation(value: Any, artifacts: Iterable[MediaArtifact]) -> MediaArtifact:
    """The media that an annotation is about; a ValueError where it is of another shape, or its place is not there.

    Places are whole media, regions of upright pictures, and times of sounds and films. Nothing is fetched, and a place
    that reaches over an edge is not cut to fit.
    """
    known: dict[str, MediaArtifact] = {}
    for artifact in artifacts:
        if known.setdefault(artifact.id, artifact).data != artifact.data:
            raise ValueError("two descriptions of the same media contradict each other")
    _require(value, {"@context": CONTEXT, "type": "Annotation", "motivation": "assessing"}, {"body", "target"})
    _require(value["body"], {"type": "TextualBody", "format": "text/plain"}, {"value"})
    require_text(claim=value["body"]["value"])
    target = value["target"]
    selected = {"selector"} if isinstance(target, Mapping) and "selector" in target else set()
    _require(target, {"type": "SpecificResource"}, {"source", *selected})
    found = known.get(target["source"]) if isinstance(target["source"], str) else None
    if found is None:
        raise ValueError("an annotation is about known content: media that are given")
    if selected:
        selector = target["selector"]
        _require(selector, {"type": "FragmentSelector", "conformsTo": MEDIA_FRAGMENTS}, {"value"})
        require_text(selector=selector["value"])
        _require_places(selector["value"], found)
    return found


def grounded_result(
    evaluator: str,
    passed: bool | None,
    reason: str,
    *,
    annotations: Sequence[Mapping[str, Any]],
    artifacts: Iterable[MediaArtifact],
) -> EvalResult:
    """A verdict of the caller's with the places it rests on; one without a place is no verdict, and None is skipped."""
    if passed is not None and type(passed) is not bool:
        raise ValueError(f"passed is True, False, or None where nobody can tell; got {passed!r}")
    require_text(evaluator=evaluator, reason=reason)
    if not isinstance(annotations, list) or (passed is not None and not annotations):
        raise ValueError("a verdict needs at least one annotation, in a list")
    known = tuple(artifacts)
    for one in annotations:
        validate_annotation(one, known)
    about = {
        "grounding_profile": "multivon.w3c-grounding/v1",
        "annotations": plain_copy(annotations),
        "artifacts": [artifact.data for artifact in known],
        "verification": "that the places are there; the verdict is the caller's",
        **({"skipped": True} if passed is None else {}),
    }
    return EvalResult(evaluator, float(passed is True), passed is True, reason, about)


def _require(value: Any, fixed: Mapping[str, str], others: set[str]) -> None:
    """Raise ValueError unless this is an object with these values, these other fields and no more."""
    if not isinstance(value, Mapping) or value.keys() != fixed.keys() | others:
        raise ValueError(f"an annotation has an object with {', '.join(sorted(fixed.keys() | others))} here")
    if any(value[name] != wanted for name, wanted in fixed.items()):
        raise ValueError(f"an annotation of this profile has {dict(fixed)}")


def _require_places(text: str, artifact: MediaArtifact) -> None:
    parts = [part.partition("=")[::2] for part in text.split("&")]
    if len({name for name, _ in parts}) != len(parts):
        raise ValueError(f"a selector names each dimension once; got {text!r}")
    for name, place in parts:
        if name not in _PLACES:
            raise ValueError(f"a selector has t and xywh; got {name!r}")
        _PLACES[name](place, artifact)


def _require_region(place: str, artifact: MediaArtifact) -> None:
    numbers = _REGION.fullmatch(place)
    about = artifact.data["properties"]
    if not artifact.media_type.startswith("image/") or about.get("orientation") != 1:
        raise ValueError("a region is of an orientation-1 still image: a picture that is known to stand upright")
    if numbers is None:
        raise ValueError(f"a region is pixel:x,y,width,height; got {place!r}")
    x, y, width, height = map(int, numbers.groups())
    if not (width and height) or x + width > about.get("width", 0) or y + height > about.get("height", 0):
        raise ValueError(f"the region {place!r} reaches over the edge of the picture")


def _require_span(place: str, artifact: MediaArtifact) -> None:
    seconds = _SPAN.fullmatch(place)
    if not artifact.media_type.startswith(("audio/", "video/")):
        raise ValueError("a time is of a sound or a film")
    if seconds is None:
        raise ValueError(f"a time is npt:begin,end in seconds; got {place!r}")
    begin, end = map(Decimal, seconds.groups())
    length = artifact.data["properties"].get("duration_seconds")
    if length is None or not begin < end <= Decimal(str(length)):
        raise ValueError(f"the time {place!r} reaches over the end, or nobody knows where that is")


_PLACES = {"xywh": _require_region, "t": _require_span}
