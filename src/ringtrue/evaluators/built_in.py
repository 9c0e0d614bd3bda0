"""The tables of built-in evaluators: name -> where its class is."""

from __future__ import annotations

BUILT_IN: dict[str, tuple[str, str]] = {
    "all_of": ("ringtrue.evaluators.combined", "AllOf"),
    "answer_found": ("ringtrue.evaluators.answer_found", "AnswerFound"),
    "answer_quality": ("ringtrue.evaluators.answer_quality", "AnswerQuality"),
    "any_of": ("ringtrue.evaluators.combined", "AnyOf"),
    "babilong": ("ringtrue.evaluators.babilong", "BABILong"),
    "bleu": ("ringtrue.evaluators.bleu", "BLEU"),
    "chrf": ("ringtrue.evaluators.chrf", "ChrF"),
    "code_execution": ("ringtrue.evaluators.code_execution", "CodeExecution"),
    "contains": ("ringtrue.evaluators.contains", "Contains"),
    "conversation_calls": ("ringtrue.evaluators.conversation_calls", "ConversationCalls"),
    "diff_applies": ("ringtrue.evaluators.diff_files", "DiffApplies"),
    "diff_files": ("ringtrue.evaluators.diff_files", "DiffFiles"),
    "drop": ("ringtrue.evaluators.drop", "DROP"),
    "ends_with": ("ringtrue.evaluators.starts_with", "EndsWith"),
    "exact_match": ("ringtrue.evaluators.exact_match", "ExactMatch"),
    "final_answer": ("ringtrue.evaluators.final_answer", "FinalAnswer"),
    "ifbench": ("ringtrue.evaluators.ifbench", "IFBench"),
    "ifeval": ("ringtrue.evaluators.ifeval", "IFEval"),
    "ifeval_checker": ("ringtrue.evaluators.ifeval_checker", "IFEvalChecker"),
    "infinitebench": ("ringtrue.evaluators.infinitebench", "InfiniteBench"),
    "is_json": ("ringtrue.evaluators.is_json", "IsJSON"),
    "json_equals": ("ringtrue.evaluators.json_equals", "JSONEquals"),
    "json_schema": ("ringtrue.evaluators.json_schema", "JSONSchemaEval"),
    "latency": ("ringtrue.evaluators.latency", "Latency"),
    "lenient_answer": ("ringtrue.evaluators.lenient_answer", "LenientAnswer"),
    "levenshtein": ("ringtrue.evaluators.levenshtein", "Levenshtein"),
    "locomo": ("ringtrue.evaluators.locomo", "LoCoMo"),
    "longbench": ("ringtrue.evaluators.longbench", "LongBench"),
    "math_equivalence": ("ringtrue.evaluators.math_equivalence", "MathEquivalence"),
    "max_latency": ("ringtrue.evaluators.latency", "MaxLatency"),
    "multiple_choice": ("ringtrue.evaluators.multiple_choice", "MultipleChoiceAccuracy"),
    "nli_label_match": ("ringtrue.evaluators.nli_label_match", "NLILabelMatch"),
    "node_set": ("ringtrue.evaluators.node_set", "NodeSet"),
    "not": ("ringtrue.evaluators.combined", "Not"),
    "not_contains": ("ringtrue.evaluators.contains", "NotContains"),
    "not_empty": ("ringtrue.evaluators.not_empty", "NotEmpty"),
    "numeric_match": ("ringtrue.evaluators.numeric_match", "NumericMatch"),
    "option_set": ("ringtrue.evaluators.option_set", "OptionSet"),
    "personal_data": ("ringtrue.evaluators.personal_data", "PersonalData"),
    "prefixed_similarity": ("ringtrue.evaluators.prefixed_similarity", "PrefixedSimilarity"),
    "regex_match": ("ringtrue.evaluators.regex_match", "RegexMatch"),
    "rouge_l": ("ringtrue.evaluators.rouge", "ROUGE"),
    "rouge_scores": ("ringtrue.evaluators.rouge_scores", "RougeScores"),
    "scrolls_rouge": ("ringtrue.evaluators.scrolls_rouge", "ScrollsRouge"),
    "squad_v2": ("ringtrue.evaluators.squad_v2", "SQuADv2"),
    "starts_with": ("ringtrue.evaluators.starts_with", "StartsWith"),
    "stated_confidence": ("ringtrue.evaluators.stated_confidence", "StatedConfidence"),
    "string_match": ("ringtrue.evaluators.string_match", "StringMatch"),
    "summarization_quality": ("ringtrue.evaluators.summarization_quality", "SummarizationQuality"),
    "tool_call_made": ("ringtrue.evaluators.tool_call_made", "ToolCallMade"),
    "tool_call_match": ("ringtrue.evaluators.tool_calls", "ToolCallMatch"),
    "truth_overlap": ("ringtrue.evaluators.truth_overlap", "TruthOverlap"),
    "turn_instructions": ("ringtrue.evaluators.turn_instructions", "TurnInstructions"),
    "word_count": ("ringtrue.evaluators.word_count", "WordCount"),
}
"""Evaluators that compute their score from the trial alone."""

JUDGED: dict[str, tuple[str, str]] = {
    "check_criteria": ("ringtrue.evaluators.judged.check_criteria", "CheckCriteriaEvaluator"),
    "claim_verification": ("ringtrue.evaluators.judged.claim_verification", "ClaimVerificationEvaluator"),
    "guidance": ("ringtrue.evaluators.judged.guidance", "GuidanceEvaluator"),
    "judge_panel": ("ringtrue.evaluators.judged.judge_panel", "JudgePanel"),
    "llm_judge": ("ringtrue.evaluators.judged.llm_judge", "LLMJudge"),
    "pairwise_judge": ("ringtrue.evaluators.judged.pairwise_judge", "PairwiseJudge"),
    "preference_adherence": ("ringtrue.evaluators.judged.preference_adherence", "PreferenceAdherenceEvaluator"),
    "question_judge": ("ringtrue.evaluators.judged.question_judge", "QuestionJudge"),
    "rubric_judge": ("ringtrue.evaluators.judged.rubric_judge", "RubricJudge"),
    "semantic_test": ("ringtrue.evaluators.judged.semantic_test", "SemanticTestEvaluator"),
    "short_answer_judge": ("ringtrue.evaluators.judged.short_answer_judge", "ShortAnswerJudge"),
    "tool_usage": ("ringtrue.evaluators.judged.tool_usage", "ToolUsageEvaluator"),
    "turn_ratings": ("ringtrue.evaluators.judged.turn_ratings", "TurnRatings"),
}
"""Evaluators that ask a model."""

EVERYWHERE = "answer_quality"
"""The evaluator that every benchmark gets."""
FREE_FORM = "answer_found"
"""The headline of rows that have an expected answer and no benchmark metric of their own, if it is measured."""

CLASSES: dict[str, str] = {class_name: module for module, class_name in (BUILT_IN | JUDGED).values()}
