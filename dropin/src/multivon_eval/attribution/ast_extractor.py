"""The prompts in Python files."""

from ringtrue.prompts.source import DEFAULT_IGNORE_DIRS as DEFAULT_IGNORE_DIRS
from ringtrue.prompts.source import SCANNER_VERSION as SCANNER_VERSION
from ringtrue.prompts.source import scan as scan
from ringtrue.prompts.source import scan_file as scan_file
from ringtrue.prompts.source import scan_file_with_reason as scan_file_with_reason
from ringtrue.prompts.source import scan_with_skips as scan_with_skips
