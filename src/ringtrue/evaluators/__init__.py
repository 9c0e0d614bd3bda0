"""Every evaluator by its class name, loaded when it is first asked for."""

from __future__ import annotations

from ringtrue._lazy import exports
from ringtrue.evaluators.built_in import CLASSES

TYPE_CHECKING = False  # spelled out: `typing` alone would load a dozen modules
if TYPE_CHECKING:
    from ringtrue.evaluators.adapt import as_evaluator as as_evaluator
    from ringtrue.evaluators.answer_found import AnswerFound as AnswerFound
    from ringtrue.evaluators.answer_quality import AnswerQuality as AnswerQuality
    from ringtrue.evaluators.babilong import BABILong as BABILong
    from ringtrue.evaluators.bleu import BLEU as BLEU
    from ringtrue.evaluators.chrf import ChrF as ChrF
    from ringtrue.evaluators.code_execution import CodeExecution as CodeExecution
    from ringtrue.evaluators.combined import AllOf as AllOf
    from ringtrue.evaluators.combined import AnyOf as AnyOf
    from ringtrue.evaluators.combined import Not as Not
    from ringtrue.evaluators.contains import Contains as Contains
    from ringtrue.evaluators.contains import NotContains as NotContains
    from ringtrue.evaluators.conversation_calls import ConversationCalls as ConversationCalls
    from ringtrue.evaluators.diff_files import DiffApplies as DiffApplies
    from ringtrue.evaluators.diff_files import DiffFiles as DiffFiles
    from ringtrue.evaluators.drop import DROP as DROP
    from ringtrue.evaluators.exact_match import ExactMatch as ExactMatch
    from ringtrue.evaluators.final_answer import FinalAnswer as FinalAnswer
    from ringtrue.evaluators.ifbench import IFBench as IFBench
    from ringtrue.evaluators.ifeval import IFEval as IFEval
    from ringtrue.evaluators.ifeval_checker import IFEvalChecker as IFEvalChecker
    from ringtrue.evaluators.infinitebench import InfiniteBench as InfiniteBench
    from ringtrue.evaluators.is_json import IsJSON as IsJSON
    from ringtrue.evaluators.json_equals import JSONEquals as JSONEquals
    from ringtrue.evaluators.json_schema import JSONSchemaEval as JSONSchemaEval
    from ringtrue.evaluators.judged.check_criteria import CheckCriteriaEvaluator as CheckCriteriaEvaluator
    from ringtrue.evaluators.judged.check_criteria import CheckCriteriaEvaluatorConfig as CheckCriteriaEvaluatorConfig
    from ringtrue.evaluators.judged.claim_verification import ClaimVerificationEvaluator as ClaimVerificationEvaluator
    from ringtrue.evaluators.judged.claim_verification import (
        ClaimVerificationEvaluatorConfig as ClaimVerificationEvaluatorConfig,
    )
    from ringtrue.evaluators.judged.claim_verification import (
        InputClaimVerificationEvaluator as InputClaimVerificationEvaluator,
    )
    from ringtrue.evaluators.judged.claim_verification import InputContext as InputContext
    from ringtrue.evaluators.judged.claim_verification import (
        OutputClaimVerificationEvaluator as OutputClaimVerificationEvaluator,
    )
    from ringtrue.evaluators.judged.claim_verification import (
        OutputClaimVerificationEvaluatorMetrics as OutputClaimVerificationEvaluatorMetrics,
    )
    from ringtrue.evaluators.judged.config import BaseEvaluatorConfig as BaseEvaluatorConfig
    from ringtrue.evaluators.judged.guidance import GuidanceEvaluator as GuidanceEvaluator
    from ringtrue.evaluators.judged.guidance import GuidanceEvaluatorConfig as GuidanceEvaluatorConfig
    from ringtrue.evaluators.judged.guidance import InputGuidanceEval as InputGuidanceEval
    from ringtrue.evaluators.judged.guidance import OutputGuidanceEval as OutputGuidanceEval
    from ringtrue.evaluators.judged.guidance import generate_capability_manifest as generate_capability_manifest
    from ringtrue.evaluators.judged.judge_panel import JudgePanel as JudgePanel
    from ringtrue.evaluators.judged.llm_judge import LLMJudge as LLMJudge
    from ringtrue.evaluators.judged.pairwise_judge import PairwiseJudge as PairwiseJudge
    from ringtrue.evaluators.judged.preference_adherence import InputUserPreferences as InputUserPreferences
    from ringtrue.evaluators.judged.preference_adherence import (
        OutputPreferenceAdherenceEvaluator as OutputPreferenceAdherenceEvaluator,
    )
    from ringtrue.evaluators.judged.preference_adherence import (
        PreferenceAdherenceEvaluator as PreferenceAdherenceEvaluator,
    )
    from ringtrue.evaluators.judged.question_judge import QuestionJudge as QuestionJudge
    from ringtrue.evaluators.judged.rubric_judge import RubricJudge as RubricJudge
    from ringtrue.evaluators.judged.semantic_test import SemanticTestEvaluator as SemanticTestEvaluator
    from ringtrue.evaluators.judged.semantic_test import SemanticTestEvaluatorConfig as SemanticTestEvaluatorConfig
    from ringtrue.evaluators.judged.short_answer_judge import ShortAnswerJudge as ShortAnswerJudge
    from ringtrue.evaluators.judged.tool_usage import InputTool as InputTool
    from ringtrue.evaluators.judged.tool_usage import InputToolUsageEvaluator as InputToolUsageEvaluator
    from ringtrue.evaluators.judged.tool_usage import OutputToolUsageEvaluator as OutputToolUsageEvaluator
    from ringtrue.evaluators.judged.tool_usage import ToolUsageEvaluator as ToolUsageEvaluator
    from ringtrue.evaluators.judged.tool_usage import ToolUsageEvaluatorConfig as ToolUsageEvaluatorConfig
    from ringtrue.evaluators.judged.turn_ratings import TurnRatings as TurnRatings
    from ringtrue.evaluators.latency import Latency as Latency
    from ringtrue.evaluators.latency import MaxLatency as MaxLatency
    from ringtrue.evaluators.lenient_answer import LenientAnswer as LenientAnswer
    from ringtrue.evaluators.levenshtein import Levenshtein as Levenshtein
    from ringtrue.evaluators.locomo import LoCoMo as LoCoMo
    from ringtrue.evaluators.longbench import LongBench as LongBench
    from ringtrue.evaluators.math_equivalence import MathEquivalence as MathEquivalence
    from ringtrue.evaluators.multiple_choice import MultipleChoiceAccuracy as MultipleChoiceAccuracy
    from ringtrue.evaluators.nli_label_match import NLILabelMatch as NLILabelMatch
    from ringtrue.evaluators.node_set import NodeSet as NodeSet
    from ringtrue.evaluators.not_empty import NotEmpty as NotEmpty
    from ringtrue.evaluators.numeric_match import NumericMatch as NumericMatch
    from ringtrue.evaluators.option_set import OptionSet as OptionSet
    from ringtrue.evaluators.personal_data import PersonalData as PersonalData
    from ringtrue.evaluators.prefixed_similarity import PrefixedSimilarity as PrefixedSimilarity
    from ringtrue.evaluators.regex_match import RegexMatch as RegexMatch
    from ringtrue.evaluators.rouge import ROUGE as ROUGE
    from ringtrue.evaluators.rouge_scores import RougeScores as RougeScores
    from ringtrue.evaluators.scrolls_rouge import ScrollsRouge as ScrollsRouge
    from ringtrue.evaluators.spec import build as build
    from ringtrue.evaluators.squad_v2 import SQuADv2 as SQuADv2
    from ringtrue.evaluators.starts_with import EndsWith as EndsWith
    from ringtrue.evaluators.starts_with import StartsWith as StartsWith
    from ringtrue.evaluators.stated_confidence import StatedConfidence as StatedConfidence
    from ringtrue.evaluators.string_match import StringMatch as StringMatch
    from ringtrue.evaluators.summarization_quality import SummarizationQuality as SummarizationQuality
    from ringtrue.evaluators.tool_call_made import ToolCallMade as ToolCallMade
    from ringtrue.evaluators.tool_calls import ToolCallMatch as ToolCallMatch
    from ringtrue.evaluators.truth_overlap import TruthOverlap as TruthOverlap
    from ringtrue.evaluators.turn_instructions import TurnInstructions as TurnInstructions
    from ringtrue.evaluators.word_count import WordCount as WordCount

