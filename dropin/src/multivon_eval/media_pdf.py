"""`render_pdf_page`: a page of a document as a picture that knows where it is from."""

from __future__ import annotations

import io
from importlib.metadata import version

from multivon_eval.media import MediaArtifact
from multivon_eval.media_probe import PDFIUM_LOCK
from multivon_eval.values import required
from ringtrue.evaluators.check import is_number
from ringtrue.evaluators.judged.config import require_count

__all__ = ["render_pdf_page"]

MAX_PIXELS = 40_000_000


def render_pdf_page(
    artifact: MediaArtifact, content: bytes, *, page: int, scale: float = 1.5
) -> tuple[MediaArtifact, bytes]:
    """The picture of a page, the first of which is 1, and its bytes as PNG; `scale` is pixels per point."""
    pdfium = required("pypdfium2", "render_pdf_page", "pypdfium2")
    required("PIL.Image", "render_pdf_page", "pillow")
    if artifact.media_type != "application/pdf":
        raise ValueError(f"pages are of documents; got {artifact.media_type}")
    require_count("page", page)
    if not is_number(scale) or scale <= 0:
        raise ValueError(f"scale is a positive number; got {scale!r}")
    artifact.verify(content)
    out = io.BytesIO()
    with PDFIUM_LOCK, pdfium.PdfDocument(content) as document:
        if page > len(document):
            raise ValueError(f"page {page} is beyond the document length of {len(document)}")
        sheet = document[page - 1]
        width, height = sheet.get_size()
        if width * height * scale * scale > MAX_PIXELS:
            raise ValueError(f"the page is beyond the pixel limit of {MAX_PIXELS} at scale={scale}")
        sheet.render(scale=scale).to_pil().save(out, format="PNG")
    made = {
        "operation": "pdf_page_render",
        "parent": artifact.data,
        "page": page,
        "scale_pixels_per_point": scale,
        "renderer": {"library": "pypdfium2", "version": version("pypdfium2")},
    }
    return MediaArtifact.capture(out.getvalue(), "image/png", provenance=made), out.getvalue()
