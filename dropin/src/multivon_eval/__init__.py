"""multivon-eval's import path, answered by ringtrue; names load when they are first used."""

from __future__ import annotations

from importlib import import_module

from _ringtrue_dropin import __version__ as __version__
from _ringtrue_dropin import refuse_to_shadow

refuse_to_shadow("multivon-eval")

_MODULES = {
    "acceptance": ["AcceptancePolicy", "AcceptanceResult", "CheckRequirement", "SliceRequirement"],
    "adapters": ["AnthropicAdapter", "LiteLLMAdapter", "ModelAdapter", "OpenAIAdapter"],
    "audit_package": ["build_audit_package"],
    "auto": [
        "AmbiguousCaseShape", "EvaluatorRecommendation", "HardnessReport", "auto_evaluators",
        "generate_adversarial_cases", "generate_unicode_obfuscation_cases", "validate_adversarial_cases",
    ],
    "cache": ["CacheStats", "JudgeCache", "cache_is_user_opted_in", "get_cache", "reset_cache_singleton", "set_cache"],
    "calibration": [
        "CalibrationEntry", "CalibrationResult", "CalibrationTable", "calibrated_threshold", "calibration_provenance",
        "calibration_versions", "effective_calibration_version", "load_calibration", "set_calibration_fallback_policy",
        "threshold_table",
    ],
    "case": ["AgentStep", "EvalCase", "ToolCall"],
    "case_gates": ["GenerationReport"],
    "case_manifest": ["CaseManifest", "case_from_dict", "case_to_dict"],
    "compare": ["CaseDiff", "ReportDiff", "compare_reports"],
    "compliance": ["ComplianceReporter", "github_actions_anchor"],
    "costs": [
        "CostTracker", "Costs", "ModelPricing", "ProviderUsage", "active_tracker", "record_call", "register_pricing",
        "reset_token", "set_active_tracker",
    ],
    "dataset": ["load", "load_csv", "load_jsonl", "save_jsonl"],
    "dependencies": ["declare_dependencies"],
    "discover": [
        "BootstrapResult", "RecommendedEvaluator", "TraceSummary", "bootstrap", "infer_product_shape",
        "summarize_traces",
    ],
    "evaluators": [
        "BLEU", "ROUGE", "ChrfScore", "Contains", "Evaluator", "ExactMatch", "JSONSchemaEval", "Latency", "Levenshtein",
        "MaxLatency", "NotEmpty", "PIIEvaluator", "RegexMatch", "SchemaEvaluator", "StartsWith", "ToolCallAccuracy",
        "WordCount", "BERTScore",
    ],
    "evaluators.agent": [
        "AgentMemoryEval", "PlanQuality", "StepFaithfulness", "TaskCompletion", "ToolArgumentAccuracy",
        "ToolCallNecessity", "TrajectoryEfficiency",
    ],
    "evaluators.consistency": ["SelfConsistency"],
    "evaluators.conversation": [
        "ConversationCompleteness", "ConversationRelevance", "KnowledgeRetention", "TurnConsistency",
    ],
    "evaluators.llm_judge": [
        "AnswerAccuracy", "Bias", "CheckEvaluator", "Coherence", "ContextPrecision", "ContextRecall", "CustomRubric",
        "Faithfulness", "GEval", "Hallucination", "Relevance", "Summarization", "Toxicity",
    ],
    "evaluators.multimodal": ["DocumentGrounding", "VQAFaithfulness"],
    "exceptions": [
        "CacheError", "CalibrationMissing", "ComplianceError", "EvaluatorPrereqMissing", "JudgeUnavailable",
        "MultivonError", "SecretsError",
    ],
    "execution_evidence": ["declare_target"],
    "experiments": [
        "Experiment", "RunRecord", "bayesian_interval", "benjamini_hochberg", "bootstrap_interval", "cohens_h",
        "list_experiments", "mcnemar_test", "min_detectable_effect", "runs_needed", "wilson_interval",
    ],
    "input_gate": ["InputQualityReport", "SignalFinding", "assess_input"],
    "generate": [
        "generate_contrast_pairs", "generate_from_file", "generate_from_text", "generate_hallucination_pairs",
    ],
    "integrations": [
        "AgentTracer", "CaseImporter", "LangChainTracer", "LangGraphTracer", "LangSmithImporter", "LangSmithTracer",
        "ManualTracer", "OpenAIAgentsTracer",
    ],
    "judge": ["JudgeConfig", "configure"],
    "lockfile": [
        "EvaluatorFingerprint", "LockMismatch", "SuiteLock", "build_suite_lock", "fingerprint_evaluator",
        "verify_suite_against_lock",
    ],
    "media": ["MediaArtifact", "case_media", "media_sources", "with_media"],
    "mutate": ["MUTATIONS", "cases_from_template", "mutate_cases"],
    "passk": ["PassKResult", "pass_at_k", "pass_hat_k"],
    "provenance": [
        "AmbiguousSiteError", "ProvenanceError", "StampResult", "read_provenance", "stamp_jsonl", "stamp_provenance",
    ],
    "provider_accounting": ["account_provider_events", "provider_events"],
    "provider_evidence": ["capture_provider_events"],
    "provider_http": ["provider_http_hooks"],
    "provider_journal": ["ProviderJournal"],
    "pytest_plugin": ["EvaluatorFailure", "assert_evaluators"],
    "recorder": [
        "PromptRecorder", "load_recordings", "merge_recordings_into_baseline", "record_prompts", "recording_active",
        "reset_active_case", "set_active_case",
    ],
    "reporters.html_compliance": ["ComplianceHtmlReporter", "render_compliance_html"],
    "result": [
        "ERROR_STATUSES", "EVALUATION_STATUSES", "CaseResult", "EvalGateFailure", "EvalReport", "EvalResult",
        "EvalStatus", "PairwiseReport", "PairwiseResult",
    ],
    "retry": ["JudgeRetry", "async_sleep_for_attempt", "should_retry", "sleep_for_attempt"],
    "secrets": [
        "ChainedResolver", "EnvResolver", "SecretsResolver", "StaticResolver", "get_resolver", "get_secret",
        "reset_resolver", "set_resolver",
    ],
    "simulate": [
        "Persona", "SimulationResult", "personas_from_jsonl", "propose_personas", "results_to_cases",
        "score_simulations", "simulate",
    ],
    "staleness": [
        "BaselineError", "CaseVerdict", "SiteVerdict", "StalenessReport", "build_staleness_report", "load_baseline",
        "write_baseline",
    ],
    "suite": ["EvalSuite"],
    "targets": [
        "APIKeyAuth", "BearerAuth", "BrowserTarget", "DeployedAPITarget", "MultiTurnAPITarget", "simulate_users",
    ],
    "trace_files": ["load_traces"],
    "trials": ["TrialRecord", "regrade"],
    "validate": ["CaseValidation", "ValidationReport", "validate_suite"],
    "vision": ["call_vision"],
}  # fmt: skip
_NAMES = {name: module for module, names in _MODULES.items() for name in names}

__all__ = sorted(["__version__", *_NAMES])


def __getattr__(name: str) -> object:
    if name in _NAMES:
        return getattr(import_module(f"multivon_eval.{_NAMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
