"""The harness that puts coding agents into containers, scores and compares them."""
