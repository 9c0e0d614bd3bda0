"""The shapes of calls as pure functions from and to records; scales other than [0, 1] and seconds exist here alone.

a row of a file        fields (which field means what) <- field_paths (dots into a row), coercion (values as text)
dicts                  score(original, processed) -> {part: number}
suite                  EvalCase, evaluate(case, output) -> CheckResult
transcripts            chat messages and Responses items -> turns -> text, items, a trial; tools beside them
evaluation_output      a score on 0 to 100, as the transcript dialect says it
human_labels           the labels in rows, as numbers
"""
