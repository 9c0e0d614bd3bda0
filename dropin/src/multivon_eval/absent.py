"""Names of multivon-eval 0.20 that are not here: each can be imported, and tells on its first use what to use instead.

An import line with such a name costs nobody the names beside it.
"""

from __future__ import annotations

from abc import ABCMeta
from collections.abc import Callable, Iterator
from functools import cache
from typing import NoReturn

PAGE = "docs/migrating-multivon-eval.md"

_CLAIMS = "ringtrue.evaluators.ClaimVerificationEvaluator holds every claim of an answer against its sources"
_JUDGES = (
    "ringtrue.evaluators.CheckCriteriaEvaluator asks a judge about each criterion, RubricJudge about levels you "
    "describe, LLMJudge for a rating"
)
_TOOLS = "ringtrue.evaluators.ToolCallMatch compares calls and arguments, ToolUsageEvaluator asks a judge"
_TEXT = "ringtrue judges text alone; describe the picture in `context`, or keep the original for these checks"
_MODEL = "give a judge of ringtrue its `model=`, or `judge=` and `judge_model=` to the run of ringtrue.EvalSuite"
_RETRY = "ringtrue.models.endpoint.Endpoint(max_retries=...) asks again by itself"
_CACHE = "a run of ringtrue keeps replies in its store; ringtrue.models.cached.Cached keeps those of any model"
_COSTS = "results of ringtrue's judges carry calls, tokens and cost; RINGTRUE_PRICES names a table of prices"
_LOCK = "`signature()` of a ringtrue evaluator tells its class, settings and version"
_VALIDATE = "run_on_cases([(case, case.expected_output), ...]) shows whether the checks pass what is right"
_CALIBRATE = "ringtrue.calibrate and `ringtrue calibrate` find a threshold on your own labels"
_PAIRS = "ringtrue.evaluators.PairwiseJudge compares two answers, in both orders"
_SYSTEMS = "run takes any function; ringtrue.systems.openai_proxy.OpenAIProxy asks an OpenAI-compatible endpoint"
_TRACES = "put the steps into EvalCase(agent_trace=[AgentStep(...)])"
_CASES = "ringtrue makes up no cases; load, load_jsonl and load_csv read yours"
_RECORDS = "the store of ringtrue keeps every answer: `ringtrue run`, `show`, `rescore`, `export`"
_GATES = "`fail_threshold=` and `max_error_rate=` of EvalSuite.run gate a run"
_PAPERS = "ringtrue writes no compliance papers; save_json, save_html and save_junit_xml keep the evidence"
_SECRETS = "a key is an argument (`api_key=`), or OPENAI_API_KEY"
_SUITES = "add evaluators one by one; those that need a judge are in ringtrue.evaluators"
COMMANDS = "`ringtrue suite`, `score`, `judge`, `calibrate` and `show` do the work; `ringtrue --help` lists all"

