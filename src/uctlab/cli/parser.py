"""The command-line parser: help without Python's types, and mistakes told in our words."""

from __future__ import annotations

import re
import sys
from typing import Any

from typer.core import TyperCommand, TyperGroup

from uctlab.errors import UsageError, name_hint


class _Plain:
    """What both kinds of commands have: types only for options that take a value, and no empty
    texts."""

    def get_params(self, ctx: Any) -> list[Any]:
        return _without_types(super().get_params(ctx))  # type: ignore[misc]

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        _refuse_empty(ctx, args)
        return list(super().parse_args(ctx, args))  # type: ignore[misc]


class Command(_Plain, TyperCommand):
    """A command with plain help."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        return [re.sub(r"\{(\w+)\}", r"\1", piece) for piece in super().collect_usage_pieces(ctx)]


class Group(_Plain, TyperGroup):
    """Likewise, for a command that has subcommands."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            hint = name_hint(args[0], self.list_commands(ctx))
            raise UsageError(f"{_path(ctx)} has no command '{args[0]}'; {hint}")
        return super().resolve_command(ctx, args)


def _refuse_empty(context: Any, args: list[str]) -> None:
    """UsageError for an empty text, such as that of a shell's variable that is not set: it is never
    the same as no text, except where it is the default itself."""
    given, _, _ = context.command.make_parser(context).parse_args(list(args))  # not converted yet
    for param in context.command.params:
        value = given.get(param.name)
        if "" in (value if isinstance(value, list | tuple) else [value]) and param.default != "":
            omitted = "" if param.required else " or leave it out"
            raise UsageError(f"{_name(param)} is empty; give it a value{omitted}")


def _without_types(params: list[Any]) -> list[Any]:
    for param in params:
        if param.param_type_name == "argument" or param.is_flag:
            param.display_type_rich = lambda ctx: ""  # `<bool>` looks as if a flag took a value
    return params


def told(mistake: Any) -> str:
    """What the parser complains about, and what is accepted."""
    teller = _TELLERS.get(type(mistake).__name__)
    said = teller(mistake) if teller else ""
    return said or str(mistake.format_message())  # empty if the help has been shown


def _wrong_value(mistake: Any) -> str:
    errors = getattr(mistake.__cause__, "errors", None)
    if errors is None or not (accepted := _accepted(mistake.param)):
        return ""
    return f"{_name(mistake.param)} takes {accepted}, not '{errors()[0]['input']}'"


def _missing(mistake: Any) -> str:
    if mistake.param.param_type_name == "option":
        return f"{_path(mistake.ctx)} needs {_name(mistake.param)} {mistake.param.metavar}"
    return f"{_name(mistake.param)} is missing: write {_usage(mistake.ctx)}"


def _no_option(mistake: Any) -> str:
    name, params = mistake.option_name, mistake.ctx.command.params
    if re.match("-[0-9.]", name):  # of -12 the parser names -1
        word = next((word for word in sys.argv if word.startswith(name)), name)
        for param in params:
            if param.param_type_name == "argument" and (accepted := _accepted(param)):
                return f"{_name(param)} takes {accepted}, not '{word}'"
    known = [option for param in params for option in (*param.opts, *param.secondary_opts)]
    options = [option for option in known if option.startswith("-")]
    return f"{_path(mistake.ctx)} has no option {name}; {name_hint(name, options)}"


def _wrong_use(mistake: Any) -> str:
    none = "does not take" in mistake.message
    return f"{mistake.option_name} takes {'no' if none else 'a'} value"


def _too_much(mistake: Any) -> str:
    extra = re.fullmatch(r"Got unexpected extra arguments?(?:\(s\))? \((.*)\)", mistake.message)
    return f"'{extra[1]}' is too much: write {_usage(mistake.ctx)}" if extra else ""


# By name: some versions of Typer have Click's classes, others a copy of them.
_TELLERS = {
    "BadParameter": _wrong_value,
    "MissingParameter": _missing,
    "NoSuchOption": _no_option,
    "BadOptionUsage": _wrong_use,
    "UsageError": _too_much,
}


def _path(context: Any) -> str:
    """The command without the program's name, which may be `python -m uctlab`."""
    root = context.find_root().command_path
    return str(context.command_path).removeprefix(root).strip() or "uctlab"


def _usage(context: Any) -> str:
    pieces = context.command.collect_usage_pieces(context)
    return " ".join(["uctlab", _path(context), *(p for p in pieces if p != "[OPTIONS]")])


def _name(param: Any) -> str:
    if param.param_type_name == "option":
        return str(max(param.opts, key=len))
    return str(param.metavar or param.name.upper())


def _accepted(param: Any) -> str:
    """What values it takes; empty if any text, or if this version of Typer does not tell."""
    kind = getattr(param, "type_descriptor", None)
    if kind is None:
        return ""
    if kind.choices:
        *others, last = (str(getattr(choice, "value", choice)) for choice in kind.choices)
        return f"{', '.join(others)} or {last}"
    word = {int: "a whole number", float: "a number"}.get(kind.annotation, "")
    low, high = kind.parameter_info.min, kind.parameter_info.max
    if word and low is not None:
        word += f" from {low:,} to {high:,}" if high is not None else f", at least {low:,}"
    return word
