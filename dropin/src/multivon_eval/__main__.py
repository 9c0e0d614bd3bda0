"""`python -m multivon_eval`, which is not here, and says what is."""

from multivon_eval.absent import COMMANDS, NotInDropin

if __name__ == "__main__":
    raise SystemExit(str(NotInDropin("command line", COMMANDS)))
