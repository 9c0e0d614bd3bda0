"""Comparing: two or more systems on the same cases, from runs to a verdict in words.

`case_pairs` (which cases are the same) -> `compare_runs` (every part's difference) -> `comparison` (the record and its
verdicts) -> `comparison_text`, `comparison_page`.
"""
