"""Labels of natural language inference in a reply.

labels -> label_sentence (what one sentence claims or denies) <- label_words (vocabulary), no_evidence (phrases)
"""
