"""Which language a text is written in."""

from ringtrue.scoring.languages.detection import codes as codes
from ringtrue.scoring.languages.detection import is_written_in as is_written_in
