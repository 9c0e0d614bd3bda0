"""Personal data: finding what tells one person from all others in a text.

find            all kinds in one pass; shape: how a kind is recognised, by its looks or the words before it
kinds           contact, identity, money, health; check_digits: whether a number can be one at all
"""

from __future__ import annotations

from ringtrue.scoring.personal_data.find import JURISDICTIONS as JURISDICTIONS
from ringtrue.scoring.personal_data.find import KINDS as KINDS
from ringtrue.scoring.personal_data.find import Finding as Finding
from ringtrue.scoring.personal_data.find import find_personal_data as find_personal_data
