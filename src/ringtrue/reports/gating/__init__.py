"""Gates: what a run has to show before a merge. `rules` (a file) -> `rule_checks` (findings) -> `gate_output`."""
