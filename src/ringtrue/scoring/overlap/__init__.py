"""The overlap of two texts, as the reference tools compute it.

tokenizers -> ngrams -> bleu, chrf (corpus: whole corpora, signatures)      as sacreBLEU
porter -> rouge <- union_lcs (the core of ROUGE-Lsum)                       as rouge-score
          rouge <- script_words (tokens of other scripts)
squad (token F1, exact match)                                               as SQuAD v1.1
edits (Levenshtein)
"""
