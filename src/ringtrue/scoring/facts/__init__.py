"""Facts that can be compared exactly: amounts, dates, quotations.

exact_facts        a text -> its quotations, dates and amounts; whether a source bears them out
amounts            numbers with units and precision; spelled_amounts: a third, a decade, the fourteenth
prose_units        units behind a number, and when two measures are the same
dates              days, months, years, decades
numbers            one number read from a short text, for NumericMatch
"""
