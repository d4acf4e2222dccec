"""The user's mistakes, as opposed to ours: one line that names the mistake and what is accepted."""


class UsageError(ValueError):
    """Shown without a traceback by the command line, which then exits with code 2."""
