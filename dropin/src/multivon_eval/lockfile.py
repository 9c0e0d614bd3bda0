"""The locks of suites, which are not here."""

from multivon_eval.absent import absent_from

__getattr__ = absent_from(__name__)
