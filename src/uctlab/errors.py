"""The user's mistakes, as opposed to ours: one line that names the mistake and what is accepted."""


class UsageError(ValueError):
    """Shown without a traceback by the command line, which then exits with code 2."""


class LabError(RuntimeError):
    """Not the user's doing: a full disk, a worker that keeps dying; exit code 1."""


def first_lines(error: Exception) -> str:
    """What went wrong and where, of Numba's message on a kernel, which may be pages long."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    said = next((line for line in lines if not line.startswith("Failed in")), "")
    place = next((f" ({line.rstrip(':')})" for line in lines if line.startswith("File ")), "")
    return f"{type(error).__name__}: {said}{place}"
