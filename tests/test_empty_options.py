"""An empty text, such as that of a shell's variable that is not set, never means "not given"."""

import pytest
import typer

import uctlab as package
from uctlab.cli.main import COMMANDS, program
from uctlab.errors import UsageError


def options():
    """Every option that takes a value, with the words of its command; no moves are a value."""
    found = []
    for name in COMMANDS:
        command = typer.main.get_command(program(name)).commands[name]
        parts = {(): command}
        parts |= {(sub,): one for sub, one in getattr(command, "commands", {}).items()}
        for words, part in parts.items():
            for param in part.params:
                takes_value = param.param_type_name == "option" and not param.is_flag
                if takes_value and param.default != "":
                    found.append(((name, *words), max(param.opts, key=len)))
    return found


@pytest.mark.parametrize(("words", "option"), options(), ids=str)
def test_an_empty_option_is_refused(uctlab, words, option):
    code, out, err = uctlab(*words, option, "")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"uctlab: {option} is empty; give it a value")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("lab", ""), "GAME is empty; give it a value or leave it out"),
        (("show", ""), "GAME is empty; give it a value"),
        (("warm", "hex:3", ""), "GAME is empty; give it a value or leave it out"),
        (("match", "hex:3", "uct", ""), "B is empty; give it a value"),
    ],
)
def test_an_empty_argument_is_refused(uctlab, arguments, says):
    assert uctlab(*arguments) == (2, "", f"uctlab: {says}\n")


def test_no_moves_are_the_start(uctlab):
    assert len(options()) > 100
    assert uctlab("show", "hex:3", "--moves", "") == uctlab("show", "hex:3")


@pytest.mark.parametrize("call", [package.match, package.tournament, package.tune])
def test_an_empty_path_in_python(call):
    given = {"uct": {"c": (0.2, 2.0)}} if call is package.tune else {"uct": "uct"}
    players = [["uct", "mc"]] if call is package.tournament else [*given, *given.values()]
    with pytest.raises(UsageError, match="store is empty; give a path or None"):
        call("hex:3", *players, playouts=5, store="", progress=False)
