"""Matches, tournaments and sweeps between agents that are names or objects.

Games and agents may be objects: a `Game` made in a notebook, an `Agent` with a rule of your own.
Where its text says all about an object, the object is the same as the text. Any other travels to
the worker processes as a pickle: functions and classes of a notebook by value, those of modules by
import. One that cannot travel is played in this process, with a warning, or refused if `workers`
asks for several; with workers=1 nothing travels.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from uctlab.agents import Agent
from uctlab.api import arguments
from uctlab.api.kernel_errors import tells_kernel_errors
from uctlab.api.running import Bounds, Field, Openings, play, settings_of
from uctlab.arena.objects import Given
from uctlab.arena.result import MatchResult
from uctlab.arena.sweep import SweepResult, SweepRow, combinations, vary
from uctlab.arena.tasks import Progress
from uctlab.arena.tournament import TournamentResult, pairings, rate
from uctlab.errors import UsageError
from uctlab.games import Game


@tells_kernel_errors
def match(
    game: Game | str,
    a: Agent | str,
    b: Agent | str,
    *,
    games: int = 100,
    playouts: int | None = None,
    seconds: float | None = None,
    openings: Openings = 0,
    reuse: bool = False,
    resign: float = 0,
    seed: int = 0,
    sprt: Bounds | None = None,
    store: Path | str | None = None,
    mix_versions: bool = False,
    device: str = "cpu",
    workers: int | None = None,
    progress: bool | Progress = True,
) -> MatchResult:
    """Play two agents, or programs that speak GTP, against each other.

    Args:
        game: A name such as "hex:7" or "my_game.py", or a `Game`.
        a: A name such as "auct(k=3)", an `Agent`, or a program: 'gtp:"gnugo --mode gtp"'.
        b: The opponent, likewise. The two take turns moving first.
        games: How many games are played; with `sprt`, at most.
        playouts: Budget per move. The first budget that is spent ends a search.
        seconds: Budget per move.
        openings: Number of random moves at the start, the same for both games of a pair; or lines
            of play such as "f5 d6", one for each pair in turn; or a file of them or of whole games
            (SGF, WTHOR, GGF): "games.wtb:8" is the first 8 moves of each game.
        reuse: Whether agents keep their trees from move to move.
        resign: Our agents resign when two searches in a row expect to score less than this many
            percent; 0 for never.
        seed: The same seed gives the same games, unless the budget is in seconds.
        sprt: Two differences in normalized Elo; the match ends when one of them is accepted.
        store: An SQLite file that keeps every game: the same call resumes where an earlier one was
            stopped. A rule or game that was edited begins a new match.
        mix_versions: Go on with games of a version of uctlab that had other kernels.
        device: "cpu", "cuda", "ray" or "ray:ADDRESS".
        workers: How many games run at once, by default one per core; 1 plays in this process.
        progress: False for no bar; or a function that is called with the number of finished games,
            the number of all games, and two more arguments (see arena/tasks.py).

    Returns:
        The result: it prints as text, shows itself in notebooks, and has `to_frame()`,
        `games_frame()` and `plot()`. Ctrl-C ends a match early, with the games so far.

    Examples:
        >>> result = uctlab.match("hex:4", "uct", "mc", games=4, playouts=50, workers=1)
        >>> result.score.games
        4
    """
    field = Field(game, "match")
    players = field.player(a), field.player(b)
    settings = settings_of(locals())
    plan = field.plan(*players, settings)
    (result,) = play("match", [plan], games, settings, progress)
    return result


@tells_kernel_errors
def tournament(
    game: Game | str,
    players: Iterable[Agent | str],
    *,
    kind: str = "round-robin",
    games: int = 20,
    playouts: int | None = None,
    seconds: float | None = None,
    openings: Openings = 0,
    reuse: bool = False,
    resign: float = 0,
    seed: int = 0,
    store: Path | str | None = None,
    mix_versions: bool = False,
    device: str = "cpu",
    workers: int | None = None,
    progress: bool | Progress = True,
) -> TournamentResult:
    """Play a match for every pairing of some players and rate them.

    Args:
        game: A name or a `Game`, as for `match`.
        players: Names, `Agent` objects or programs, as for `match`. Of objects with the same name
            the later ones get a number.
        kind: "round-robin" (every player meets every other) or "gauntlet" (the first player meets
            all others).
        games: How many games each pairing plays.
        playouts: Budget per move.
        seconds: Budget per move; the first one that is spent ends a search.
        openings: As for `match`.
        reuse: Whether agents keep their trees from move to move.
        resign: As for `match`.
        seed: The same seed gives the same games, unless the budget is in seconds.
        store: An SQLite file that keeps every game, as for `match`.
        mix_versions: As for `match`.
        device: "cpu", "cuda", "ray" or "ray:ADDRESS".
        workers: How many games run at once, over all matches.
        progress: False for no bar, or a function, as for `match`.

    Returns:
        The cross table and Bradley-Terry ratings: it prints as text, shows itself in notebooks, and
        has `to_frame()` and `plot()`.

    Examples:
        >>> table = uctlab.tournament("hex:3", ["uct", "mc"], games=2, playouts=20, workers=1)
        >>> [rating.games for rating in table.ratings]
        [2, 2]
    """
    field = Field(game, "tournament")
    if isinstance(players, str) or not isinstance(players, Iterable):
        raise UsageError('players must be a list, such as ["uct", "auct(k=3)"]')
    names: list[str] = []
    own: dict[str, Given] = {}
    for player in players:
        name, given = field.player(player)
        if given is not None:
            name = _new_name(name, names)
            own[name] = given
        names.append(name)
    settings = settings_of(locals())
    plans = [
        field.plan((a, own.get(a)), (b, own.get(b)), settings)
        for a, b in pairings(arguments.text("kind", kind), names, own)
    ]
    return rate(play("tournament", plans, games, settings, progress))


@tells_kernel_errors
def sweep(
    game: Game | str,
    base: Agent | str,
    grid: Mapping[str, Sequence[Any]],
    *,
    agent: Agent | str | None = None,
    games: int = 100,
    playouts: int | None = None,
    seconds: float | None = None,
    openings: Openings = 0,
    reuse: bool = False,
    resign: float = 0,
    seed: int = 0,
    sprt: Bounds | None = None,
    store: Path | str | None = None,
    mix_versions: bool = False,
    device: str = "cpu",
    workers: int | None = None,
    progress: bool | Progress = True,
) -> SweepResult:
    """Play every combination of some options of an agent against the same opponent.

    Args:
        game: A name or a `Game`, as for `match`.
        base: The opponent: a name, an `Agent` or a program.
        grid: Options and the values that are tried, such as {"k": [2, 3, 4], "c": [0.7, 1]}. The
            values of `select` and `backup` may be rules as objects.
        agent: The agent that gets the options, such as "auct" or "uct(expand=10)"; by default
            the opponent itself.
        games: How many games each combination plays; with `sprt`, at most.
        playouts: Budget per move.
        seconds: Budget per move; the first one that is spent ends a search.
        openings: As for `match`.
        reuse: Whether agents keep their trees from move to move.
        resign: As for `match`.
        seed: The same seed gives the same games, unless the budget is in seconds.
        sprt: As for `match`.
        store: An SQLite file that keeps every game, as for `match`.
        mix_versions: As for `match`.
        device: "cpu", "cuda", "ray" or "ray:ADDRESS".
        workers: How many games run at once, over all matches.
        progress: False for no bar, or a function, as for `match`.

    Returns:
        A row for each combination, with the match against the opponent; it prints as text, shows
        itself in notebooks, and has `to_frame()`, `plot()` and `best`.

    Examples:
        >>> found = uctlab.sweep("hex:3", "mc", {"c": [0.5, 1]}, agent="uct", games=2,
        ...                      playouts=20, workers=1)
        >>> [row.options for row in found.rows]
        [{'c': 0.5}, {'c': 1}]
    """
    field = Field(game, "sweep")
    opponent = field.player(base)
    varied = base if agent is None else agent
    if not isinstance(varied, str | Agent):
        raise UsageError(f"agent must be a name or an Agent, not a {type(varied).__name__}")
    settings = settings_of(locals())
    chosen = combinations(grid)
    plans = [
        field.plan(field.player(vary(varied, options)), opponent, settings) for options in chosen
    ]
    results = play("sweep", plans, games, settings, progress)
    rows = (SweepRow(options, result) for options, result in zip(chosen, results, strict=True))
    return SweepResult(str(varied), opponent[0], tuple(grid), tuple(rows))


def _new_name(name: str, taken: list[str]) -> str:
    number = 2
    found = name
    while found in taken:
        found, number = f"{name}#{number}", number + 1
    return found
