"""Who judges in a benchmark: an auditor of one folder, a blind ranking of several, the user's reply, the analysis."""
