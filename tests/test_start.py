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
    code = f"""
import sys
sys.argv[1:] = {arguments.split()}
from uctlab.cli.start import main
try:
    main()
except SystemExit:
    print("loaded:", {{"numba", "numpy"}} & sys.modules.keys())
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert len(ran.stdout.splitlines()) > 1
    assert ran.stdout.endswith("loaded: set()\n")


def test_the_package_loads_neither_numba_nor_numpy():
    code = "import sys, uctlab; print({'numba', 'numpy'} & sys.modules.keys())"
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
