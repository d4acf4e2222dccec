"""The program in a fork of the tests' own process: it starts with all modules loaded."""

import os
import subprocess
import sys
import tempfile
import traceback
from pathlib import Path

import numba

from uctlab.cli.main import main


def run_forked(*arguments, folder, plain=False, before=None, **variables):
    """What `uctlab` does with those arguments in that folder, as subprocess.run returns it.

    Starting a new Python takes a second, and is itself what few tests are about. What the program
    loads or changes stays in the fork. With `plain` its kernels are interpreted; `before` is called
    first, as subprocess's preexec_fn.
    """
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        sys.stdout.flush()
        sys.stderr.flush()
        child = os.fork()
        if child == 0:
            _serve(arguments, folder, plain, before, variables, (out, err))
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read().decode())
    return subprocess.CompletedProcess(arguments, code, *texts)


def _serve(arguments, folder, plain, before, variables, files):
    code = 70
    try:
        for number, file in enumerate(files, start=1):
            os.dup2(file.fileno(), number)
        sys.stdout, sys.stderr = (os.fdopen(fd, "w", closefd=False) for fd in (1, 2))
        os.chdir(Path(folder))
        os.environ.update(variables)
        if plain:
            os.environ["NUMBA_DISABLE_JIT"] = "1"
            numba.config.DISABLE_JIT = 1
        sys.argv = ["uctlab", *map(str, arguments)]
        if before is not None:
            before()
        try:
            main()
            code = 0
        except SystemExit as stop:
            code = stop.code or 0
        sys.stdout.flush()
        sys.stderr.flush()
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(code)
