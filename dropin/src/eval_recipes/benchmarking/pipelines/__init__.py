"""Benchmarks as graphs of jobs."""
