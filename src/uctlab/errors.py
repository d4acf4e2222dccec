"""The user's mistakes, as opposed to ours: one line that names the mistake and what is accepted."""


class UsageError(ValueError):
    """Shown without a traceback by the command line, which then exits with code 2."""


class LabError(RuntimeError):
    """Not the user's doing: a full disk, a worker that keeps dying; exit code 1."""
