"""Which prompts changed between two scans."""

from ringtrue.prompts.diff import diff_records as diff_records
