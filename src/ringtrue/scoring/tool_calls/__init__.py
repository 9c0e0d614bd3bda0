"""Tool calls: read_calls finds them in a reply, steps in a step of a conversation; call_match compares them with the
expected ones, bfcl_services carries them out."""
