"""Programs whose verdict is known: published solutions, mutants of them, cheats; and what plain Python says of each.

tasks ─> shapes ─┬─> plain_python (the truth)
mutants ─┘       └─> judge (what ringtrue says, in this set-up)
"""
