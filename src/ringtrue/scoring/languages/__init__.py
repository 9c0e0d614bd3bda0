"""Which language a text is written in."""

from ringtrue.scoring.languages.identify import codes as codes
from ringtrue.scoring.languages.identify import identify as identify
from ringtrue.scoring.languages.identify import is_written_in as is_written_in
