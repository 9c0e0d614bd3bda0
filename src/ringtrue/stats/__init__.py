"""Numbers about numbers, from their formulas: no I/O, no numerical library.

one system        tally (scores in, summaries out), intervals (means, shares, pass@k), power (how many cases)
two systems       pairs (which cases are the same), differences (tests, effect sizes, many tests at once)
several raters    agreement (beyond chance)
human labels      correlation, confusion, ranking_quality (AUC), cutoff (the threshold), corrected (a judge's mean);
                  calibration (all of these together)
"""
