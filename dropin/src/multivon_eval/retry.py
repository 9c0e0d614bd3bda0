"""`JudgeRetry`, which is not here."""

from multivon_eval.absent import absent_from

__getattr__ = absent_from(__name__)
