"""Texts taken apart: what all readers of replies share.

reply             what a model's reply says to its reader; normal_form: Unicode forms in bounded time
sentences, word_tokens      as NLTK cuts them
markdown_blocks -> passages -> bm25      blocks, sentences and rows of a document; which of them match a query
"""
