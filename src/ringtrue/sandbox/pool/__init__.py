"""Processes: the caller's pool of warm workers, and what a worker forks for each program.

sandbox ─ handle ══ messages ══ worker ─┬─ child ─> program          (exam.candidate)
   │                                    ├─ child ─> examiner         (exam.examiner)
   │                                    ├─ proctor: an examiner that stays
job, limits, stop                       └─ shell ─> a command and its process tree
   │
outcome ─> execution      capture: what comes out of a container
"""
