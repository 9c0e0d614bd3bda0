"""Evaluators that ask a model."""
