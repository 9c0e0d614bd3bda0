"""Tool calls: read_calls finds them in a reply, call_match compares them with the expected ones."""
