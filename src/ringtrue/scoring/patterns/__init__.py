"""Regular expressions in bounded time: bounded_search picks the engine, cost bounds the work that `re` could do on a
pattern, translation says the pattern again for the engine that can be stopped.
"""
