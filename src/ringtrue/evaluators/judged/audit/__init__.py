"""The auditor of `SemanticTestEvaluator`: a copy of a folder, tools that look at it, and the loop that uses them."""
