"""Personal data: finding what tells one person from all others in a text."""

from __future__ import annotations

from ringtrue.scoring.personal_data.search import JURISDICTIONS as JURISDICTIONS
from ringtrue.scoring.personal_data.search import KINDS as KINDS
from ringtrue.scoring.personal_data.search import SECRETS as SECRETS
from ringtrue.scoring.personal_data.search import Finding as Finding
from ringtrue.scoring.personal_data.search import find_personal_data as find_personal_data
from ringtrue.scoring.personal_data.search import redact as redact
