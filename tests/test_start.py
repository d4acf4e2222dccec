"""What the program loads before it does anything: listings must not wait for Numba."""

import inspect
import subprocess
import sys
from importlib import import_module

import pytest
import typer

from uctlab.cli.main import COMMANDS, program
from uctlab.games import FAMILIES, make_game
from uctlab.games.registry import game_spec


@pytest.mark.parametrize("arguments", ["--help", "", "--version", "games", "agents --json"])
def test_listings_load_neither_numba_nor_numpy(arguments):
    """But for agents, whose options are declared beside their kernels, which need NumPy."""
    unwanted = {"numba"} if arguments == "agents --json" else {"numba", "numpy"}
    code = f"""
import sys
sys.argv[1:] = {arguments.split()}
from uctlab.cli.start import main
try:
    main()
except SystemExit:
    print("loaded:", {unwanted} & sys.modules.keys())
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert len(ran.stdout.splitlines()) > 1
    assert ran.stdout.endswith("loaded: set()\n")


def test_the_package_loads_neither_numba_nor_numpy():
    code = "import sys, uctlab; print({'numba', 'numpy'} & sys.modules.keys())"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "set()\n"


@pytest.mark.parametrize(
    "code",
    [
        "import uctlab.parts.listing, uctlab.rules.interface, uctlab.games.api",
        "import uctlab; uctlab.kernel, uctlab.hole, uctlab.below, uctlab.popcount",
        # What plain Python needs: a search whose kernels nobody compiles.
        """
import os
os.environ["NUMBA_DISABLE_JIT"] = "1"
from uctlab.agents import make_agent
from uctlab.games import Position, make_game
from uctlab.mcts.searcher import Searcher
game = make_game("hex:3")
assert Searcher(game, make_agent("uct"), seed=1).search(Position.start(game), playouts=9)
""",
    ],
)
def test_nothing_loads_numba_before_a_kernel_is_compiled(code):
    code += "\nimport sys; print({'numba', 'llvmlite'} & sys.modules.keys())"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "set()\n"


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_of_commands_says_what_they_say(name):
    command = typer.main.get_command(program(name)).commands[name]
    first_paragraph = command.help.partition("\n\n")[0]
    assert " ".join(first_paragraph.split()) == COMMANDS[name]


@pytest.mark.parametrize("name", FAMILIES)
def test_the_list_of_games_says_what_they_say(name):
    family = FAMILIES[name]
    make = import_module(family.module).make
    assert family.about == inspect.getdoc(make)
    assert family.usage == game_spec(name, **make_game(name).options)
