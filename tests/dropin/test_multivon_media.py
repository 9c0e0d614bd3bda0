"""What media are, and where in them something can be seen or heard."""

from __future__ import annotations

import copy
import io
import json
from typing import Any

import pytest
from multivon_eval import MediaArtifact
from multivon_eval.grounding import annotation, grounded_result, validate_annotation
from multivon_eval.media_pdf import render_pdf_page
from ringtrue.reports.canonical import digest

from support.media import png, wav

SOUND = MediaArtifact.capture(wav(seconds=1), "audio/wav")
ABOUT = {"width": 64, "height": 48, "orientation": 1, "n_frames": 1}


def picture(kind: str = "image/png", content: bytes = png(), **properties: Any) -> MediaArtifact:
    """A picture whose size is known, whether or not something here can read it."""
    data = MediaArtifact.capture(content, kind).data | {"properties": {**ABOUT, **properties}}
    del data["digest"]
    return MediaArtifact.from_dict({**data, "digest": digest(data)})


def test_a_sound_is_as_long_as_it_is() -> None:
    assert SOUND.data["properties"] == {"duration_seconds": 1.0, "sample_rate": 8000, "channels": 1}
    data = SOUND.data | {"properties": {**SOUND.data["properties"], "duration_seconds": 9.0}}
    del data["digest"]
    with pytest.raises(ValueError, match="properties differ"):
        MediaArtifact.from_dict({**data, "digest": digest(data)}).verify(wav(seconds=1))
    for wrong in (b"RIFF", b"", wav(seconds=1)[:20], png()):
        with pytest.raises(ValueError, match=r"MIME|media are bytes"):
            MediaArtifact.capture(wrong, "audio/wav")


def test_a_picture_is_read_where_pillow_is() -> None:
    image = pytest.importorskip("PIL.Image")
    assert MediaArtifact.capture(png(), "image/png").data["properties"] == ABOUT
    out = io.BytesIO()
    image.new("RGB", (8, 4)).save(out, "WEBP")
    assert MediaArtifact.capture(out.getvalue(), "image/webp").data["properties"]["width"] == 8
    with pytest.raises(ValueError, match="MIME"):
        MediaArtifact.capture(png(), "image/jpeg")


def test_films_and_mp3_are_read_where_av_is() -> None:
    av = pytest.importorskip("av")
    film, song = io.BytesIO(), io.BytesIO()
    with av.open(film, "w", format="mp4") as container:
        stream = container.add_stream("libx264", rate=4)
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        for packet in [*(p for _ in range(4) for p in stream.encode(av.VideoFrame(64, 48, "rgb24"))), *stream.encode()]:
            container.mux(packet)
    with av.open(song, "w", format="mp3") as container:
        stream = container.add_stream("libmp3lame", rate=8000)
        frame = av.AudioFrame(format="s16p", layout="mono", samples=8000)
        frame.sample_rate = 8000
        for packet in [*stream.encode(frame), *stream.encode()]:
            container.mux(packet)
    found = MediaArtifact.capture(film.getvalue(), "video/mp4")
    assert [found.data["properties"][name] for name in ("duration_seconds", "width", "height")] == [1.0, 64, 48]
    assert found.verify(film.getvalue()) == film.getvalue()
    assert MediaArtifact.capture(song.getvalue(), "audio/mpeg").data["properties"]["duration_seconds"] > 0.5


def test_a_page_is_a_picture_that_knows_its_document() -> None:
    pdfium = pytest.importorskip("pypdfium2")
    pytest.importorskip("PIL.Image")
    out = io.BytesIO()
    with pdfium.PdfDocument.new() as document:
        document.new_page(120, 100)
        document.save(out)
    parent = MediaArtifact.capture(out.getvalue(), "application/pdf")
    assert parent.data["properties"] == {"pages": 1}
    page, content = render_pdf_page(parent, out.getvalue(), page=1, scale=2)
    assert (page.data["properties"]["width"], page.data["provenance"]["parent"]) == (240, parent.data)
    assert page.verify(content) == content
    for wrong, words in (
        ({"page": 2}, "document length"),
        ({"page": 0}, "page"),
        ({"page": 1, "scale": 1e4}, "pixel limit"),
    ):
        with pytest.raises(ValueError, match=words):
            render_pdf_page(parent, out.getvalue(), **wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="bound content"):
        render_pdf_page(parent, b"%PDF-1.7", page=1)
    with pytest.raises(ValueError, match="MIME"):
        MediaArtifact.capture(b"no document", "application/pdf")


