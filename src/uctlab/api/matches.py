"""Matches, tournaments and sweeps between agents that are names or objects.

Games and agents may be objects: a `Game` made in a notebook, an `Agent` with a rule of your own.
Where its text says all about an object, the object is the same as the text. Any other travels to
the worker processes as a pickle: functions and classes of a notebook by value, those of modules by
import. One that cannot travel is played in this process, with a warning, or refused if `workers`
asks for several; with workers=1 nothing travels.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from uctlab.agents import Agent
from uctlab.api import arguments
from uctlab.api.kernel_errors import tells_kernel_errors
from uctlab.api.progress import shown_progress
from uctlab.arena.objects import Given, given_agent, given_game
from uctlab.arena.plan import MatchPlan
from uctlab.arena.player import player_name
from uctlab.arena.result import MatchResult
from uctlab.arena.sprt import Sprt
from uctlab.arena.sweep import SweepResult, SweepRow, combinations, vary
from uctlab.arena.tasks import Progress
from uctlab.arena.tournament import TournamentResult, rate, tournament_plans
from uctlab.devices.cpu import cores
from uctlab.devices.registry import run_matches
from uctlab.errors import UsageError
from uctlab.games import Game, make_game

Bounds = Sprt | tuple[float, float]


@tells_kernel_errors
def match(
    game: Game | str,
    a: Agent | str,
    b: Agent | str,
    *,
    games: int = 100,
    playouts: int | None = None,
    seconds: float | None = None,
    openings: int = 0,
    reuse: bool = False,
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
        openings: Number of random moves at the start, the same for both games of a pair.
        reuse: Whether agents keep their trees from move to move.
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
    field = _Field(game, "match")
    name_a, own_a = field.player(a)
    name_b, own_b = field.player(b)
    conditions = _conditions(playouts, seconds, openings, reuse, seed)
    plan = MatchPlan(
        field.name, name_a, name_b, own_game=field.own, own_a=own_a, own_b=own_b, **conditions
    )
    running = _Running(games, sprt, store, mix_versions, device, workers, progress)
    (result,) = running.play([plan], "match")
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
    openings: int = 0,
    reuse: bool = False,
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
        openings: Number of random moves at the start of each pair of games.
        reuse: Whether agents keep their trees from move to move.
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
    field = _Field(game, "tournament")
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
    conditions = _conditions(playouts, seconds, openings, reuse, seed)
    plans = tournament_plans(
        arguments.text("kind", kind), names, field.name, own, own_game=field.own, **conditions
    )
    running = _Running(games, None, store, mix_versions, device, workers, progress)
    return rate(running.play(plans, "tournament"))


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
    openings: int = 0,
    reuse: bool = False,
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
        openings: Number of random moves at the start of each pair of games.
        reuse: Whether agents keep their trees from move to move.
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
    field = _Field(game, "sweep")
    opponent, own_b = field.player(base)
    varied = base if agent is None else agent
    if not isinstance(varied, str | Agent):
        raise UsageError(f"agent must be a name or an Agent, not a {type(varied).__name__}")
    conditions = _conditions(playouts, seconds, openings, reuse, seed)
    chosen = combinations(grid)
    plans = []
    for options in chosen:
        name, own_a = field.player(vary(varied, options))
        plans.append(
            MatchPlan(
                *(field.name, name, opponent),
                own_game=field.own,
                own_a=own_a,
                own_b=own_b,
                **conditions,
            )
        )
    running = _Running(games, sprt, store, mix_versions, device, workers, progress)
    results = running.play(plans, "sweep")
    rows = (SweepRow(options, result) for options, result in zip(chosen, results, strict=True))
    return SweepResult(str(varied), opponent, tuple(grid), tuple(rows))


class _Field:
    """The game, and how its players are written in a plan."""

    def __init__(self, game: object, function: str) -> None:
        if not isinstance(game, str | Game):
            raise UsageError(
                f"{function}: the game must be a name such as 'hex:7' or a Game, not a "
                f"{type(game).__name__}"
            )
        self._function = function
        if isinstance(game, Game):
            self.name, self.own = given_game(game)
        else:
            self.name, self.own = game, None
        self._game = game if isinstance(game, Game) else make_game(game)

    def player(self, player: object) -> tuple[str, Given | None]:
        """The canonical name, and the object where the name does not say all."""
        if isinstance(player, str):
            return player_name(player), None
        if isinstance(player, Agent):
            return given_agent(player, self._game)
        raise UsageError(
            f"{self._function}: a player must be a name such as 'auct(k=3)' or an Agent, not a "
            f"{type(player).__name__}"
        )


class _Running:
    """How the games of some matches are played."""

    def __init__(
        self,
        games: int,
        sprt: Bounds | None,
        store: Path | str | None,
        mix_versions: bool,
        device: str,
        workers: int | None,
        progress: bool | Progress,
    ) -> None:
        self._games = arguments.whole("games", games, 1)
        self._sprt = arguments.sprt_or_none(sprt)
        self._store = arguments.path_or_none("store", store)
        self._mix_versions = arguments.yes_or_no("mix_versions", mix_versions)
        self._device = arguments.text("device", device)
        self._workers = arguments.whole_or_none("workers", workers, 1)
        self._progress = progress

    def play(self, plans: list[MatchPlan], function: str) -> list[MatchResult]:
        workers = self._workers_for(plans, function)
        with shown_progress(self._progress, "games") as progress:
            return run_matches(
                plans,
                games=self._games,
                device=self._device,
                workers=workers,
                store=None if self._store is None else str(self._store),
                sprt=self._sprt,
                progress=progress,
                mix_versions=self._mix_versions,
            )

    def _workers_for(self, plans: list[MatchPlan], function: str) -> int | None:
        """The number of workers; 1 if the user leaves it open and an object cannot travel."""
        kind = self._device.partition(":")[0]
        here = kind == "cuda" or (kind == "cpu" and (self._workers or cores()) == 1)
        if here:
            return self._workers
        objects = dict.fromkeys(given for plan in plans for given in plan.given().values())
        for given in objects:
            try:
                _ = given.data
            except UsageError as mistake:
                if kind != "cpu" or self._workers is not None:
                    raise UsageError(
                        f"uctlab.{function}: {mistake}; device='cpu' with workers=1 plays in this "
                        "process"
                    ) from None
                warnings.warn(
                    f"uctlab.{function}: {mistake}: playing in this process; workers=1 makes this "
                    "explicit",
                    RuntimeWarning,
                    stacklevel=4,
                )
                return 1
        return self._workers


def _conditions(
    playouts: int | None, seconds: float | None, openings: int, reuse: bool, seed: int
) -> dict[str, Any]:
    """The fields of a plan that say how is played."""
    facts = {
        "playouts": arguments.whole_or_none("playouts", playouts, 1),
        "seconds": arguments.seconds_or_none(seconds),
        "openings": arguments.whole("openings", openings, 0),
        "reuse": arguments.yes_or_no("reuse", reuse),
        "seed": arguments.whole("seed", seed, 0),
    }
    if facts["playouts"] is None and facts["seconds"] is None:
        raise UsageError("a match needs a budget per move: playouts=, seconds=, or both")
    return facts


def _new_name(name: str, taken: list[str]) -> str:
    number = 2
    found = name
    while found in taken:
        found, number = f"{name}#{number}", number + 1
    return found
