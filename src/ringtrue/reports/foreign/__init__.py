"""Logs of other tools as runs: one reader for each tool, chosen by what a file holds."""