def test_a_claim_points_at_its_place() -> None:
    shown = picture()
    claims = [
        annotation(shown, "white", region=(0, 0, 64, 48)),
        annotation(SOUND, "silence", time=(0.25, 1)),
        annotation(SOUND, "a sound"),
    ]
    assert claims[0]["target"]["selector"]["value"] == "xywh=pixel:0,0,64,48"
    assert claims[1]["target"]["selector"]["value"] == "t=npt:0.25,1"
    assert [validate_annotation(json.loads(json.dumps(one)), [shown, SOUND]) for one in claims] == [shown, SOUND, SOUND]
    result = grounded_result("seen", None, "nobody looked", annotations=claims, artifacts=[shown, SOUND])
    assert (result.status, result.metadata["annotations"]) == ("skipped", claims)
    assert grounded_result("seen", True, "r", annotations=claims[:1], artifacts=[shown]).passed
    with pytest.raises(ValueError, match="at least one"):
        grounded_result("seen", True, "r", annotations=[], artifacts=[shown])
    with pytest.raises(ValueError, match="passed is True, False"):
        grounded_result("seen", 1, "r", annotations=claims, artifacts=[shown, SOUND])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "where",
    [
        {"region": (-1, 0, 1, 1)},
        {"region": (0, 0, 0, 1)},
        {"region": (0, 0, 65, 1)},
        {"region": (63, 47, 2, 2)},
        {"region": (True, 0, 1, 1)},
        {"region": (0, 0, 1)},
        {"region": (0, 0, 1, 1), "time": (0, 1)},
        {"time": (0, 1)},
    ],
    ids=["before", "empty", "wide", "corner", "flag", "three", "both", "time"],
)
def test_a_region_lies_in_its_picture(where: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"region|time|sound"):
        annotation(picture(), "white", **where)


@pytest.mark.parametrize(
    "time",
    [(-1, 0.5), (0.5, 0.5), (0, 1.1), (float("nan"), 1), (True, 1), (0,)],
    ids=["before", "empty", "long", "nan", "flag", "one"],
)
def test_a_time_lies_in_its_sound(time: Any) -> None:
    with pytest.raises(ValueError, match="time"):
        annotation(SOUND, "silence", time=time)


def test_only_still_pictures_that_stand_upright_have_regions() -> None:
    for other in (picture(orientation=6), SOUND):
        with pytest.raises(ValueError, match="orientation-1 still image"):
            annotation(other, "white", region=(0, 0, 1, 1))


@pytest.mark.parametrize(
    "change",
    [
        lambda one: one["target"].update(source="https://example.org/a.png"),
        lambda one: one["target"].update(source=["x"]),
        lambda one: one["target"]["selector"].update(value="xywh=percent:0,0,9,9"),
        lambda one: one["target"]["selector"].update(value="xywh=pixel:0,0,9,9&t=npt:0,1"),
        lambda one: one["target"]["selector"].update(value=None),
        lambda one: one["target"].update(selector=[]),
        lambda one: one.update(motivation="liking"),
        lambda one: one.update(body="white"),
        lambda one: one.update(more=1),
    ],
    ids=["elsewhere", "list", "percent", "two", "none", "selector", "motive", "body", "more"],
)
def test_an_annotation_that_is_none_is_refused(change: Any) -> None:
    one = copy.deepcopy(annotation(picture(), "white", region=(0, 0, 9, 9)))
    change(one)
    with pytest.raises(ValueError, match=r"known content|selector|profile|claim|region|sound|object"):
        validate_annotation(one, [picture()])
