"""Comparison of answers: pure functions of text, one folder per family; `evaluators` are thin shells around them.

free text       overlap, prose, patterns, languages, facts, personal_data
one answer      choice, maths, nli, json_values, tool_calls
instructions    ifeval
programs        programs: code in a reply, tests in a row
"""
