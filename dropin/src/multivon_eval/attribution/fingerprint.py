"""The SHA-256 of a prompt."""

from ringtrue.prompts.fingerprint import fingerprint_text as fingerprint_text
from ringtrue.prompts.fingerprint import loose_fingerprint_text as loose_fingerprint_text
from ringtrue.prompts.fingerprint import loose_normalize_text as loose_normalize_text
from ringtrue.prompts.fingerprint import normalize_text as normalize_text
