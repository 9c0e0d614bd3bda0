"""Making cases and holding conversations, with a model that writes (the author) or without one.

    text -> cases          make_cases: text_pieces -> text_cases (what is asked for) -> writing -> author -> case_gates
    weakness -> cases      weaknesses: cases that a system with a known weakness gets wrong
    cases -> cases         twins (a false answer beside a true one), varied_cases: variants (small changes)
    system -> talk         simulation: personas -> talk (one conversation, turn by turn; refusals) -> talk_file

`writing` says what the author is asked for and reads the reply; `author` asks, within a budget.
"""