# The module of a name, where that module can be imported here ("" is the top alone) -> what to use -> names.
_NAMES: dict[str, dict[str, str]] = {
    "": {
        _MODEL: "JudgeConfig configure",
        _COSTS: "ModelPricing register_pricing",
        _TEXT: "MediaArtifact call_vision case_media media_sources with_media",
        _GATES: "AcceptancePolicy AcceptanceResult CheckRequirement SliceRequirement",
        _SYSTEMS: (
            "APIKeyAuth AnthropicAdapter BearerAuth BrowserTarget DeployedAPITarget LiteLLMAdapter ModelAdapter "
            "MultiTurnAPITarget OpenAIAdapter"
        ),
        _TRACES: (
            "AgentTracer CaseImporter LangChainTracer LangGraphTracer LangSmithImporter LangSmithTracer ManualTracer "
            "OpenAIAgentsTracer"
        ),
        _CASES: (
            "AmbiguousCaseShape BootstrapResult CaseManifest EvaluatorRecommendation GenerationReport HardnessReport "
            "InputQualityReport MUTATIONS Persona RecommendedEvaluator SignalFinding SimulationResult TraceSummary "
            "assess_input auto_evaluators bootstrap case_from_dict case_to_dict cases_from_template "
            "generate_adversarial_cases generate_contrast_pairs generate_from_file generate_from_text "
            "generate_hallucination_pairs generate_unicode_obfuscation_cases infer_product_shape load_traces "
            "mutate_cases personas_from_jsonl propose_personas results_to_cases score_simulations simulate "
            "simulate_users summarize_traces validate_adversarial_cases"
        ),
        _RECORDS: (
            "AmbiguousSiteError BaselineError CaseVerdict PromptRecorder ProvenanceError ProviderJournal SiteVerdict "
            "StalenessReport StampResult TrialRecord account_provider_events build_staleness_report "
            "capture_provider_events load_baseline load_recordings merge_recordings_into_baseline provider_events "
            "provider_http_hooks read_provenance record_prompts recording_active regrade reset_active_case "
            "set_active_case stamp_jsonl stamp_provenance write_baseline"
        ),
        _LOCK: "declare_dependencies declare_target",
        _PAPERS: (
            "ComplianceHtmlReporter ComplianceReporter build_audit_package github_actions_anchor render_compliance_html"
        ),
        _SECRETS: (
            "ChainedResolver EnvResolver SecretsResolver StaticResolver get_resolver get_secret reset_resolver "
            "set_resolver"
        ),
    },
    "cache": {_CACHE: "CacheStats JudgeCache cache_is_user_opted_in get_cache reset_cache_singleton set_cache"},
    "calibration": {
        _CALIBRATE: (
            "CalibrationEntry CalibrationTable calibrated_threshold calibration_provenance calibration_versions "
            "effective_calibration_version load_calibration set_calibration_fallback_policy threshold_table"
        ),
    },
    "costs": {_COSTS: "CostTracker Costs ProviderUsage active_tracker record_call reset_token set_active_tracker"},
    "evaluators.agent": {
        _JUDGES: "AgentMemoryEval PlanQuality StepFaithfulness TaskCompletion TrajectoryEfficiency",
        _TOOLS: "ToolArgumentAccuracy ToolCallNecessity",
    },
    "evaluators.consistency": {"`runs=5` and `flaky_count` show how steady the answers are": "SelfConsistency"},
    "evaluators.conversation": {
        _JUDGES: "ConversationCompleteness ConversationRelevance KnowledgeRetention TurnConsistency",
    },
    "evaluators.deterministic": {"ROUGE and ChrfScore compare texts without a model": "BERTScore"},
    "evaluators.llm_judge": {
        _CLAIMS: "Faithfulness Hallucination",
        _JUDGES: (
            "AnswerAccuracy Bias CheckEvaluator Coherence ContextPrecision ContextRecall CustomRubric GEval Relevance "
            "Summarization Toxicity"
        ),
    },
    "evaluators.multimodal": {_TEXT: "DocumentGrounding VQAFaithfulness"},
    "exceptions": {
        _CACHE: "CacheError",
        _CALIBRATE: "CalibrationMissing",
        _PAPERS: "ComplianceError",
        _SECRETS: "SecretsError",
    },
    "lockfile": {
        _LOCK: (
            "EvaluatorFingerprint LockMismatch SuiteLock build_suite_lock fingerprint_evaluator "
            "verify_suite_against_lock"
        ),
    },
    "result": {_PAIRS: "PairwiseReport PairwiseResult"},
    "retry": {_RETRY: "JudgeRetry async_sleep_for_attempt should_retry sleep_for_attempt"},
    "validate": {
        _VALIDATE: (
            "CaseValidation STATUS_BROKEN STATUS_NOTHING_VALIDATED STATUS_NO_DISCRIMINATION STATUS_OK "
            "STATUS_UNVALIDATABLE ValidationReport validate_suite"
        ),
    },
}
_METHODS = {
    _JUDGES: "add_check",
    _PAIRS: "run_pairwise",
    _SYSTEMS: "run_with_anthropic run_with_litellm run_with_openai",
    _LOCK: "lock verify_lock write_lock",
    _VALIDATE: "validate",
    _SUITES: (
        "eu_ai_act_high_risk for_agents for_chatbot for_classification for_coding for_document_intelligence "
        "for_financial for_legal for_medical for_rag for_regulated for_summarization for_support_bot hipaa_safe_harbor"
    ),
}
# An `except` clause takes nothing but exceptions.
_MULTIVON_ERRORS = ("CacheError", "CalibrationMissing", "ComplianceError", "LockMismatch", "SecretsError")
_OTHER_ERRORS = {
    "AmbiguousCaseShape": ValueError,
    "AmbiguousSiteError": Exception,
    "BaselineError": Exception,
    "ProvenanceError": Exception,
}


class NotInDropin(RuntimeError, AttributeError):
    """A name was used that multivon-eval has and the drop-in has not; `advice` says what does the job.

    It is an AttributeError as well, so that `hasattr` and `getattr` with a default see what is not there.
    """

    def __init__(self, missing: str, advice: str) -> None:
        super().__init__(f"ringtrue's drop-in for multivon_eval has no {missing}: {advice}; see {PAGE}")
        self.missing, self.advice = missing, advice

    def __reduce__(self) -> tuple[type[NotInDropin], tuple[str, str]]:
        return type(self), (self.missing, self.advice)


class Absent(ABCMeta):
    """A class that may be imported, named, subclassed and tested against; whatever else is done with it raises."""

    _why: tuple[str, str]

    def _refuse(cls, *args: object, **kwargs: object) -> NoReturn:
        raise NotInDropin(*cls._why)

    __call__ = __getitem__ = __contains__ = _refuse

    def __iter__(cls) -> Iterator[object]:
        cls._refuse()

    def __getattr__(cls, name: str) -> NoReturn:
        cls._refuse()


@cache
def absent(name: str, advice: str) -> Absent:
    """The class that stands for an absent name: the same one wherever it is imported from."""
    from multivon_eval.exceptions import MultivonError  # which imports this module

    errors = {**dict.fromkeys(_MULTIVON_ERRORS, MultivonError), **_OTHER_ERRORS}
    bases = (errors[name],) if name in errors else ()
    return Absent(name, bases, {"_why": (name, advice), "__doc__": f"Not here: {advice}.", "__module__": __name__})


def absent_names(module: str) -> dict[str, str]:
    """What to use for each absent name of a module of multivon_eval; a package has those of its modules, too."""
    inside = module.removeprefix("multivon_eval").removeprefix(".")
    homes = [home for home in _NAMES if f"{home}.".startswith(f"{inside}.") or not inside]
    return {name: advice for home in homes for name, advice in _advice(_NAMES[home]).items()}


def absent_methods() -> dict[str, Absent]:
    """The absent methods of EvalSuite."""
    return {name: absent(name, advice) for name, advice in _advice(_METHODS).items()}


def absent_from(module: str) -> Callable[[str], Absent]:
    """The `__getattr__` of a module: its absent names, and an AttributeError for any other name."""
    table = absent_names(module)

    def found(name: str) -> Absent:
        if name not in table:
            raise AttributeError(f"module {module!r} has no attribute {name!r}; {PAGE} says what the drop-in has")
        return absent(name, table[name])

    return found


def _advice(table: dict[str, str]) -> dict[str, str]:
    return {name: advice for advice, names in table.items() for name in names.split()}
