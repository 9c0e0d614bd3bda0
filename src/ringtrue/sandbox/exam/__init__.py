"""The exam: tests in one process, the program in another, plain values between them.

examiner ─ bridge ─ channel ══ one socket ══ channel ─ bridge ─ candidate
    │        │                                            │
definition   foreign: stands for an object over there     the program, loaded as a module
             object_table: which objects stay where they are
             wire, faults: values and exceptions as JSON
"""