_FUNCTIONS = {
    "as_evaluator": "ringtrue.evaluators.adapt",
    "build": "ringtrue.evaluators.spec",
    "generate_capability_manifest": "ringtrue.evaluators.judged.guidance",
}

_RECORDS = {
    "BaseEvaluatorConfig": "ringtrue.evaluators.judged.config",
    "CheckCriteriaEvaluatorConfig": "ringtrue.evaluators.judged.check_criteria",
    "ClaimVerificationEvaluatorConfig": "ringtrue.evaluators.judged.claim_verification",
    "GuidanceEvaluatorConfig": "ringtrue.evaluators.judged.guidance",
    "InputClaimVerificationEvaluator": "ringtrue.evaluators.judged.claim_verification",
    "InputContext": "ringtrue.evaluators.judged.claim_verification",
    "InputGuidanceEval": "ringtrue.evaluators.judged.guidance",
    "InputTool": "ringtrue.evaluators.judged.tool_usage",
    "InputToolUsageEvaluator": "ringtrue.evaluators.judged.tool_usage",
    "InputUserPreferences": "ringtrue.evaluators.judged.preference_adherence",
    "OutputClaimVerificationEvaluator": "ringtrue.evaluators.judged.claim_verification",
    "OutputClaimVerificationEvaluatorMetrics": "ringtrue.evaluators.judged.claim_verification",
    "OutputGuidanceEval": "ringtrue.evaluators.judged.guidance",
    "OutputPreferenceAdherenceEvaluator": "ringtrue.evaluators.judged.preference_adherence",
    "OutputToolUsageEvaluator": "ringtrue.evaluators.judged.tool_usage",
    "SemanticTestEvaluatorConfig": "ringtrue.evaluators.judged.semantic_test",
    "ToolUsageEvaluatorConfig": "ringtrue.evaluators.judged.tool_usage",
}
"""What transcript evaluations take and return."""

__getattr__, __dir__, __all__ = exports(__name__, CLASSES | _FUNCTIONS | _RECORDS)
