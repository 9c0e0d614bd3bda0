"""One walk over an expression, in three arithmetics.

walk         the walk that all share
exact        rational numbers without rounding
modular      modulo a large prime: two rational functions that agree at a random point are the same
decimals     sixty decimals for what is irrational: complexes, elementary (sine, cosine, arc tangent, pi)
"""
