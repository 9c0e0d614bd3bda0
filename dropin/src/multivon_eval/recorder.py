"""Prompts noted while a program runs; what does it is ringtrue's."""

from __future__ import annotations

from ringtrue.prompts import recorder
from ringtrue.prompts.recordings import (
    DEFAULT_RECORDINGS_NAME,
    RECORDER_VERSION,
    RECORDINGS_SCHEMA_VERSION,
    TRUST_TIERS,
    BindingProposal,
    ObservedVerdict,
    RecorderError,
    apply_bindings,
    compare_observed,
    load_recordings,
    merge_recording_dicts,
    merge_recordings_into_baseline,
    merge_runtime_records,
    propose_bindings,
    runtime_records_from_recordings,
    runtime_target,
    unmerged_runtime_sites,
    write_recordings,
)
from ringtrue.prompts.stamps import RUNTIME_SOURCE
from ringtrue.systems.asked_case import (
    bind_case,
    get_active_case,
    recording_active,
    reset_active_case,
    set_active_case,
    unbind_case,
)

__all__ = [
    "DEFAULT_RECORDINGS_NAME",
    "RECORDER_VERSION",
    "RECORDINGS_SCHEMA_VERSION",
    "RUNTIME_SOURCE",
    "TRUST_TIERS",
    "BindingProposal",
    "ObservedVerdict",
    "PromptRecorder",
    "RecorderError",
    "apply_bindings",
    "bind_case",
    "compare_observed",
    "get_active_case",
    "load_recordings",
    "merge_recording_dicts",
    "merge_recordings_into_baseline",
    "merge_runtime_records",
    "propose_bindings",
    "record_prompts",
    "recording_active",
    "reset_active_case",
    "runtime_records_from_recordings",
    "runtime_target",
    "set_active_case",
    "unbind_case",
    "unmerged_runtime_sites",
    "write_recordings",
]


class PromptRecorder(recorder.PromptRecorder):
    """ringtrue's recorder, whose functions are told by multivon-eval's mark."""

    mark = "__multivon_recorder__"


record_prompts = PromptRecorder
