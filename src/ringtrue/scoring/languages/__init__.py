"""The language of a text, by langdetect's rule, always with the same answer.

letters -> odds -> detection; profiles: how often each language uses one, two or three letters in a row
"""

from ringtrue.scoring.languages.detection import codes as codes
from ringtrue.scoring.languages.detection import is_written_in as is_written_in
