"""Secrets: keys and tokens, known by how their issuers begin them."""

from __future__ import annotations

import re

from ringtrue.scoring.personal_data.shape import Shape

# The longest of each kind is bounded: what is longer is not such a key, or its rest is not found.
_BEGINNINGS = {
    "aws_access_key": ("AKIA|ASIA", "[0-9A-Z]{16}"),
    "anthropic_api_key": ("sk-ant-", "[A-Za-z0-9_-]{32,200}"),
    "openai_api_key": ("sk-proj-|sk-svcacct-|sk-admin-", "[A-Za-z0-9_-]{20,250}"),
    "github_token": ("ghp_|gho_|ghu_|ghs_|ghr_|github_pat_", "[A-Za-z0-9_]{36,255}"),
    "google_api_key": ("AIza", "[0-9A-Za-z_-]{35}"),
    "slack_token": ("xoxb-|xoxp-|xoxa-|xoxr-|xoxs-", "[0-9A-Za-z-]{10,250}"),
    "stripe_key": ("sk_live_|sk_test_|pk_live_|pk_test_|rk_live_|rk_test_", "[0-9A-Za-z]{16,250}"),
    "jwt": ("eyJ", r"[A-Za-z0-9_-]{8,1000}+\.eyJ[A-Za-z0-9_-]{8,4000}+\.[A-Za-z0-9_-]{8,1000}"),
}
_BLOCK = re.compile(
    r"(-----BEGIN (?:(?!PRIVATE)[A-Z]{2,9} ){0,2}+PRIVATE KEY(?: BLOCK)?+-----"
    r"(?:(?:[^-]{0,200}+-(?!-)){0,4}+[^-]{0,6000}+-----END [A-Z ]{0,40}+-----"
    r"|(?:\s{1,2}+[A-Za-z0-9+/=]{16,128}+){0,50}+))"
)
"""A key in lines of base64; one that is cut off extends as far as its lines do."""


def _begun(kind: str, beginnings: str, rest: str) -> Shape:
    pattern = re.compile(rf"(?<![A-Za-z0-9_-])((?:{beginnings}){rest}+)(?![A-Za-z0-9])")
    return Shape(kind, pattern, needs=tuple(beginnings.split("|")))


SHAPES = (
    *(_begun(kind, *parts) for kind, parts in _BEGINNINGS.items()),
    Shape("openai_api_key", re.compile(r"(?<![A-Za-z0-9_-])(sk-[A-Za-z0-9]{40,64}+)(?![A-Za-z0-9])"), needs=("sk-",)),
    Shape("private_key", _BLOCK, needs=("PRIVATE KEY",)),
)
KINDS = tuple(dict.fromkeys(shape.kind for shape in SHAPES))
