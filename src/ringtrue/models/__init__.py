"""Asking a model: requests, replies, endpoints, and what they wear (limits, retries, caches, prices)."""
