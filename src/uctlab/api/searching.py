"""Single searches, counts of lines of play, and checks, as functions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from uctlab.agents import Agent
from uctlab.agents.refusals import is_ours
from uctlab.api import arguments
from uctlab.api.kernel_errors import tells_kernel_errors
from uctlab.errors import UsageError
from uctlab.games import CheckReport, ConformanceError, Game, Position, make_game
from uctlab.games.conformance import SECONDS
from uctlab.games.conformance import check as check_game
from uctlab.mcts.report import SearchReport
from uctlab.mcts.rule_check import RuleError, RuleReport, check_rule
from uctlab.mcts.searcher import DEFAULT_MEMORY, make_searcher


@tells_kernel_errors
def search(
    position: Position | Game | str,
    agent: Agent | str = "uct",
    *,
    playouts: int | None = None,
    seconds: float | None = None,
    seed: int = 0,
    memory: int = DEFAULT_MEMORY,
) -> SearchReport:
    """Search one position.

    Args:
        position: A `Position`, or a game or its name for the start of that game.
        agent: An agent or its text, such as "auct(k=3)".
        playouts: Budget in playouts. The search ends when the first budget is spent, or with
            Ctrl-C, which keeps what is known.
        seconds: Budget in seconds.
        seed: The same seed and number of playouts give the same tree, unless there are threads.
        memory: Limit on the size of the tree's nodes, in bytes.

    Returns:
        The report: it prints as text, shows board and heat map in notebooks, and has `best`,
        `moves`, `pv`, `tree`, `to_frame()` and `plot()`.

    Examples:
        >>> report = uctlab.search("hex:4", "auct(k=3)", playouts=2000, seed=1)
        >>> report.best, report.pv[:2]
        ('b3', ('b3', 'a4'))
    """
    who = _agent(agent)
    root = _position(position)
    seed = arguments.whole("seed", seed, 0)
    searcher = make_searcher(root.game, who, seed=seed, memory=memory)
    report = searcher.search(
        root,
        playouts=arguments.whole_or_none("playouts", playouts, 1),
        seconds=arguments.seconds_or_none(seconds),
    )
    letters = root.letters
    moves = tuple(replace(move, letter=letters.get(move.move)) for move in report.moves)
    return replace(report, moves=moves)


@tells_kernel_errors
def perft(position: Position | Game | str, depth: int) -> int:
    """Count the lines of play of some length, which tests the rules of a game.

    Args:
        position: A `Position`, or a game or its name for the start of that game.
        depth: How many moves; a line that ends earlier counts too.

    Returns:
        The number of lines.

    Examples:
        >>> uctlab.perft("othello", 5)
        1396
    """
    return _position(position).perft(arguments.whole("depth", depth, 0))


def check(
    what: Any,
    *,
    games: int = 20,
    seed: int = 0,
    seconds: float = SECONDS,
    compiled: bool = True,
) -> CheckReport | RuleReport:
    """Check a game or a rule of your own against everything that a search relies on.

    Args:
        what: A `Game` or its name, a rule (a module, a class or any object with its kernels), or an
            `Agent` with a rule of your own and the options that the rule needs.
        games: Number of random games that a game is played.
        seed: Seed of these games and searches.
        seconds: Give up after this long, compilation included, and say what was running.
        compiled: False leaves everything plain Python, which finds most mistakes sooner.

    Returns:
        What it has passed. A UsageError says which promise is broken, and where.

    Examples:
        >>> print(uctlab.check("hex:3", games=10, compiled=False))
        hex:3 keeps the contract: 2 random games with ... moves, ... playouts, interpreted
    """
    try:
        if isinstance(what, str | Game):
            game = make_game(what) if isinstance(what, str) else what
            return check_game(game, games, seed, seconds=seconds, compiled=compiled)
        if not isinstance(what, Agent):
            return check_rule(what, seed=seed, seconds=seconds, compiled=compiled)
        own = [rule for rule in (what.select, what.backup) if not is_ours(rule)]
        if not own:
            raise UsageError(f"{what} has no rule of your own to check")
        for rule in own:
            report = check_rule(rule, what, seed=seed, seconds=seconds, compiled=compiled)
        return report
    except (ConformanceError, RuleError) as broken:
        raise UsageError(str(broken)) from None


def _agent(agent: Agent | str) -> Agent | str:
    if not isinstance(agent, Agent | str):
        raise UsageError(
            f"agent must be an Agent or a text such as auct(k=3), not a {type(agent).__name__}"
        )
    return agent


def _position(position: Position | Game | str) -> Position:
    if isinstance(position, Position):
        return position
    if isinstance(position, Game | str):
        return Position.start(position)
    raise UsageError(
        "position must be a Position, a Game or the name of a game, not a "
        f"{type(position).__name__}"
    )
